import type { Queryable } from '../../infrastructure/postgres/database.js';

/** A key as it is listed: nothing of the key itself. */
export interface ApiKey<Scope extends string = string> {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

const COLUMNS = `id, name, scopes, (extract(epoch from created_at) * 1000)::bigint as "createdAt",
  (extract(epoch from last_used_at) * 1000)::bigint as "lastUsedAt"`;

/** Newest first. */
export async function listApiKeys<Scope extends string>(
  db: Queryable,
  organizationId: string,
  limit: number,
): Promise<ApiKey<Scope>[]> {
  const { rows } = await db.query<ApiKey<Scope>>(
    `select ${COLUMNS} from service.api_keys where organization_id = $1 order by created_at desc, id desc limit $2`,
    [organizationId, limit],
  );
  return rows;
}

/**
 * Under the same id it is the same key with another secret: the call sent again after a crash, whose first answer nobody got.
 * Null when the organization has `limit` already.
 */
export async function insertApiKey<Scope extends string>(
  db: Queryable,
  key: { id: string; organizationId: string; name: string; scopes: readonly Scope[]; hash: Buffer; limit: number },
): Promise<ApiKey<Scope> | null> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('api-keys/' || $1, 0))`, [key.organizationId]);
  const { rows } = await db.query<ApiKey<Scope>>(
    `insert into service.api_keys as k (id, organization_id, name, scopes, key_hash)
     select $1, $2, $3, $4, $5
      where (select count(*) from service.api_keys where organization_id = $2 and id <> $1) < $6
     on conflict (id) do update set key_hash = excluded.key_hash where k.organization_id = excluded.organization_id
     returning ${COLUMNS}`,
    [key.id, key.organizationId, key.name, key.scopes, key.hash, key.limit],
  );
  return rows[0] ?? null;
}

/** False when the organization has no such key. */
export async function deleteApiKey(db: Queryable, organizationId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from service.api_keys where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
  return rowCount === 1;
}
