import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Logger } from 'pino';
import type { EventMetadata, Recorded } from '../../core/events.js';
import { createOutageLog } from '../outage-log.js';
import { parseEventStoreAddress } from './address.js';
import { appendUntilKnown } from './append.js';
import { createCluster } from './cluster.js';
import { leaderNamedBy, meaningOf } from './failures.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  EventStoreUnavailable,
  StreamTombstoned,
  type EventLog,
  type RawEvent,
} from './port.js';
import type { ReadAnswer, ReadEvent } from './read-response.js';
import { JSON_CONTENT, appendRequest, lastOfAllRequest, readAllRequest, readStreamRequest } from './requests.js';

/** Far beyond a slow commit. */
const APPEND_TIMEOUT_MS = 3_000;
/** Before a read goes on at another node. */
const READ_PAUSE_MS = 100;
const MAX_APPEND_BYTES = 1_048_576;
// Between two answers of a read, or before the first of a subscription.
const ANSWER_TIMEOUT_MS = 10_000;
const PING_TIMEOUT_MS = 3_000;

/** The adapter to EventStoreDB, embedded or real. `url`: see `parseEventStoreAddress`. */
export function createEventStore(options: {
  url: string;
  logger: Logger;
  /** Time limit of one try of an append. */
  appendTimeoutMs?: number;
}): EventLog {
  const { url, logger, appendTimeoutMs = APPEND_TIMEOUT_MS } = options;
  const cluster = createCluster(parseEventStoreAddress(url));
  const failedAppends = createOutageLog(logger, 'an append has failed', { part: 'event store' });
  const unforeseenReads = createOutageLog(logger, 'a read has failed in a way that was not foreseen', {
    part: 'event store',
  });

  /** The answers to one read; ends with `EventStoreUnavailable` when the server goes away or falls silent. */
  async function* answers(
    request: ReadReq,
    reading: { answerTimeoutMs: number; isSubscription: boolean; stream?: string | undefined; signal?: AbortSignal },
  ): AsyncGenerator<ReadAnswer> {
    const { answerTimeoutMs, isSubscription, stream, signal } = reading;
    const isAborted = (): boolean => signal?.aborted === true;
    if (isAborted()) return;
    const node = await cluster.leader(answerTimeoutMs);
    const call = node.read(request);
    const abort = (): void => call.cancel();
    signal?.addEventListener('abort', abort, { once: true });
    let isWaiting = true;
    let isSilent = false;
    const timer = setTimeout(() => {
      if (!isWaiting) return;
      isSilent = true;
      call.cancel();
    }, answerTimeoutMs);
    try {
      const iterator = call[Symbol.asyncIterator]() as AsyncIterator<ReadAnswer>;
      for (;;) {
        isWaiting = true;
        timer.refresh();
        const next = await iterator.next();
        isWaiting = false;
        if (next.done === true) return;
        // A quiet log is no fault; a dead connection is found by keep-alive, and a leader that is none any more by the cluster.
        if (isSubscription) clearTimeout(timer);
        yield next.value;
      }
    } catch (error) {
      if (isAborted()) return;
      cluster.doubt(node, leaderNamedBy(error));
      if (isSilent) throw new EventStoreUnavailable('the event store does not answer');
      const { read, isForeseen } = meaningOf(error);
      if (read === 'tombstoned' && stream !== undefined) throw new StreamTombstoned(stream);
      if (!isForeseen) unforeseenReads.failed(error, { stream, isForeseen });
      throw new EventStoreUnavailable('the event store cannot be read', { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      call.cancel();
      // One that has ended already takes no notice of that, and with answers left unread it would stay open for good.
      call.destroy();
    }
  }

  /** A read to its end; where a leader that dies has a successor, the rest of it is asked there. */
  async function* events(
    requestAfter: (last: ReadEvent | null) => ReadReq | null,
    { stream, answerTimeoutMs = ANSWER_TIMEOUT_MS }: { stream?: string; answerTimeoutMs?: number } = {},
  ): AsyncGenerator<ReadEvent> {
    let last: ReadEvent | null = null;
    let progressAt = performance.now();
    for (let request = requestAfter(last); request !== null; request = requestAfter(last)) {
      try {
        const reading = { answerTimeoutMs, isSubscription: false, stream };
        for await (const answer of answers(request, reading)) {
          if (answer.kind !== 'event') continue;
          last = answer;
          yield answer;
          progressAt = performance.now();
        }
        return;
      } catch (error) {
        const isLate = performance.now() + READ_PAUSE_MS - progressAt >= answerTimeoutMs;
        if (!cluster.hasSuccessors || isLate || !isWorthAnotherTry(error)) throw error;
        await sleep(READ_PAUSE_MS);
      }
    }
  }

  async function* streamEvents(
    stream: string,
    { fromRevision = 0, limit }: { fromRevision?: number; limit?: number },
  ): AsyncGenerator<ReadEvent> {
    let left = limit;
    const requestAfter = (last: ReadEvent | null): ReadReq | null => {
      if (last === null) return readStreamRequest({ stream, fromRevision, limit });
      // A tombstone has no number, and nothing comes after it.
      if (last.revision === null || left === 0) return null;
      return readStreamRequest({ stream, fromRevision: last.revision + 1, limit: left });
    };
    for await (const event of events(requestAfter, { stream })) {
      if (left !== undefined) left -= 1;
      yield event;
    }
  }

  async function* allEvents(after: bigint | null): AsyncGenerator<ReadEvent> {
    for await (const event of events((last) => readAllRequest({ after: last?.position ?? after }))) {
      // Reading includes the position it starts from.
      if (after === null || event.position > after) yield event;
      after = event.position;
    }
  }

  /** Of an event that has been stored: who cannot learn its place must not take it for lost. */
  const positionOf = async (stream: string, revision: number): Promise<bigint> => {
    let cause: unknown;
    try {
      for await (const event of streamEvents(stream, { fromRevision: revision, limit: 1 })) return event.position;
    } catch (error) {
      cause = error;
    }
    throw new AppendOutcomeUnknown(`stream ${stream} cannot be read after an append`, { cause });
  };

  return {
    texts: 'sealed',
    async append(stream, expected, proposed) {
      const request = appendRequest(stream, expected, proposed);
      if (request.bytes > MAX_APPEND_BYTES) {
        throw new AppendTooLarge(`an append to ${stream} is larger than ${MAX_APPEND_BYTES} bytes`);
      }
      const context = { cluster, failures: failedAppends, timeoutMs: appendTimeoutMs };
      const { revision, position } = await appendUntilKnown({ stream, expected, request }, context);
      return { revision, position: position ?? (await positionOf(stream, revision)) };
    },

    async *readStream(stream, readOptions = {}) {
      for await (const event of streamEvents(stream, readOptions)) {
        if (isDomainEvent(event)) yield recordedOf(event);
      }
    },

    async *readStreamRaw(stream, readOptions = {}) {
      for await (const event of streamEvents(stream, readOptions)) yield rawOf(event);
    },

    async *readAllRaw({ after }) {
      for await (const event of allEvents(after)) yield rawOf(event);
    },

    async *readAll({ after, limit = Infinity }) {
      let left = limit;
      if (left <= 0) return;
      for await (const event of allEvents(after)) {
        if (!isDomainEvent(event)) continue;
        yield recordedOf(event);
        left -= 1;
        if (left <= 0) return;
      }
    },

    async *subscribeToAll({ after, filter, signal }) {
      const request = readAllRequest({ after, filter, count: 'subscription' });
      const reading = { answerTimeoutMs: ANSWER_TIMEOUT_MS, isSubscription: true, signal };
      for await (const answer of answers(request, reading)) {
        if (answer.kind === 'event') {
          if (isDomainEvent(answer)) yield { kind: 'event', event: recordedOf(answer) };
        } else if (answer.kind === 'checkpoint') yield { kind: 'checkpoint', position: answer.position };
        else if (answer.kind === 'caught_up') yield { kind: 'caught_up' };
      }
      if (!signal.aborted) throw new EventStoreUnavailable('the event store has ended a subscription');
    },

    async lastPosition() {
      for await (const event of events(lastOfAllRequest)) return event.position;
      return null;
    },

    async ping() {
      const request = readAllRequest({ after: null, count: 1 });
      const reading = events(() => request, { answerTimeoutMs: PING_TIMEOUT_MS });
      await reading.next();
      await reading.return(undefined);
    },

    close() {
      cluster.close();
      return Promise.resolve();
    },
  };
}

/** Who may not read is told so at once. */
const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof EventStoreUnavailable && meaningOf(error.cause).read !== 'refused';

/** The log may be shared: what carries no metadata, or is not JSON, was not written here. */
const isDomainEvent = ({ type, stream, contentType, metadata }: ReadEvent): boolean =>
  contentType === JSON_CONTENT && metadata.length > 0 && !type.startsWith('$') && !stream.startsWith('$');

function recordedOf(event: ReadEvent): Recorded {
  const { id, stream, revision, position, type } = event;
  if (revision === null) throw new Error(`event ${id} in ${stream} has a revision out of reach`);
  try {
    return {
      id,
      stream,
      revision,
      position,
      type,
      data: JSON.parse(event.data.toString('utf8')) as object,
      metadata: JSON.parse(event.metadata.toString('utf8')) as EventMetadata,
    };
  } catch (error) {
    throw new Error(`event ${id}, revision ${revision} of ${stream}, is not a domain event: its JSON cannot be read`, {
      cause: error,
    });
  }
}

const rawOf = ({ id, stream, revision, position, type, contentType, data, metadata }: ReadEvent): RawEvent => ({
  id,
  stream,
  revision,
  position,
  type,
  contentType,
  data,
  metadata,
});
