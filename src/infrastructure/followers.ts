import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorded } from '../core/events.js';
import type { EventLog } from './event-store/port.js';
import { stackOf, type Logger } from './logger.js';
import { describeError } from './outage.js';
import { createOutageLog } from './outage-log.js';
import type { Database, Queryable } from './postgres/database.js';

/** What follows the log: the projector writes the read models from it, the reactor starts what events lead to. */
export type FollowerName = 'projector' | 'reactor';

/** The event that a follower cannot get past. */
export interface Halt {
  readonly eventId: string;
  readonly stream: string;
  readonly type: string;
  readonly error: string;
}

/** How a follower is, as operators are told. */
export interface Standing {
  /** `behind`: the oldest event that waits is older than a minute. `silent`: nothing was heard of it for a while. */
  readonly state: 'following' | 'behind' | 'halted' | 'silent';
  /** Events that wait, counted up to 1,000, and the age of the oldest. */
  readonly lagEvents: number;
  readonly lagSeconds: number;
  readonly halt: Halt | null;
}

export interface Follower {
  /** It cannot get past this event, and tries again from time to time. */
  halted(event: Recorded, error: unknown): void;
  /** Everything up to here is done. */
  passed(position: bigint): void;
}

/** Who is started and stopped again and again has no use for it before. */
const FIRST_REPORT_AFTER_MS = 1_000;
const REPORT_EVERY_MS = 10_000;
const SILENT_AFTER_S = 45;
const BEHIND_AFTER_S = 60;
const COUNTED_EVENTS = 1_000;

/** Has a follower report its lag, at once when it halts, until `signal` aborts. */
export function startFollower(options: {
  readonly name: FollowerName;
  readonly database: Database;
  readonly eventStore: Pick<EventLog, 'readAll'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** How far it is; null before the first event. */
  readonly readPosition: () => Promise<bigint | null>;
  readonly isOfInterest?: (type: string) => boolean;
}): Follower {
  const { name, database, logger, signal } = options;
  let halt: Halt | null = null;
  let haltedAt = 0n;
  let wake = new AbortController();
  const reporting = createOutageLog(logger, `the ${name} cannot say how far it is`);

  const run = async (): Promise<void> => {
    for (let pauseMs = FIRST_REPORT_AFTER_MS; ; pauseMs = REPORT_EVERY_MS) {
      const either = AbortSignal.any([signal, wake.signal]);
      await sleep(pauseMs, undefined, { signal: either, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      wake = new AbortController();
      try {
        await report(database, name, await lagOf(options), halt);
        reporting.worked();
      } catch (error) {
        reporting.failed(error);
      }
    }
  };
  void run();

  return {
    halted(event, error) {
      if (halt?.eventId === event.id) return;
      halt = { eventId: event.id, stream: event.stream, type: event.type, error: describeError(error) };
      haltedAt = event.position;
      logger.error({ ...halt, stack: stackOf(error) }, `the ${name} is halted by an event that it cannot take`);
      wake.abort();
    },
    passed(position) {
      if (halt === null || position < haltedAt) return;
      logger.info({ eventId: halt.eventId }, `the ${name} is past the event that halted it`);
      halt = null;
      wake.abort();
    },
  };
}

async function lagOf({ eventStore, readPosition, isOfInterest }: Parameters<typeof startFollower>[0]) {
  let events = 0;
  let oldest: number | null = null;
  for await (const { type, metadata } of eventStore.readAll({ after: await readPosition(), limit: COUNTED_EVENTS })) {
    if (isOfInterest?.(type) === false) continue;
    events += 1;
    oldest ??= metadata.recordedAt;
  }
  return { events, seconds: oldest === null ? 0 : Math.max(0, (Date.now() - oldest) / 1_000) };
}

const report = (db: Queryable, name: FollowerName, lag: Awaited<ReturnType<typeof lagOf>>, halt: Halt | null) =>
  db.query(
    `insert into service.followers (name, lag_events, lag_s, halt) values ($1, $2, $3, $4)
     on conflict (name) do update
       set lag_events = excluded.lag_events, lag_s = excluded.lag_s, halt = excluded.halt, seen_at = now()`,
    [name, lag.events, lag.seconds, halt],
  );

/** What every follower has said last. */
export async function standings(db: Queryable): Promise<Readonly<Record<FollowerName, Standing>>> {
  const { rows } = await db.query<{
    name: FollowerName;
    lagEvents: number;
    lagSeconds: number;
    halt: Halt | null;
    ageS: number;
  }>(
    `select name, lag_events as "lagEvents", lag_s as "lagSeconds", halt,
            extract(epoch from now() - seen_at)::double precision as "ageS"
       from service.followers`,
  );
  const of = (name: FollowerName): Standing => {
    const said = rows.find((row) => row.name === name);
    if (said === undefined) return { state: 'silent', lagEvents: 0, lagSeconds: 0, halt: null };
    const { ageS, lagEvents, lagSeconds, halt } = said;
    const isBehind = lagSeconds > BEHIND_AFTER_S;
    const state = ageS > SILENT_AFTER_S ? 'silent' : halt !== null ? 'halted' : isBehind ? 'behind' : 'following';
    return { state, lagEvents, lagSeconds, halt };
  };
  return { projector: of('projector'), reactor: of('reactor') };
}
