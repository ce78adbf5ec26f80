import { setTimeout as sleep } from 'node:timers/promises';
import { makeGenericClientConstructor, type Client, type ClientReadableStream } from '@grpc/grpc-js';
import {
  EventStoreDBClient,
  NO_STREAM,
  StreamDeletedError,
  WrongExpectedVersionError,
  jsonEvent,
  type Credentials,
  type EventData,
} from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Logger } from 'pino';
import type { EventMetadata, Recorded } from '../../core/events.js';
import { parseEventStoreAddress } from './address.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  EventStoreUnavailable,
  StreamTombstoned,
  WrongExpectedRevision,
  type AllFilter,
  type AppendResult,
  type EventLog,
  type ExpectedRevision,
  type NewEvent,
  type RawEvent,
} from './port.js';
import { decodeReadAnswer, type ReadAnswer, type ReadEvent } from './read-response.js';

// Three seconds are far beyond a slow commit; three tries span the restart of a server.
const APPEND_TIMEOUT_MS = 3_000;
const APPEND_TRIES = 4;
const FIRST_PAUSE_MS = 100;
const MAX_APPEND_BYTES = 1_048_576;
// Between two answers of a read, or before the first of a subscription.
const ANSWER_TIMEOUT_MS = 10_000;
const PING_TIMEOUT_MS = 3_000;
/** Considered events between two checkpoints are these two multiplied. */
const SEARCH_WINDOW = 32;
const CHECKPOINT_INTERVAL = 16;
const NO_SYSTEM_EVENTS = '^[^$]';
const JSON_CONTENT = 'application/json';

/** What the pinned version keeps for itself: its channel, found, secured and renewed as the connection string says. */
interface ClientInternals {
  GRPCStreamCreator(
    constructor: unknown,
    name: string,
    create: (client: RawStreamsClient) => ClientReadableStream<ReadAnswer>,
  ): () => Promise<ClientReadableStream<ReadAnswer>>;
  callArguments(options: { credentials?: Credentials }, callOptions: { deadline: number }): readonly unknown[];
}

interface RawStreamsClient extends Client {
  read(request: ReadReq, ...callArguments: readonly unknown[]): ClientReadableStream<ReadAnswer>;
}

/** `Streams/Read` with answers decoded to bytes by us, where the client's own would parse JSON. */
const RawStreams = makeGenericClientConstructor(
  { read: { ...streamsService.StreamsService.read, responseDeserialize: decodeReadAnswer } },
  'RawStreams',
);

/** Credentials on the call are what makes the client append with a deadline; over an insecure connection they stay here. */
const NO_CREDENTIALS: Credentials = { username: 'admin', password: 'changeit' };

/** The adapter to EventStoreDB, embedded or real. `url`: see `parseEventStoreAddress`. */
export function createEventStore(options: {
  url: string;
  logger: Logger;
  /** Time limit of one try of an append. */
  appendTimeoutMs?: number;
}): EventLog {
  const { url, logger, appendTimeoutMs = APPEND_TIMEOUT_MS } = options;
  const address = parseEventStoreAddress(url);
  const credentials = address.credentials ?? NO_CREDENTIALS;
  const client = EventStoreDBClient.connectionString(address.connectionString);
  const internals = client as unknown as ClientInternals;

  /** The answers to one read; ends with `EventStoreUnavailable` when the server goes away or falls silent. */
  async function* answers(
    request: ReadReq,
    limits: { answerTimeoutMs: number; isSubscription: boolean; signal?: AbortSignal },
  ): AsyncGenerator<ReadAnswer> {
    const { answerTimeoutMs, isSubscription, signal } = limits;
    const isAborted = (): boolean => signal?.aborted === true;
    if (isAborted()) return;
    const open = internals.GRPCStreamCreator(RawStreams, 'read', (raw) =>
      raw.read(request, ...internals.callArguments({ credentials }, { deadline: Infinity })),
    );
    // Finding the server comes first; a cluster without a leader has none.
    const call = await withTimeout(open(), answerTimeoutMs).catch((error: unknown) => {
      throw readFailure(error);
    });
    // A cancelled call tells so as an error, long after anybody listens.
    call.on('error', () => undefined);
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
        // A quiet log is no fault; a dead connection is found by the client's keep-alive.
        if (isSubscription) clearTimeout(timer);
        yield next.value;
      }
    } catch (error) {
      if (isAborted()) return;
      throw isSilent ? new EventStoreUnavailable('the event store does not answer') : readFailure(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      call.cancel();
      // One that has ended already takes no notice of that, and with answers left unread it would stay open for good.
      call.destroy();
    }
  }

  async function* streamEvents(
    stream: string,
    { fromRevision = 0, limit }: { fromRevision?: number; limit?: number },
  ): AsyncGenerator<ReadEvent> {
    const request = readStreamRequest({ stream, fromRevision, limit });
    try {
      for await (const answer of answers(request, { answerTimeoutMs: ANSWER_TIMEOUT_MS, isSubscription: false })) {
        if (answer.kind === 'event') yield answer;
      }
    } catch (error) {
      throw isStreamDeleted(error) ? new StreamTombstoned(stream) : error;
    }
  }

  async function* allEvents(after: bigint | null): AsyncGenerator<ReadEvent> {
    const request = readAllRequest({ after, isSubscription: false });
    for await (const answer of answers(request, { answerTimeoutMs: ANSWER_TIMEOUT_MS, isSubscription: false })) {
      // Reading includes the position it starts from.
      if (answer.kind === 'event' && (after === null || answer.position > after)) yield answer;
    }
  }

  const appendOnce = async (
    stream: string,
    expected: ExpectedRevision,
    proposed: EventData[],
  ): Promise<AppendResult> => {
    const result = await withTimeout(
      client.appendToStream(stream, proposed, {
        expectedRevision: expected === 'no_stream' ? NO_STREAM : BigInt(expected),
        credentials,
        deadline: appendTimeoutMs,
      }),
      // The client's deadline begins with the call; finding the server comes before it.
      appendTimeoutMs + 500,
    );
    const revision = Number(result.nextExpectedRevision);
    const position = result.position?.commit;
    if (position !== undefined) return { revision, position };
    // A repeated append may be answered without its place.
    for await (const event of streamEvents(stream, { fromRevision: revision, limit: 1 })) {
      return { revision, position: event.position };
    }
    throw new EventStoreUnavailable(`stream ${stream} cannot be read after an append`);
  };

  return {
    texts: 'sealed',
    async append(stream, expected, events) {
      const proposed = events.map(proposedOf);
      if (appendBytesOf(proposed) > MAX_APPEND_BYTES) {
        throw new AppendTooLarge(`an append to ${stream} is larger than ${MAX_APPEND_BYTES} bytes`);
      }
      let lastError: unknown;
      for (let attempt = 1; attempt <= APPEND_TRIES; attempt += 1) {
        if (attempt > 1) await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 2));
        try {
          return await appendOnce(stream, expected, proposed);
        } catch (error) {
          if (error instanceof WrongExpectedVersionError) {
            const actual = typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : null;
            throw new WrongExpectedRevision(stream, expected, actual);
          }
          lastError = error;
          logger.warn({ err: error, stream, attempt }, 'the outcome of an append is unknown');
        }
      }
      throw new AppendOutcomeUnknown(`the event store did not say whether it stored an append to ${stream}`, {
        cause: lastError,
      });
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
      const request = readAllRequest({ after, filter, isSubscription: true });
      const limits = { answerTimeoutMs: ANSWER_TIMEOUT_MS, isSubscription: true, signal };
      for await (const answer of answers(request, limits)) {
        if (answer.kind === 'event') {
          if (isDomainEvent(answer)) yield { kind: 'event', event: recordedOf(answer) };
        } else if (answer.kind === 'checkpoint') yield { kind: 'checkpoint', position: answer.position };
        else if (answer.kind === 'caught_up') yield { kind: 'caught_up' };
      }
      if (!signal.aborted) throw new EventStoreUnavailable('the event store has ended a subscription');
    },

    async lastPosition() {
      const request = lastOfAllRequest();
      for await (const answer of answers(request, { answerTimeoutMs: ANSWER_TIMEOUT_MS, isSubscription: false })) {
        if (answer.kind === 'event') return answer.position;
      }
      return null;
    },

    async ping() {
      const request = readAllRequest({ after: null, isSubscription: false });
      request.getOptions()?.setCount('1');
      for await (const answer of answers(request, { answerTimeoutMs: PING_TIMEOUT_MS, isSubscription: false })) {
        if (answer.kind === 'event') return;
      }
    },

    close: () => client.dispose(),
  };
}

/** The bytes are fixed by a copy: nobody can change the event between two tries. */
const proposedOf = (event: NewEvent): EventData =>
  jsonEvent({
    id: event.id,
    type: event.type,
    data: JSON.parse(JSON.stringify(event.data)) as Record<string, unknown>,
    metadata: JSON.parse(JSON.stringify(event.metadata)) as Record<string, unknown>,
  });

const appendBytesOf = (events: readonly EventData[]): number =>
  events.reduce(
    (sum, { type, data, metadata }) =>
      sum + 2 * type.length + Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata)),
    0,
  );

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

function optionsOf(count: number | 'subscription' | undefined): InstanceType<typeof streams.ReadReq.Options> {
  const options = new streams.ReadReq.Options()
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()))
    .setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS)
    .setResolveLinks(false);
  if (count === 'subscription') return options.setSubscription(new streams.ReadReq.Options.SubscriptionOptions());
  return options.setCount(String(count ?? Number.MAX_SAFE_INTEGER));
}

function readStreamRequest(read: { stream: string; fromRevision: number; limit: number | undefined }): ReadReq {
  const stream = new streams.ReadReq.Options.StreamOptions()
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(read.stream, 'utf8')))
    .setRevision(String(read.fromRevision));
  const options = optionsOf(read.limit).setStream(stream).setNoFilter(new shared.Empty());
  return new streams.ReadReq().setOptions(options);
}

function readAllRequest(read: {
  after: bigint | null;
  isSubscription: boolean;
  filter?: AllFilter | undefined;
}): ReadReq {
  const { after, isSubscription, filter } = read;
  const all = new streams.ReadReq.Options.AllOptions();
  if (after === null) all.setStart(new shared.Empty());
  else {
    const position = new streams.ReadReq.Options.Position();
    all.setPosition(position.setCommitPosition(String(after)).setPreparePosition(String(after)));
  }
  const options = optionsOf(isSubscription ? 'subscription' : undefined).setAll(all);
  if (isSubscription) options.setFilter(filterOptions(filter));
  else options.setNoFilter(new shared.Empty());
  return new streams.ReadReq().setOptions(options);
}

function lastOfAllRequest(): ReadReq {
  const end = new streams.ReadReq.Options.AllOptions().setEnd(new shared.Empty());
  const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;
  const options = optionsOf(1).setReadDirection(BACKWARDS).setAll(end).setNoFilter(new shared.Empty());
  return new streams.ReadReq().setOptions(options);
}

function filterOptions(filter: AllFilter | undefined): InstanceType<typeof streams.ReadReq.Options.FilterOptions> {
  const expression = new streams.ReadReq.Options.FilterOptions.Expression();
  const options = new streams.ReadReq.Options.FilterOptions()
    .setMax(SEARCH_WINDOW)
    .setCheckpointintervalmultiplier(CHECKPOINT_INTERVAL);
  if (filter === undefined) return options.setEventType(expression.setRegex(NO_SYSTEM_EVENTS));
  return 'streamPrefixes' in filter
    ? options.setStreamIdentifier(expression.setPrefixList([...filter.streamPrefixes]))
    : options.setEventType(expression.setPrefixList([...filter.eventTypePrefixes]));
}

async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new EventStoreUnavailable('the event store does not answer')), timeoutMs);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Refusals of a read keep their own kind; whatever says that the server is not there becomes one error. */
function readFailure(error: unknown): unknown {
  if (isStreamDeleted(error)) return error;
  return new EventStoreUnavailable('the event store cannot be read', { cause: error });
}

function isStreamDeleted(error: unknown): boolean {
  if (error instanceof StreamDeletedError) return true;
  if (!(error instanceof Error) || !('metadata' in error)) return false;
  const { metadata } = error as { metadata: { get?: (key: string) => unknown[] } };
  return metadata.get?.('exception')[0] === 'stream-deleted';
}
