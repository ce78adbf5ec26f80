import type { EventLog, NewEvent, RawEvent } from '../../infrastructure/event-store/port.js';

/** How far two logs are the same, event by event. */
export interface Common {
  readonly events: number;
  /** Where the last event that both hold stands in the source; null when there is none. */
  readonly upTo: bigint | null;
  /** The destination holds all that the source holds. */
  readonly isWhole: boolean;
}

/** The destination is no copy of the source, nor the beginning of one. */
class NotACopy extends Error {
  override readonly name = 'NotACopy';
}

const MAX_BATCH_EVENTS = 500;
const MAX_BATCH_BYTES = 512 * 1_024;

/** Events of this service; those of the server itself stay where they are. */
async function* ownEvents(log: Pick<EventLog, 'readAllRaw'>, after: bigint | null): AsyncGenerator<RawEvent> {
  for await (const event of log.readAllRaw({ after })) if (!event.stream.startsWith('$')) yield event;
}

/** Compares both logs from the start, and throws at the first event of the destination that is not the source's. */
export async function compareLogs(
  source: Pick<EventLog, 'readAllRaw'>,
  destination: Pick<EventLog, 'readAllRaw'>,
  onSame: (here: RawEvent, there: RawEvent) => void,
): Promise<Common> {
  const copies = ownEvents(destination, null);
  try {
    let events = 0;
    let upTo: bigint | null = null;
    for await (const event of ownEvents(source, null)) {
      const copy = await copies.next();
      if (copy.done === true) return { events, upTo, isWhole: false };
      if (!isSame(event, copy.value)) throw notACopy(copy.value, `${placeOf(event)} was due there`);
      onSame(event, copy.value);
      events += 1;
      upTo = event.position;
    }
    const beyond = await copies.next();
    if (beyond.done !== true) throw notACopy(beyond.value, 'the source ends before it');
    return { events, upTo, isWhole: true };
  } finally {
    await copies.return(undefined);
  }
}

/** Somebody has written after `after`. */
export async function goesOn(log: Pick<EventLog, 'readAllRaw'>, after: bigint | null): Promise<boolean> {
  for await (const _event of ownEvents(log, after)) return true;
  return false;
}

const placeOf = ({ stream, revision, id }: RawEvent): string => `event ${id} (revision ${revision} of ${stream})`;

const notACopy = (event: RawEvent, why: string): NotACopy =>
  new NotACopy(
    `The destination holds other events than the source: ${placeOf(event)}, where ${why}. Name an empty one.`,
  );

const isSame = (one: RawEvent, other: RawEvent): boolean =>
  one.id === other.id &&
  one.stream === other.stream &&
  one.revision === other.revision &&
  one.type === other.type &&
  one.contentType === other.contentType &&
  Buffer.compare(one.data, other.data) === 0 &&
  Buffer.compare(one.metadata, other.metadata) === 0;

/**
 * Appends to the destination what the source holds after `after`: same ids, bytes and revisions, one append after the other, as the
 * order between streams counts. Events that follow each other in one stream go together.
 */
export async function copyLog(
  source: Pick<EventLog, 'readAllRaw'>,
  destination: Pick<EventLog, 'append'>,
  { after, onCopied }: { readonly after: bigint | null; readonly onCopied: (events: number) => void },
): Promise<void> {
  let batch: RawEvent[] = [];
  let bytes = 0;
  const append = async (): Promise<void> => {
    const [first] = batch;
    if (first === undefined) return;
    const { stream, revision: firstRevision } = first;
    const begin = firstRevision ?? 0;
    const { revision } = await destination.append(stream, begin === 0 ? 'no_stream' : begin - 1, batch.map(newEventOf));
    // A stream that was deleted there goes on counting.
    if (revision !== begin + batch.length - 1) {
      throw new NotACopy(`The destination has had a stream ${stream} before. Name an empty one.`);
    }
    onCopied(batch.length);
    [batch, bytes] = [[], 0];
  };
  for await (const event of ownEvents(source, after)) {
    const size = event.data.length + event.metadata.length;
    const isFull = batch.length === MAX_BATCH_EVENTS || bytes + size > MAX_BATCH_BYTES;
    if (isFull || batch[0]?.stream !== event.stream) await append();
    batch.push(event);
    bytes += size;
  }
  await append();
}

/** The verified history holds only JSON whose bytes are those that `JSON.stringify` makes; it was checked, and is once more. */
function newEventOf(event: RawEvent): NewEvent {
  const { id, type } = event;
  const parsed = (bytes: Uint8Array): object => {
    const value = JSON.parse(Buffer.from(bytes).toString('utf8')) as object;
    if (Buffer.from(JSON.stringify(value)).equals(bytes)) return value;
    throw new Error(`${placeOf(event)} cannot be copied byte for byte`);
  };
  return { id, type, data: parsed(event.data), metadata: parsed(event.metadata) as NewEvent['metadata'] };
}
