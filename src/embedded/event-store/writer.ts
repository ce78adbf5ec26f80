import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import pg from 'pg';
import type { Logger } from 'pino';
import {
  StoreError,
  WrongExpectedVersion,
  deadlineExceeded,
  streamDeleted,
  unavailable,
  type Expected,
} from './errors.js';
import type { EventLog } from './event-log.js';
import type { KnownEvent, LogStorage } from './log-storage.js';
import {
  METADATA_TYPE,
  SOFT_DELETION_JSON,
  TOMBSTONE_REVISION,
  TOMBSTONE_TYPE,
  isMetastream,
  metastreamOf,
  originalStreamOf,
  type LogRecord,
  type ProposedEvent,
} from './record.js';
import { isSoftDeleted, metadataFrom } from './stream-metadata.js';
import { applyRecord, isTombstoned, type StreamState, type StreamStates } from './stream-states.js';
import { judgeWrite } from './write-rules.js';

export interface WriteRequest {
  readonly kind: 'append' | 'soft_delete' | 'tombstone';
  readonly stream: string;
  readonly expected: Expected;
  /** Of an append; empty for the others. */
  readonly events: readonly ProposedEvent[];
  /** True once the caller has gone or its deadline has passed: then nothing may be written any more. */
  readonly isAbandoned: () => boolean;
}

export interface WriteResult {
  /** The stream's last revision after the write; -1 for an empty append to no stream. */
  readonly revision: number;
  /** Null for an append without events. */
  readonly position: number | null;
}

/** The only writer of the log: whatever has gathered while one commit runs goes into the next. */
export interface Writer {
  submit(request: WriteRequest): Promise<WriteResult>;
  /** Resolves when nothing is waiting or running any more. */
  drain(): Promise<void>;
}

interface Pending {
  readonly request: WriteRequest;
  readonly bytes: number;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: Error) => void;
}

const BATCH_REQUESTS = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;
const WAITING_BYTES = 64 * 1024 * 1024;
const RECORD_OVERHEAD_BYTES = 64;
const EMPTY = new Uint8Array(0);

const bytesOf = (events: readonly ProposedEvent[]): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length + RECORD_OVERHEAD_BYTES, 0);

export function createWriter(options: {
  storage: LogStorage;
  states: StreamStates;
  log: EventLog;
  logger: Logger;
}): Writer {
  const { storage, states, log, logger } = options;
  let waiting: Pending[] = [];
  let waitingBytes = 0;
  let running: Promise<void> | undefined;
  // After a commit that failed, memory may disagree with the table.
  let mustReload = false;

  const takeBatch = (): Pending[] => {
    let count = 0;
    let bytes = 0;
    while (count < waiting.length && count < BATCH_REQUESTS && (count === 0 || bytes < BATCH_BYTES)) {
      bytes += waiting[count]?.bytes ?? 0;
      count += 1;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    waitingBytes -= bytes;
    return batch;
  };

  const runBatch = async (batch: readonly Pending[]): Promise<void> => {
    const alive: Pending[] = [];
    for (const pending of batch) {
      if (pending.request.isAbandoned()) pending.reject(deadlineExceeded());
      else alive.push(pending);
    }
    if (alive.length === 0) return;
    try {
      if (mustReload) {
        states.forgetAll();
        const last = await storage.lastPosition();
        if (last !== log.committed()) log.publish(await readBetween(storage, log.committed(), last));
        mustReload = false;
      }
      const plan = await planBatch({ storage, states, log, batch: alive });
      if (plan.records.length > 0) {
        await storage.insert(plan.records);
        states.commit(plan.records);
        log.publish(plan.records);
      }
      for (const settle of plan.answers) settle();
    } catch (error) {
      mustReload = true;
      if (alive.length > 1 && isAboutData(error)) {
        // One of them cannot be stored, and nothing of the statement was: the others are not to fail with it.
        logger.error({ err: error, appends: alive.length }, 'a commit was refused; the appends in it go one by one');
        for (const pending of alive) await runBatch([pending]);
        return;
      }
      logger.error({ err: error, appends: alive.length }, 'a commit failed; the appends in it end as unavailable');
      for (const { reject } of alive) reject(unavailable('the commit failed'));
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.length > 0) await runBatch(takeBatch());
    running = undefined;
  };

  return {
    submit(request) {
      const bytes = bytesOf(request.events);
      if (waitingBytes + bytes > WAITING_BYTES) {
        return Promise.reject(new StoreError(status.RESOURCE_EXHAUSTED, 'too many appends are waiting'));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ request, bytes, resolve, reject });
        waitingBytes += bytes;
        running ??= run();
      });
    },
    drain: () => running ?? Promise.resolve(),
  };
}

/** Classes 22 and 23 of SQLSTATE, data exceptions and broken constraints: the statement has been refused as a whole. */
const isAboutData = (error: unknown): boolean => error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');

/** What a commit of unknown outcome did leave in the table. */
async function readBetween(storage: LogStorage, after: number, upTo: number): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (;;) {
    const last = records.at(-1)?.position ?? after;
    const page = await storage.allForwards({ after: last, upTo, limit: BATCH_REQUESTS });
    if (page.length === 0) return records;
    records.push(...page);
  }
}

const placeKey = (stream: string, eventId: string): string => `${eventId}/${stream}`;

/** Judges each request by what those before it leave behind; nothing outside sees any of it until the commit. */
async function planBatch(options: {
  storage: LogStorage;
  states: StreamStates;
  log: EventLog;
  batch: readonly Pending[];
}): Promise<{ records: LogRecord[]; answers: (() => void)[] }> {
  const { storage, states, log, batch } = options;
  const working = await loadWorkingStates(states, batch);
  const places = await loadPlaces(storage, working, batch);

  const records: LogRecord[] = [];
  const answers: (() => void)[] = [];
  const createdMs = Date.now();
  let position = log.committed();

  const stateOf = (stream: string): StreamState => {
    const state = working.get(stream);
    if (state === undefined) throw new Error('a stream was not loaded before it was judged');
    return state;
  };
  const add = (stream: string, revision: number, event: ProposedEvent): LogRecord => {
    position += RECORD_OVERHEAD_BYTES + event.data.length + event.metadata.length;
    const record: LogRecord = { ...event, position, stream, revision, createdMs };
    records.push(record);
    applyRecord(working, record);
    const key = placeKey(stream, event.id);
    const known = places.get(key);
    const place: KnownEvent = { stream, id: event.id, revision, position };
    if (known === undefined) places.set(key, [place]);
    else known.push(place);
    return record;
  };
  const addMetadata = (stream: string, data: Uint8Array): LogRecord => {
    const metastream = metastreamOf(stream);
    return add(metastream, stateOf(metastream).lastRevision + 1, {
      id: randomUUID(),
      type: METADATA_TYPE,
      isJson: true,
      data,
      metadata: EMPTY,
    });
  };

  // After a tombstone comes nothing; the reference server ends itself over such a write.
  const demandMetastream = (stream: string): void => {
    const metastream = metastreamOf(stream);
    if (isTombstoned(stateOf(metastream))) throw streamDeleted(metastream);
  };

  /** Refuses before it adds anything: what was added cannot be taken back. */
  const perform = (request: WriteRequest): WriteResult => {
    const { stream, expected, events, kind } = request;
    const before = stateOf(stream);
    const verdict = judgeWrite({
      stream,
      expected,
      eventIds: events.map(({ id }) => id),
      state: before,
      placesOf: (id) => places.get(placeKey(stream, id)) ?? [],
    });
    if (verdict.kind === 'refused') throw verdict.error;
    if (verdict.kind === 'repeated') return { revision: verdict.revision, position: verdict.position };

    if (kind === 'tombstone') {
      const tombstone = { id: randomUUID(), type: TOMBSTONE_TYPE, isJson: false, data: EMPTY, metadata: EMPTY };
      return { revision: TOMBSTONE_REVISION, position: add(stream, TOMBSTONE_REVISION, tombstone).position };
    }
    if (kind === 'soft_delete') {
      // Deleting what never was is refused even at `any`.
      if (before.lastRevision < 0 && expected !== 'stream_exists') throw new WrongExpectedVersion(stream, expected, -1);
      demandMetastream(stream);
      return { revision: before.lastRevision, position: addMetadata(stream, Buffer.from(SOFT_DELETION_JSON)).position };
    }
    if (events.length === 0) return { revision: before.lastRevision, position: null };

    const first = before.lastRevision + 1;
    const wasSoftDeleted = isSoftDeleted(before.retention);
    if (wasSoftDeleted) demandMetastream(stream);
    const described = isMetastream(stream) ? working.get(originalStreamOf(stream)) : undefined;
    const describesSoftDeleted = described !== undefined && isSoftDeleted(described.retention);
    let last: LogRecord | undefined;
    for (const [index, event] of events.entries()) last = add(stream, first + index, event);
    // Numbering goes on, and what was deleted stays hidden.
    if (wasSoftDeleted) addMetadata(stream, metadataFrom(before.metadata, first));
    if (describesSoftDeleted) {
      const original = originalStreamOf(stream);
      const now = stateOf(original);
      addMetadata(original, metadataFrom(now.metadata, now.lastRevision + 1));
    }
    return { revision: first + events.length - 1, position: last?.position ?? null };
  };

  for (const { request, resolve, reject } of batch) {
    try {
      const result = perform(request);
      answers.push(() => resolve(result));
    } catch (error) {
      if (!(error instanceof StoreError || error instanceof WrongExpectedVersion)) throw error;
      // A refusal rests on the requests before it, so it too waits for their commit.
      answers.push(() => reject(error));
    }
  }
  return { records, answers };
}

async function loadWorkingStates(states: StreamStates, batch: readonly Pending[]): Promise<Map<string, StreamState>> {
  const names = batch.flatMap(({ request: { stream } }) =>
    isMetastream(stream) ? [stream, originalStreamOf(stream)] : [stream],
  );
  const working = await states.loadForWriter(names);
  const metastreams = batch
    .filter(({ request: { kind, stream } }) => {
      const state = working.get(stream);
      return kind === 'soft_delete' || (state !== undefined && isSoftDeleted(state.retention));
    })
    .map(({ request }) => metastreamOf(request.stream))
    .filter((name) => !working.has(name));
  if (metastreams.length > 0) {
    for (const [name, state] of await states.loadForWriter(metastreams)) working.set(name, state);
  }
  return working;
}

/** Where the table already holds events of these ids; asked only for requests that may be repetitions. */
async function loadPlaces(
  storage: LogStorage,
  working: ReadonlyMap<string, StreamState>,
  batch: readonly Pending[],
): Promise<Map<string, KnownEvent[]>> {
  const ids = batch.flatMap(({ request: { stream, expected, events } }) => {
    const last = working.get(stream)?.lastRevision ?? -1;
    const expectedRevision = expected === 'no_stream' ? -1 : expected;
    const mayRepeat = last >= 0 && (typeof expectedRevision !== 'number' || expectedRevision < last);
    return mayRepeat ? events.map(({ id }) => id) : [];
  });
  const places = new Map<string, KnownEvent[]>();
  if (ids.length === 0) return places;
  for (const known of await storage.eventsById(ids)) {
    const key = placeKey(known.stream, known.id);
    const list = places.get(key);
    if (list === undefined) places.set(key, [known]);
    else list.push(known);
  }
  return places;
}
