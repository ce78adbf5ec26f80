import type { EventLog } from './event-store/port.js';
import type { Queryable } from './postgres/database.js';

/** What tells a log from a copy of it: its first event, and where that stands. */
export interface LogHome {
  readonly eventId: string;
  readonly position: bigint;
}

/** Null when nothing has been written yet. */
export async function homeOf(eventStore: Pick<EventLog, 'readAll'>): Promise<LogHome | null> {
  for await (const { id: eventId, position } of eventStore.readAll({ after: null, limit: 1 })) {
    return { eventId, position };
  }
  return null;
}

/** Whose positions the checkpoints of this database are; null as long as the log was never moved. */
export async function storedHome(db: Queryable): Promise<(LogHome & { readonly address: string }) | null> {
  const { rows } = await db.query<{ eventId: string; position: string; address: string }>(
    'select event_id as "eventId", position::text, address from service.log_home',
  );
  const [row] = rows;
  return row === undefined ? null : { ...row, position: BigInt(row.position) };
}

export const storeHome = (db: Queryable, { eventId, position }: LogHome, address: string) =>
  db.query(
    `insert into service.log_home (event_id, position, address) values ($1, $2, $3)
     on conflict (only_one) do update
       set event_id = excluded.event_id, position = excluded.position, address = excluded.address`,
    [eventId, position.toString(), address],
  );

export const isSameHome = (one: LogHome | null, other: LogHome | null): boolean =>
  one !== null && other !== null && one.eventId === other.eventId && one.position === other.position;

/** A log was moved away from the store that is named, or is still on its way to it. */
class LogLivesElsewhere extends Error {
  override readonly name = 'LogLivesElsewhere';
}

/** Ends the start of a program on a store that the log was moved away from, or to which it has not been moved whole. */
export async function demandHome(db: Queryable, eventStore: Pick<EventLog, 'readAll'>): Promise<void> {
  const stored = await storedHome(db);
  if (stored === null || isSameHome(await homeOf(eventStore), stored)) return;
  throw new LogLivesElsewhere(
    `EVENTSTORE_URL names a store that is not in use: the log of this database is at ${stored.address}. ` +
      'Name that one, or run "move-store" to its end.',
  );
}
