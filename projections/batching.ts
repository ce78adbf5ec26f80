import { setImmediate as afterInput } from 'node:timers/promises';
import type { AllMessage } from '../src/infrastructure/event-store/port.js';
import { createChanges, type Changes } from './changes.js';

export interface Batch {
  readonly changes: Changes;
  readonly events: number;
  /** Of the last event in it. */
  readonly position: bigint;
}

/** Bounds the memory of a batch, and how long its transaction holds the checkpoint's row. */
const MAX_EVENTS = 5_000;

/**
 * Gathers what arrives while the batch before is being written, so batches are of one event when little happens, at once, and large
 * under load. Ends when the messages end and everything is written; throws what `write` or the messages throw.
 */
export async function writeInBatches(options: {
  readonly messages: AsyncIterable<AllMessage>;
  /** Position of the last event already written. */
  readonly after: bigint;
  readonly write: (batch: Batch) => Promise<void>;
  /** Makes the messages end. */
  readonly stop: () => void;
  readonly onCaughtUp?: () => void;
}): Promise<void> {
  const { messages, write, stop, onCaughtUp } = options;
  let gathering = createChanges();
  let events = 0;
  let taken = options.after;
  let position = options.after;
  let ended = false;
  let failed = false;
  let wakeWriter = (): void => undefined;
  let wakeReader = (): void => undefined;

  const read = async (): Promise<void> => {
    try {
      for await (const message of messages) {
        if (failed) return;
        switch (message.kind) {
          case 'event':
            if (message.event.position <= position) continue;
            gathering.apply(message.event);
            position = message.event.position;
            events++;
            break;
          case 'checkpoint':
            if (message.position <= position) continue;
            position = message.position;
            break;
          case 'caught_up':
            onCaughtUp?.();
            continue;
        }
        wakeWriter();
        if (events >= MAX_EVENTS) await new Promise<void>((resolve) => (wakeReader = resolve));
      }
    } finally {
      ended = true;
      wakeWriter();
    }
  };

  const writeAll = async (): Promise<void> => {
    try {
      for (;;) {
        if (position === taken) {
          if (ended) return;
          await new Promise<void>((resolve) => (wakeWriter = resolve));
          // What has arrived together is written together.
          await afterInput();
          continue;
        }
        const batch = { changes: gathering, events, position };
        gathering = createChanges();
        events = 0;
        taken = position;
        wakeReader();
        await write(batch);
      }
    } catch (error) {
      failed = true;
      stop();
      wakeReader();
      throw error;
    }
  };

  const [reading, writing] = await Promise.allSettled([read(), writeAll()]);
  if (writing.status === 'rejected') throw writing.reason;
  if (reading.status === 'rejected') throw reading.reason;
}
