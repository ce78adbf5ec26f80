import type { LogStorage } from './log-storage.js';
import type { LogRecord } from './record.js';
import { encodeReadEvent } from './wire.js';

/** A record and, once somebody has asked for it, its bytes on the wire. */
export interface LogEntry {
  readonly record: LogRecord;
  readonly encoded: () => Buffer;
}

const entryOf = (record: LogRecord): LogEntry => {
  let bytes: Buffer | undefined;
  return { record, encoded: () => (bytes ??= encodeReadEvent(record)) };
};

/** The committed log: its newest events in memory, the rest in the table, and those who wait for more. */
export interface EventLog {
  /** Position of the last committed event; 0 when there is none. */
  committed(): number;
  /** Makes committed records visible and wakes everybody who waits. */
  publish(records: readonly LogRecord[]): void;
  /** Events after `after`, oldest first; empty: there are none yet. */
  readForwards(after: number, limit: number): Promise<readonly LogEntry[]>;
  /** The next events after `after` if all of them are still in memory, else null. */
  recent(after: number, limit: number): readonly LogEntry[] | null;
  /** Resolves as soon as the log goes beyond `position`, or when `signal` aborts. */
  waitBeyond(position: number, signal: AbortSignal): Promise<void>;
}

const TAIL_EVENTS = 8_000;
const TAIL_BYTES = 24 * 1024 * 1024;
const ENTRY_OVERHEAD_BYTES = 400;
const PAGE_BYTES = 1024 * 1024;

// The record and its encoded form.
const bytesOf = ({ data, metadata }: LogRecord): number => 2 * (data.length + metadata.length) + ENTRY_OVERHEAD_BYTES;

export function createEventLog(options: { storage: LogStorage; lastPosition: number }): EventLog {
  const { storage } = options;
  let committed = options.lastPosition;
  // `tail` holds every event after `tailFrom`.
  let tail: LogEntry[] = [];
  let tailFrom = options.lastPosition;
  let tailBytes = 0;
  const waiters = new Set<() => void>();

  const trim = (): void => {
    if (tail.length <= TAIL_EVENTS && tailBytes <= TAIL_BYTES) return;
    // Down to three quarters, so that the array is not rebuilt for each event.
    let dropped = 0;
    while (
      dropped < tail.length &&
      (tail.length - dropped > (TAIL_EVENTS * 3) / 4 || tailBytes > (TAIL_BYTES * 3) / 4)
    ) {
      const entry = tail[dropped];
      if (entry === undefined) break;
      tailBytes -= bytesOf(entry.record);
      tailFrom = entry.record.position;
      dropped += 1;
    }
    tail = tail.slice(dropped);
  };

  const indexAfter = (position: number): number => {
    let low = 0;
    let high = tail.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((tail[middle]?.record.position ?? Infinity) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  // Bounded in bytes too: a page outlives the tail for as long as a slow subscriber holds it.
  const tailPage = (after: number, limit: number): readonly LogEntry[] => {
    const from = indexAfter(after);
    let to = from;
    for (let bytes = 0; to < tail.length && to - from < limit && bytes < PAGE_BYTES; to += 1) {
      const entry = tail[to];
      if (entry !== undefined) bytes += bytesOf(entry.record);
    }
    return tail.slice(from, to);
  };

  return {
    committed: () => committed,

    publish(records) {
      for (const record of records) {
        tail.push(entryOf(record));
        tailBytes += bytesOf(record);
        committed = record.position;
      }
      trim();
      const woken = [...waiters];
      waiters.clear();
      for (const wake of woken) wake();
    },

    async readForwards(after, limit) {
      if (after >= committed) return [];
      if (after >= tailFrom) return tailPage(after, limit);
      const page = await storage.allForwards({ after, upTo: committed, limit });
      return page.map(entryOf);
    },

    recent: (after, limit) => (after >= tailFrom ? tailPage(after, limit) : null),

    waitBeyond(position, signal) {
      if (committed > position || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          waiters.delete(wake);
          resolve();
        };
        signal.addEventListener('abort', leave, { once: true });
        waiters.add(wake);
      });
    },
  };
}
