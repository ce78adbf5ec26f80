import { setImmediate as afterInput } from 'node:timers/promises';
import type { Recorded } from '../src/core/events.js';
import type { AllMessage } from '../src/infrastructure/event-store/port.js';
import { createChanges, type Changes } from './changes.js';

export interface Batch {
  readonly changes: Changes;
  readonly events: number;
  readonly last: Recorded | null;
  /** Of the last event in it. */
  readonly position: bigint;
}

/** An event that the read models cannot hold, or that a projection cannot read. */
export class EventNotTaken extends Error {
  override readonly name = 'EventNotTaken';
  /** Not enumerable: what logs an error would log what the event says. */
  readonly #event: Recorded;
  constructor(event: Recorded, cause: unknown) {
    const { id, type, stream, revision } = event;
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`event ${id} (${type}, revision ${revision} of ${stream}) cannot be taken: ${reason}`, { cause });
    this.#event = event;
  }
  get event(): Recorded {
    return this.#event;
  }
}

/** Bounds the memory of a batch, and how long its transaction holds the checkpoint's row. */
const MAX_EVENTS = 5_000;

const applyTo = (changes: Changes, event: Recorded): void => {
  try {
    changes.apply(event);
  } catch (error) {
    throw new EventNotTaken(event, error);
  }
};

/**
 * Gathers what arrives while the batch before is being written, so batches are of one event when little happens, at once, and large
 * under load. Ends when the messages end and everything is written; throws what `write` or the messages throw.
 */
export async function writeInBatches(options: {
  readonly messages: AsyncIterable<AllMessage>;
  /** Position of the last event already written. */
  readonly after: bigint;
  readonly write: (batch: Batch) => Promise<void>;
  /** Up to this position each event is a batch by itself, so that one that cannot be written is known. */
  readonly oneByOneUntil?: bigint;
  /** Makes the messages end. */
  readonly stop: () => void;
  readonly onCaughtUp?: () => void;
}): Promise<void> {
  const { messages, write, stop, onCaughtUp, oneByOneUntil = 0n } = options;
  let gathering = createChanges();
  let events = 0;
  let last: Recorded | null = null;
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
            applyTo(gathering, message.event);
            last = message.event;
            position = last.position;
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
        const most = position <= oneByOneUntil ? 1 : MAX_EVENTS;
        if (events >= most) await new Promise<void>((resolve) => (wakeReader = resolve));
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
        const batch = { changes: gathering, events, last, position };
        gathering = createChanges();
        events = 0;
        last = null;
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
