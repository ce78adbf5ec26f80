import { isUtf8 } from 'node:buffer';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { invalidArgument } from './errors.js';

/**
 * The generated readers believe every length they are told, and read on for four billion bytes that are not there. So the bytes
 * of a request are walked through first, by the shape of its message in streams.proto and shared.proto.
 */
type Field = 'number' | 'bytes' | 'text' | Shape;
interface Shape {
  readonly [field: number]: Field;
}

const EMPTY: Shape = {};
const ID: Shape = { 1: { 1: 'number', 2: 'number' }, 2: 'text' };
const STREAM: Shape = { 3: 'bytes' };
const MAP_ENTRY: Shape = { 1: 'text', 2: 'text' };
const PROPOSED: Shape = { 1: ID, 2: MAP_ENTRY, 3: 'bytes', 4: 'bytes' };
const WRITE_OPTIONS: Shape = { 1: STREAM, 2: 'number', 3: EMPTY, 4: EMPTY, 5: EMPTY };
const EXPRESSION: Shape = { 1: 'text', 2: 'text' };
const READ_OPTIONS: Shape = {
  1: { 1: STREAM, 2: 'number', 3: EMPTY, 4: EMPTY },
  2: { 1: { 1: 'number', 2: 'number' }, 2: EMPTY, 3: EMPTY },
  3: 'number',
  4: 'number',
  5: 'number',
  6: EMPTY,
  7: { 1: EXPRESSION, 2: EXPRESSION, 3: 'number', 4: EMPTY, 5: 'number' },
  8: EMPTY,
  9: { 1: EMPTY, 2: EMPTY },
  10: { 1: 'number' },
};
const BATCH_OPTIONS: Shape = { ...WRITE_OPTIONS, 6: { 1: 'number', 2: 'number' } };

// Each becomes an object of a hundred times its size; an append of 1 MiB in events of a sensible size stays far below.
const MAX_FIELDS = 200_000;
const MAX_VARINT_BYTES = 10;
const WIRE = { varint: 0, eightBytes: 1, delimited: 2, fourBytes: 5 } as const;

const malformed = (): Error => invalidArgument('The request is not well-formed.');

class Walk {
  readonly #bytes: Buffer;
  #at = 0;
  #fields = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** From where it stands to `end`, as a message of this shape. */
  message(shape: Shape, end: number): void {
    while (this.#at < end) {
      this.#fields += 1;
      if (this.#fields > MAX_FIELDS) throw invalidArgument(`A request has at most ${MAX_FIELDS} fields.`);
      const tag = this.#varint(end);
      if (tag < 8 || tag > 0xffff_ffff) throw malformed();
      const field = shape[Math.floor(tag / 8)];
      // The generated reader of maps takes the bytes of a field that it does not know for further fields.
      if (field === undefined && shape === MAP_ENTRY) throw malformed();
      this.#field(field, tag % 8, end);
    }
  }

  #field(field: Field | undefined, wireType: number, end: number): void {
    // A field that nobody knows may be of any kind.
    const due = field === undefined ? wireType : field === 'number' ? WIRE.varint : WIRE.delimited;
    if (wireType !== due) throw malformed();
    switch (wireType) {
      case WIRE.varint:
        this.#varint(end);
        return;
      case WIRE.eightBytes:
        this.#skip(8, end);
        return;
      case WIRE.fourBytes:
        this.#skip(4, end);
        return;
      case WIRE.delimited: {
        const length = this.#varint(end);
        const start = this.#at;
        if (typeof field !== 'object') this.#skip(length, end);
        else if (length > end - start) throw malformed();
        else this.message(field, start + length);
        if (field === 'text' && !isUtf8(this.#bytes.subarray(start, this.#at))) throw malformed();
        return;
      }
      default:
        // Groups, which proto3 does not have.
        throw malformed();
    }
  }

  #skip(length: number, end: number): void {
    if (length > end - this.#at) throw malformed();
    this.#at += length;
  }

  #varint(end: number): number {
    let value = 0;
    for (let count = 0; count < MAX_VARINT_BYTES; count += 1) {
      const byte = this.#at < end ? this.#bytes[this.#at] : undefined;
      if (byte === undefined) throw malformed();
      this.#at += 1;
      value += (byte & 0x7f) * 2 ** (7 * count);
      if (byte < 0x80) return value;
    }
    throw malformed();
  }
}

const reader =
  <Message>(type: { deserializeBinary(bytes: Uint8Array): Message }, shape: Shape) =>
  (bytes: Buffer): Message => {
    new Walk(bytes).message(shape, bytes.length);
    // A copy of its own: what is kept of it must not hold on to the buffers of the connection.
    return type.deserializeBinary(new Uint8Array(bytes));
  };

export const readRequestOf = reader(streams.ReadReq, { 1: READ_OPTIONS });
export const appendRequestOf = reader(streams.AppendReq, { 1: WRITE_OPTIONS, 2: PROPOSED });
export const deleteRequestOf = reader(streams.DeleteReq, { 1: WRITE_OPTIONS });
export const tombstoneRequestOf = reader(streams.TombstoneReq, { 1: WRITE_OPTIONS });
export const batchAppendRequestOf = reader(streams.BatchAppendReq, {
  1: ID,
  2: BATCH_OPTIONS,
  3: PROPOSED,
  4: 'number',
});
