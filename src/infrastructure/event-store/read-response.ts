/**
 * Decodes the answers of `Streams/Read` down to the stored bytes: the client parses JSON, and whoever checks hashes needs
 * what was stored. Field numbers are those of streams.proto; unknown fields are skipped, as protobuf demands.
 */
export interface ReadEvent {
  readonly kind: 'event';
  readonly id: string;
  readonly stream: string;
  /** Null for a tombstone, whose number is beyond a double's reach. */
  readonly revision: number | null;
  readonly position: bigint;
  readonly type: string;
  readonly contentType: string;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

export type ReadAnswer =
  | ReadEvent
  | { readonly kind: 'confirmation' }
  | { readonly kind: 'checkpoint'; readonly position: bigint }
  | { readonly kind: 'stream_not_found' }
  | { readonly kind: 'caught_up' }
  | { readonly kind: 'other' };

const EMPTY = Buffer.alloc(0);

interface Field {
  readonly number: number;
  /** Of a varint field. */
  readonly value: bigint;
  /** Of a length-delimited field. */
  readonly bytes: Buffer;
}

class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

/** Calls `visit` for each field of a message. */
function eachField(message: Buffer, visit: (field: Field) => void): void {
  let at = 0;
  const byte = (): number => {
    const value = message[at];
    if (value === undefined) throw new MalformedAnswer('an answer of the event store ends too early');
    at += 1;
    return value;
  };
  // Up to 28 bits as plain arithmetic; only positions and revisions go beyond.
  const varint = (): number | bigint => {
    let small = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const part = byte();
      small |= (part & 0x7f) << shift;
      if (part < 0x80) return small;
    }
    let large = BigInt(small);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const part = byte();
      large |= BigInt(part & 0x7f) << shift;
      if (part < 0x80) return large;
    }
    throw new MalformedAnswer('a number in an answer of the event store is too long');
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        visit({ number, value: BigInt(varint()), bytes: EMPTY });
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const length = Number(varint());
        if (at + length > message.length) throw new MalformedAnswer('an answer of the event store ends too early');
        visit({ number, value: 0n, bytes: message.subarray(at, at + length) });
        at += length;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        throw new MalformedAnswer('an answer of the event store has an unknown wire type');
    }
  }
}

const stringField = (message: Buffer, wanted: number): string => {
  let text = '';
  eachField(message, ({ number, bytes }) => {
    if (number === wanted) text = bytes.toString('utf8');
  });
  return text;
};

function decodeMapEntry(entry: Buffer): { key: string; value: string } {
  let key = '';
  let value = '';
  eachField(entry, ({ number, bytes }) => {
    if (number === 1) key = bytes.toString('utf8');
    else if (number === 2) value = bytes.toString('utf8');
  });
  return { key, value };
}

function decodeRecorded(message: Buffer): ReadEvent {
  let id = '';
  let stream = '';
  let revision = 0n;
  let position = 0n;
  let type = '';
  let contentType = 'application/octet-stream';
  let metadata: Buffer = EMPTY;
  let data: Buffer = EMPTY;
  eachField(message, ({ number, value, bytes }) => {
    switch (number) {
      case 1:
        id = stringField(bytes, 2);
        break;
      case 2:
        stream = stringField(bytes, 3);
        break;
      case 3:
        revision = value;
        break;
      case 5:
        position = value;
        break;
      case 6: {
        const entry = decodeMapEntry(bytes);
        if (entry.key === 'type') type = entry.value;
        else if (entry.key === 'content-type') contentType = entry.value;
        break;
      }
      case 7:
        metadata = bytes;
        break;
      case 8:
        data = bytes;
        break;
      default:
        break;
    }
  });
  const exact = revision <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(revision) : null;
  return { kind: 'event', id, stream, revision: exact, position, type, contentType, data, metadata };
}

function decodeReadEvent(message: Buffer): ReadAnswer {
  let recorded: Buffer | undefined;
  eachField(message, ({ number, bytes }) => {
    if (number === 1) recorded = bytes;
  });
  return recorded === undefined ? { kind: 'other' } : decodeRecorded(recorded);
}

export function decodeReadAnswer(message: Buffer): ReadAnswer {
  let answer: ReadAnswer = { kind: 'other' };
  eachField(message, ({ number, bytes }) => {
    switch (number) {
      case 1:
        answer = decodeReadEvent(bytes);
        break;
      case 2:
        answer = { kind: 'confirmation' };
        break;
      case 3: {
        let position = 0n;
        eachField(bytes, (field) => {
          if (field.number === 1) position = field.value;
        });
        answer = { kind: 'checkpoint', position };
        break;
      }
      case 4:
        answer = { kind: 'stream_not_found' };
        break;
      case 8:
        answer = { kind: 'caught_up' };
        break;
      default:
        break;
    }
  });
  return answer;
}
