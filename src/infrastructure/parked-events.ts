import type { Recorded } from '../core/events.js';
import type { Queryable } from './postgres/database.js';

/** An event that the reactor could not take. */
export interface ParkedEvent {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** Null for one that waits for an earlier one of its stream. */
  readonly error: string | null;
  readonly tries: number;
  readonly parkedAt: Date;
  readonly isAsked: boolean;
}

/** Beyond so many it is not the events that are at fault. */
const MOST_PARKED = 1_000;

const COLUMNS = `event_id as "eventId", stream, revision, type, error, tries, parked_at as "parkedAt",
  retry_asked_at is not null as "isAsked"`;

/** The oldest first. */
export async function parkedEvents(db: Queryable): Promise<readonly ParkedEvent[]> {
  const { rows } = await db.query<ParkedEvent>(
    `select ${COLUMNS} from service.parked_events order by parked_at, stream, revision`,
  );
  return rows;
}

export async function parkedOf(db: Queryable, stream: string): Promise<readonly ParkedEvent[]> {
  const { rows } = await db.query<ParkedEvent>(
    `select ${COLUMNS} from service.parked_events where stream = $1 order by revision`,
    [stream],
  );
  return rows;
}

export async function countParked(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) as count from service.parked_events');
  return rows[0]?.count ?? 0;
}

/** False when there is no room: so many are parked that something else must be wrong. */
export async function park(db: Queryable, event: Recorded, failed: { error: string; tries: number }): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into service.parked_events (event_id, stream, revision, type, error, tries)
     select $1, $2, $3, $4, $5, $6 where (select count(*) from service.parked_events) < $7
     on conflict (event_id) do update set error = excluded.error, tries = parked_events.tries + excluded.tries`,
    [event.id, event.stream, event.revision, event.type, failed.error, failed.tries, MOST_PARKED],
  );
  return rowCount === 1;
}

/** Parks an event behind those of its stream that are parked, untried; false when there are none any more. */
export async function parkBehind(db: Queryable, event: Recorded): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into service.parked_events (event_id, stream, revision, type, tries)
     select $1, $2::text, $3, $4, 0 where exists (select 1 from service.parked_events where stream = $2::text)
     on conflict (event_id) do update set stream = excluded.stream`,
    [event.id, event.stream, event.revision, event.type],
  );
  return rowCount === 1;
}

export async function unpark(db: Queryable, eventId: string): Promise<void> {
  await db.query('delete from service.parked_events where event_id = $1', [eventId]);
}

/** Tried again in vain: nobody tries it or those behind it any more until asked again. */
export async function parkAgain(db: Queryable, { eventId, stream }: ParkedEvent, error: string): Promise<void> {
  await db.query(
    `update service.parked_events
        set retry_asked_at = null,
            error = case event_id when $1 then $2 else error end,
            tries = tries + case event_id when $1 then 1 else 0 end
      where stream = $3`,
    [eventId, error, stream],
  );
}

/** All that is parked of the streams of these events (null: of every stream) is to be tried again; answers their ids. */
export async function askForRetry(db: Queryable, eventIds: readonly string[] | null): Promise<readonly string[]> {
  const { rows } = await db.query<{ eventId: string }>(
    `update service.parked_events set retry_asked_at = now()
      where $1::text[] is null
         or stream in (select stream from service.parked_events where event_id::text = any ($1))
     returning event_id as "eventId"`,
    [eventIds],
  );
  return rows.map(({ eventId }) => eventId);
}

/** Streams whose parked events somebody wants tried again, and those whose first one waits for nothing any more. */
export async function streamsToRetry(db: Queryable): Promise<readonly string[]> {
  const { rows } = await db.query<{ stream: string }>(
    `select stream from (select distinct on (stream) stream, error, retry_asked_at
                           from service.parked_events order by stream, revision) as first
      where retry_asked_at is not null or error is null`,
  );
  return rows.map(({ stream }) => stream);
}

export async function streamsWithParked(db: Queryable): Promise<readonly string[]> {
  const { rows } = await db.query<{ stream: string }>('select distinct stream from service.parked_events');
  return rows.map(({ stream }) => stream);
}
