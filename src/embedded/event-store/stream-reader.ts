import { streamDeleted } from './errors.js';
import type { LogStorage } from './log-storage.js';
import { TOMBSTONE_REVISION, isMetastream, originalStreamOf, type LogRecord } from './record.js';
import { isSoftDeleted } from './stream-metadata.js';
import { isTombstoned, type StreamState, type StreamStates } from './stream-states.js';

/** The revisions of a stream that its metadata leaves visible. */
export interface VisibleRange {
  readonly first: number;
  readonly last: number;
  /** Events created until then have expired; null: none does. */
  readonly createdAfterMs: number | null;
}

export const visibleRange = ({ lastRevision, retention }: StreamState, nowMs: number): VisibleRange => {
  const { truncateBefore, maxCount, maxAgeMs } = retention;
  return {
    first: Math.max(truncateBefore, maxCount === null ? 0 : lastRevision - maxCount + 1, 0),
    last: lastRevision,
    createdAfterMs: maxAgeMs === null ? null : Math.max(0, nowMs - maxAgeMs),
  };
};

export interface StreamReader {
  /** Null: there is no such stream, or it is deleted. Throws for a tombstoned one, and for its metadata stream. */
  state(stream: string): Promise<StreamState | null>;
  /** Pages of at most `limit` events from `from` on, oldest first. */
  forwards(stream: string, range: VisibleRange, from: number, limit: number): Promise<LogRecord[]>;
  /** The same from `from` down, newest first. */
  backwards(stream: string, range: VisibleRange, from: number, limit: number): Promise<LogRecord[]>;
}

export function createStreamReader(options: { storage: LogStorage; states: StreamStates }): StreamReader {
  const { storage, states } = options;
  return {
    async state(stream) {
      const state = await states.loadForReader(stream);
      if (isTombstoned(state)) throw streamDeleted(stream);
      if (isMetastream(stream) && isTombstoned(await states.loadForReader(originalStreamOf(stream)))) {
        throw streamDeleted(stream);
      }
      return state.lastRevision < 0 || isSoftDeleted(state.retention) ? null : state;
    },

    async forwards(stream, { first, last, createdAfterMs }, from, limit) {
      const start = Math.max(from, first);
      if (start > last || start >= TOMBSTONE_REVISION) return [];
      return storage.streamForwards({ stream, from: start, to: last, limit, createdAfterMs });
    },

    async backwards(stream, { first, last, createdAfterMs }, from, limit) {
      const start = Math.min(from, last);
      if (start < first) return [];
      return storage.streamBackwards({ stream, from: first, to: start, limit, createdAfterMs });
    },
  };
}
