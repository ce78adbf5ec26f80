import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorded } from '../src/core/events.js';
import type { EventStore } from '../src/infrastructure/event-store/port.js';
import { stackOf, type Logger } from '../src/infrastructure/logger.js';
import { describeError, isOutage } from '../src/infrastructure/outage.js';
import {
  park,
  parkAgain,
  parkBehind,
  parkedOf,
  streamsToRetry,
  streamsWithParked,
  unpark,
  type ParkedEvent,
} from '../src/infrastructure/parked-events.js';
import type { Database } from '../src/infrastructure/postgres/database.js';

/** What is wrong with an event is wrong again soon; what came of a race is not. */
const PAUSES_MS = [100, 400, 1_600] as const;
const RETRY_LOOK_EVERY_MS = 2_000;

/** There is no room for another parked event. */
export class TooManyParked extends Error {
  override readonly name = 'TooManyParked';
  /** Not enumerable: what logs an error would log what the event says. */
  readonly #event: Recorded;
  constructor(event: Recorded, cause: unknown) {
    super('so many events are parked that something else must be wrong: nothing more is', { cause });
    this.#event = event;
  }
  get event(): Recorded {
    return this.#event;
  }
}

/**
 * Takes events, and parks those that cannot be taken: an operator has them tried again. The order of a stream is kept: its events
 * are taken one after the other, and behind a parked one they are parked too. An outage parks nothing: it is thrown.
 */
export interface Parking {
  take(event: Recorded): Promise<void>;
  /** Tries what operators ask for, until the signal aborts; throws an outage. */
  retryWhatIsAsked(): Promise<void>;
}

export async function createParking(options: {
  readonly react: (event: Recorded) => Promise<void>;
  /** Throws when a server behind the service does not answer. */
  readonly checkServers: () => Promise<unknown>;
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}): Promise<Parking> {
  const { react, checkServers, eventStore, database, logger, signal } = options;
  const withParked = new Set(await streamsWithParked(database));
  const inTurn = createTurns();

  const takeNow = async (event: Recorded): Promise<void> => {
    signal.throwIfAborted();
    if (withParked.has(event.stream)) {
      if (await parkBehind(database, event)) return;
      withParked.delete(event.stream);
    }
    const failed = await tryOften(event);
    if (failed === null) return;
    // Whatever the error looks like: while something does not answer, no event is to blame.
    await checkServers();
    const { error, tries } = failed;
    if (!(await park(database, event, { error: describeError(error), tries }))) throw new TooManyParked(event, error);
    withParked.add(event.stream);
    const { id: eventId, stream, type } = event;
    logger.error({ eventId, stream, type, tries, stack: stackOf(error) }, 'an event could not be taken and is parked');
  };

  const tryOften = async (event: Recorded): Promise<{ error: unknown; tries: number } | null> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await react(event);
        return null;
      } catch (error) {
        const pauseMs = PAUSES_MS[tries - 1];
        if (signal.aborted || isOutage(error)) throw error;
        if (pauseMs === undefined) return { error, tries };
        await sleep(pauseMs, undefined, { signal });
      }
    }
  };

  /** One after the other, up to one that still cannot be taken. */
  const retry = async (stream: string): Promise<void> => {
    for (const parked of await parkedOf(database, stream)) {
      try {
        await react(await eventOf(eventStore, parked));
      } catch (error) {
        if (signal.aborted || isOutage(error)) throw error;
        await parkAgain(database, parked, describeError(error));
        logger.warn({ eventId: parked.eventId, stream, stack: stackOf(error) }, 'a parked event still cannot be taken');
        return;
      }
      await unpark(database, parked.eventId);
      logger.info({ eventId: parked.eventId, stream }, 'a parked event has been taken');
    }
  };

  return {
    take: (event) => inTurn(event.stream, () => takeNow(event)),
    retryWhatIsAsked: async () => {
      while (!signal.aborted) {
        for (const stream of await streamsToRetry(database)) await inTurn(stream, () => retry(stream));
        await sleep(RETRY_LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

/** Work for one stream waits for the work before it; other streams do not. */
function createTurns(): (stream: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (stream, work) => {
    const before = last.get(stream) ?? Promise.resolve();
    const turn = before.then(work);
    const settled = turn.catch(() => undefined);
    last.set(stream, settled);
    try {
      await turn;
    } finally {
      if (last.get(stream) === settled) last.delete(stream);
    }
  };
}

async function eventOf(eventStore: EventStore, { stream, revision }: ParkedEvent): Promise<Recorded> {
  for await (const event of eventStore.readStream(stream, { fromRevision: revision, limit: 1 })) return event;
  throw new Error(`there is no event ${revision} in ${stream}`);
}
