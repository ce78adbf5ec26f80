import type { EventPlace } from '../src/core/events.js';
import type { EventLog } from '../src/infrastructure/event-store/port.js';
import type { Queryable } from '../src/infrastructure/postgres/database.js';

/** An advisory lock, held by whoever puts other checkpoints in the place of those that followers have written. */
export const CHECKPOINT_LOCK = 7_203_115;

/** Position of the last event that the read models hold; 0 before the first. */
export async function readCheckpoint(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ position: string }>('select position::text from read.checkpoint');
  return BigInt(rows[0]?.position ?? 0);
}

/** Where the event stands in the log is looked up each time: who asks may have waited while the log was moved to another store. */
export async function holdsEvent(
  { database, eventStore }: { readonly database: Queryable; readonly eventStore: Pick<EventLog, 'readStreamRaw'> },
  { stream, revision }: EventPlace,
): Promise<boolean> {
  for await (const { position } of eventStore.readStreamRaw(stream, { fromRevision: revision, limit: 1 })) {
    return (await readCheckpoint(database)) >= position;
  }
  return false;
}
