import { factoryLinkToken, tokenHash } from '../../infrastructure/links.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { DppRequest } from './events.js';

/** Makes the links of requests good, before they are mailed; those that are there stay. */
export async function storeLinks(
  { database, linkKey }: { readonly database: Queryable; readonly linkKey: Buffer },
  batchId: string,
  requests: readonly Pick<DppRequest, 'requestId'>[],
): Promise<void> {
  if (requests.length === 0) return;
  const ids = requests.map(({ requestId }) => requestId);
  await database.query(
    `insert into service.factory_links (token_hash, request_id, batch_id)
     select link.hash, link.request_id, $3 from unnest($1::bytea[], $2::text[]) as link (hash, request_id)
     on conflict do nothing`,
    [ids.map((id) => tokenHash(factoryLinkToken(linkKey, id))), ids, batchId],
  );
}

/** The request that a mailed token is for; null when it is for none. */
export async function requestOfLink(
  database: Queryable,
  token: string,
): Promise<{ readonly requestId: string; readonly batchId: string } | null> {
  const { rows } = await database.query<{ requestId: string; batchId: string }>(
    'select request_id as "requestId", batch_id as "batchId" from service.factory_links where token_hash = $1',
    [tokenHash(token)],
  );
  return rows[0] ?? null;
}

/** The batch of a request that was mailed; null when there is none. */
export async function batchOfRequest(database: Queryable, requestId: string): Promise<string | null> {
  const { rows } = await database.query<{ batchId: string }>(
    'select batch_id as "batchId" from service.factory_links where request_id = $1',
    [requestId],
  );
  return rows[0]?.batchId ?? null;
}
