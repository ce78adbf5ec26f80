import { randomUUID } from 'node:crypto';
import { streamDeleted } from './errors.js';
import type { EventLog, LogEntry } from './event-log.js';
import type { Filter } from './filters.js';
import { PAGE_EVENTS, type Encode } from './reads.js';
import { TOMBSTONE_REVISION } from './record.js';
import type { Sender } from './sender.js';
import { visibleRange, type StreamReader } from './stream-reader.js';
import { createTurns } from './turns.js';
import { CAUGHT_UP, encodeCheckpoint, encodeConfirmation, encodeReadEvent } from './wire.js';

const bytesOf = (entry: LogEntry, encode: Encode): Buffer =>
  encode === encodeReadEvent ? entry.encoded() : encode(entry.record);

/**
 * The whole log after a position, then whatever comes. There is no live buffer: each subscriber walks the log with a
 * cursor of its own and sleeps at its end, so a slow one costs one page and falls behind alone.
 */
export async function subscribeToAll(options: {
  log: EventLog;
  sender: Sender;
  after: number | 'end';
  filter: Filter | null;
  encode: Encode;
}): Promise<void> {
  const { log, sender, filter, encode } = options;
  let cursor = options.after === 'end' ? log.committed() : options.after;
  let considered = 0;
  let isCaughtUp = false;
  // Where the caller knows that everything before it has been searched.
  let told = cursor;
  const turns = createTurns();
  const send = async (bytes: Buffer): Promise<void> => {
    if (!sender.send(bytes)) await sender.ready();
  };
  const tell = async (): Promise<void> => {
    told = cursor;
    await send(encodeCheckpoint(cursor));
  };

  await send(encodeConfirmation(randomUUID()));
  while (!sender.signal.aborted) {
    const page = await log.readForwards(cursor, PAGE_EVENTS);
    if (page.length === 0) {
      if (!isCaughtUp) {
        isCaughtUp = true;
        if (filter !== null && cursor > told) await tell();
        await send(CAUGHT_UP);
      }
      await log.waitBeyond(cursor, sender.signal);
      continue;
    }
    for (const entry of page) {
      const { record } = entry;
      if (filter === null || filter.passes(record)) {
        if (!sender.send(bytesOf(entry, encode))) await sender.ready();
        if (sender.signal.aborted) return;
      }
      cursor = record.position;
      considered += 1;
      if (filter !== null && considered % filter.checkpointEvery === 0) await tell();
      if (turns.isOver()) await turns.giveWay();
    }
  }
}

/** One stream after a revision, then whatever comes; ends with an error when the stream is tombstoned. */
export async function subscribeToStream(options: {
  log: EventLog;
  reader: StreamReader;
  sender: Sender;
  stream: string;
  after: number | 'end';
  encode: Encode;
}): Promise<void> {
  const { log, reader, sender, stream, encode } = options;
  const beginning = await reader.state(stream);
  let revision = options.after === 'end' ? (beginning?.lastRevision ?? -1) : options.after;
  let isCaughtUp = false;
  const send = async (bytes: Buffer): Promise<void> => {
    if (!sender.send(bytes)) await sender.ready();
  };

  await send(encodeConfirmation(randomUUID()));
  while (!sender.signal.aborted) {
    // Whatever is committed later lies behind `cursor`, so nothing is missed between the pages and the walk.
    let cursor = log.committed();
    const state = await reader.state(stream);
    if (state !== null) {
      for (;;) {
        const page = await reader.forwards(stream, visibleRange(state, Date.now()), revision + 1, PAGE_EVENTS);
        for (const record of page) {
          await send(encode(record));
          if (sender.signal.aborted) return;
          revision = record.revision;
        }
        if (page.length === 0) break;
      }
    }
    if (!isCaughtUp) {
      isCaughtUp = true;
      await send(CAUGHT_UP);
    }
    for (;;) {
      await log.waitBeyond(cursor, sender.signal);
      if (sender.signal.aborted) return;
      const recent = log.recent(cursor, PAGE_EVENTS);
      // Too far behind for memory: back to the pages of the stream.
      if (recent === null) break;
      for (const entry of recent) {
        const { record } = entry;
        cursor = record.position;
        if (record.stream !== stream || record.revision <= revision) continue;
        await send(bytesOf(entry, encode));
        if (sender.signal.aborted) return;
        revision = record.revision;
        if (revision >= TOMBSTONE_REVISION) throw streamDeleted(stream);
      }
    }
  }
}
