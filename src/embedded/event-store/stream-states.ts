import { LRUCache } from 'lru-cache';
import type { LogStorage, StoredStream } from './log-storage.js';
import { METADATA_TYPE, TOMBSTONE_REVISION, isMetastream, originalStreamOf, type LogRecord } from './record.js';
import { retentionOf, type Retention } from './stream-metadata.js';

/** A stream as its last committed event and its last metadata leave it. */
export interface StreamState {
  /** -1: never written to. `TOMBSTONE_REVISION`: tombstoned. */
  readonly lastRevision: number;
  readonly lastPosition: number;
  readonly metadata: Uint8Array | null;
  readonly retention: Retention;
}

export const isTombstoned = (state: StreamState): boolean => state.lastRevision >= TOMBSTONE_REVISION;

const stateOf = ({ stream, lastRevision, lastPosition, metadata }: StoredStream): StreamState => ({
  lastRevision,
  lastPosition,
  metadata,
  retention: retentionOf(stream, metadata),
});

/** Folds a record into the states that are at hand; one that isn't stays unknown. */
export function applyRecord(
  states: { get(stream: string): StreamState | undefined; set(stream: string, state: StreamState): unknown },
  record: LogRecord,
): void {
  const state = states.get(record.stream);
  if (state !== undefined) {
    states.set(record.stream, { ...state, lastRevision: record.revision, lastPosition: record.position });
  }
  if (!isMetastream(record.stream) || record.type !== METADATA_TYPE) return;
  const original = originalStreamOf(record.stream);
  const described = states.get(original);
  if (described === undefined) return;
  states.set(original, { ...described, metadata: record.data, retention: retentionOf(original, record.data) });
}

/** The states of the streams used last; what has fallen out is read from the table again. */
export interface StreamStates {
  /** For the writer, while nothing is being inserted. */
  loadForWriter(streams: readonly string[]): Promise<Map<string, StreamState>>;
  /** For readers, at any time. */
  loadForReader(stream: string): Promise<StreamState>;
  /** After each commit. */
  commit(records: readonly LogRecord[]): void;
  forgetAll(): void;
}

const STREAMS_KEPT = 50_000;
const METADATA_BYTES_KEPT = 4_096;

export function createStreamStates(storage: LogStorage): StreamStates {
  const known = new LRUCache<string, StreamState>({ max: STREAMS_KEPT });
  let commits = 0;

  const keep = (stream: string, state: StreamState): void => {
    // Somebody's megabyte of metadata is read again each time rather than kept in memory.
    if ((state.metadata?.length ?? 0) <= METADATA_BYTES_KEPT) known.set(stream, state);
    else known.delete(stream);
  };

  return {
    async loadForWriter(streams) {
      const states = new Map<string, StreamState>();
      const missing: string[] = [];
      for (const stream of new Set(streams)) {
        const state = known.get(stream);
        if (state === undefined) missing.push(stream);
        else states.set(stream, state);
      }
      if (missing.length > 0) {
        for (const stored of await storage.streams(missing, 'writer')) {
          const state = stateOf(stored);
          states.set(stored.stream, state);
          keep(stored.stream, state);
        }
      }
      return states;
    },

    async loadForReader(stream) {
      const state = known.get(stream);
      if (state !== undefined) return state;
      const commitsBefore = commits;
      const [stored] = await storage.streams([stream], 'readers');
      if (stored === undefined) throw new Error('a stream lookup answered nothing');
      const loaded = stateOf(stored);
      // What was read before a commit may be older than what that commit has put here.
      if (commits === commitsBefore) keep(stream, loaded);
      return loaded;
    },

    commit(records) {
      commits += 1;
      for (const record of records) applyRecord({ get: (stream) => known.get(stream), set: keep }, record);
    },

    forgetAll() {
      commits += 1;
      known.clear();
    },
  };
}
