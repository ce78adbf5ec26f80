import type { EventLog } from './event-log.js';
import type { Filter } from './filters.js';
import type { LogStorage } from './log-storage.js';
import type { LogRecord } from './record.js';
import type { Sender } from './sender.js';
import { visibleRange, type StreamReader } from './stream-reader.js';
import { createTurns } from './turns.js';
import { encodeStreamNotFound } from './wire.js';

export const PAGE_EVENTS = 500;

export type Direction = 'forwards' | 'backwards';
export type Encode = (record: LogRecord) => Buffer;

export interface StreamRead {
  readonly stream: string;
  readonly direction: Direction;
  /** `end` for backwards only: the last event. */
  readonly from: number | 'start' | 'end';
  readonly maxCount: number;
  readonly encode: Encode;
}

/** One stream, up to its present end. */
export async function readStream(options: { reader: StreamReader; sender: Sender; read: StreamRead }): Promise<void> {
  const { reader, sender, read } = options;
  const { stream, direction, encode } = read;
  const state = await reader.state(stream);
  if (state === null) {
    sender.send(encodeStreamNotFound(stream));
    return;
  }
  const range = visibleRange(state, Date.now());
  let left = read.maxCount;
  let from = startOf(read);
  while (left > 0 && !sender.signal.aborted) {
    const limit = Math.min(left, PAGE_EVENTS);
    const page =
      direction === 'forwards'
        ? await reader.forwards(stream, range, from, limit)
        : await reader.backwards(stream, range, from, limit);
    const last = page.at(-1);
    if (last === undefined) return;
    for (const record of page) if (!sender.send(encode(record))) await sender.ready();
    left -= page.length;
    from = direction === 'forwards' ? last.revision + 1 : last.revision - 1;
  }
}

const startOf = ({ from, direction }: StreamRead): number => {
  if (typeof from === 'number') return from;
  if (direction === 'forwards') return from === 'start' ? 0 : Infinity;
  return from === 'end' ? Infinity : 0;
};

export interface AllRead {
  readonly direction: Direction;
  /** Forwards from the position on, backwards from before it. */
  readonly from: number | 'start' | 'end';
  readonly maxCount: number;
  readonly filter: Filter | null;
  readonly encode: Encode;
}

/** The whole log, up to where it ends now; from the table and never from memory, so that an auditor sees what is stored. */
export async function readAll(options: {
  log: EventLog;
  storage: LogStorage;
  sender: Sender;
  read: AllRead;
}): Promise<void> {
  const { log, storage, sender, read } = options;
  const { direction, from, filter, encode } = read;
  const end = log.committed();
  let left = read.maxCount;
  const turns = createTurns();
  const sendPage = async (page: readonly LogRecord[]): Promise<void> => {
    for (const record of page) {
      if (left <= 0) return;
      if (turns.isOver()) await turns.giveWay();
      if (filter !== null && !filter.passes(record)) continue;
      left -= 1;
      if (!sender.send(encode(record))) await sender.ready();
    }
  };

  if (direction === 'forwards') {
    let after = from === 'start' ? 0 : from === 'end' ? end : from - 1;
    while (left > 0 && after < end && !sender.signal.aborted) {
      const limit = filter === null ? Math.min(left, PAGE_EVENTS) : PAGE_EVENTS;
      const page = await storage.allForwards({ after, upTo: end, limit });
      await sendPage(page);
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.position;
    }
    return;
  }

  let before = from === 'start' ? 0 : from === 'end' ? end + 1 : Math.min(from, end + 1);
  while (left > 0 && !sender.signal.aborted) {
    const limit = filter === null ? Math.min(left, PAGE_EVENTS) : PAGE_EVENTS;
    const page = await storage.allBackwards({ before, limit });
    await sendPage(page);
    const last = page.at(-1);
    if (last === undefined) return;
    before = last.position;
  }
}
