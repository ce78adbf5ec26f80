import type { Queryable } from '../src/infrastructure/postgres/database.js';

/** Position of the last event that the read models hold; 0 before the first. */
export async function readCheckpoint(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ position: string }>('select position::text from read.checkpoint');
  return BigInt(rows[0]?.position ?? 0);
}
