import type { CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import { apiKeyHash, newApiKey } from '../../infrastructure/api-keys.js';
import { inTransaction, type Database } from '../../infrastructure/postgres/database.js';
import { deleteApiKey, insertApiKey, type ApiKey } from './store.js';

/** As many as somebody can tell apart. */
export const MAX_API_KEYS = 50;

/** Makes a key; the answer is the only place where it is ever seen. */
export async function createApiKey<Scope extends string>(
  database: Database,
  context: Pick<CommandContext, 'newId'>,
  wanted: { readonly organizationId: string; readonly name: string; readonly scopes: readonly Scope[] },
): Promise<ApiKey<Scope> & { readonly key: string }> {
  const key = newApiKey();
  const made = await inTransaction(database, (connection) =>
    insertApiKey(connection, {
      ...{ organizationId: wanted.organizationId, name: wanted.name, scopes: [...new Set(wanted.scopes)] },
      ...{ id: context.newId('key'), hash: apiKeyHash(key), limit: MAX_API_KEYS },
    }),
  );
  if (made === null) throw new Refusal('api_key_limit', `An organization has at most ${MAX_API_KEYS} API keys.`);
  return { ...made, key };
}

/** The next call with the key is refused, in every process. */
export async function revokeApiKey(database: Database, organizationId: string, id: string): Promise<void> {
  if (!(await deleteApiKey(database, organizationId, id))) throw notFound('API key', id);
}
