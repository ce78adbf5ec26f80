import { TOMBSTONE_REVISION, type LogRecord } from './record.js';

/**
 * Answers of `Streams/Read`, written as protobuf by hand: an event is encoded once and the bytes are sent to whoever
 * asks. Field numbers are those of streams.proto and shared.proto.
 */
const VARINT = 0;
const BYTES = 2;

const tag = (field: number, wireType: typeof VARINT | typeof BYTES): number => (field << 3) | wireType;

function varintSize(value: number): number {
  if (value >= TOMBSTONE_REVISION) return 9;
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

function writeVarint(out: Buffer, at: number, value: number): number {
  if (value >= TOMBSTONE_REVISION) {
    out.fill(0xff, at, at + 8);
    out[at + 8] = 0x7f;
    return at + 9;
  }
  let rest = value;
  let next = at;
  while (rest >= 128) {
    out[next] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
    next += 1;
  }
  out[next] = rest;
  return next + 1;
}

const fieldSize = (length: number): number => 1 + varintSize(length) + length;

const writeHead = (out: Buffer, at: number, field: number, length: number): number => {
  out[at] = tag(field, BYTES);
  return writeVarint(out, at + 1, length);
};

const writeNumber = (out: Buffer, at: number, field: number, value: number): number => {
  out[at] = tag(field, VARINT);
  return writeVarint(out, at + 1, value);
};

const writeBytes = (out: Buffer, at: number, field: number, bytes: Uint8Array): number => {
  const start = writeHead(out, at, field, bytes.length);
  out.set(bytes, start);
  return start + bytes.length;
};

const message = (field: number, content: Buffer): Buffer => {
  const out = Buffer.allocUnsafe(fieldSize(content.length));
  writeBytes(out, 0, field, content);
  return out;
};

const mapEntry = (key: string, value: string): Buffer =>
  message(6, Buffer.concat([message(1, Buffer.from(key)), message(2, Buffer.from(value))]));

const JSON_ENTRY = mapEntry('content-type', 'application/json');
const BINARY_ENTRY = mapEntry('content-type', 'application/octet-stream');

const stringId = (id: string): Buffer => message(2, Buffer.from(id, 'latin1'));

const structuredId = (id: string): Buffer => {
  const bits = Buffer.from(id.replaceAll('-', ''), 'hex');
  const half = (field: number, value: bigint): Buffer => {
    const bytes = [tag(field, VARINT)];
    let rest = value;
    while (rest >= 128n) {
      bytes.push(Number(rest & 127n) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    return Buffer.from(bytes);
  };
  return message(1, Buffer.concat([half(1, bits.readBigUInt64BE(0)), half(2, bits.readBigUInt64BE(8))]));
};

export function encodeReadEvent(record: LogRecord, idForm: 'string' | 'structured' = 'string'): Buffer {
  const { position, revision, data, metadata } = record;
  const id = idForm === 'string' ? stringId(record.id) : structuredId(record.id);
  const stream = message(3, Buffer.from(record.stream, 'utf8'));
  const type = mapEntry('type', record.type);
  // Ticks of 100 ns are beyond 2^53, so they are put together as text.
  const created = mapEntry('created', `${record.createdMs}0000`);
  const content = record.isJson ? JSON_ENTRY : BINARY_ENTRY;
  const positionSize = varintSize(position);

  const recordedSize =
    fieldSize(id.length) +
    fieldSize(stream.length) +
    (1 + varintSize(revision)) +
    2 * (1 + positionSize) +
    type.length +
    created.length +
    content.length +
    fieldSize(metadata.length) +
    fieldSize(data.length);
  const readEventSize = fieldSize(recordedSize) + 1 + positionSize;

  const out = Buffer.allocUnsafe(fieldSize(readEventSize));
  let at = writeHead(out, 0, 1, readEventSize);
  at = writeHead(out, at, 1, recordedSize);
  at = writeBytes(out, at, 1, id);
  at = writeBytes(out, at, 2, stream);
  at = writeNumber(out, at, 3, revision);
  at = writeNumber(out, at, 4, position);
  at = writeNumber(out, at, 5, position);
  for (const part of [type, created, content]) {
    out.set(part, at);
    at += part.length;
  }
  at = writeBytes(out, at, 7, metadata);
  at = writeBytes(out, at, 8, data);
  writeNumber(out, at, 3, position);
  return out;
}

export const encodeConfirmation = (subscriptionId: string): Buffer =>
  message(2, message(1, Buffer.from(subscriptionId, 'latin1')));

export function encodeCheckpoint(position: number): Buffer {
  const content = Buffer.allocUnsafe(2 * (1 + varintSize(position)));
  writeNumber(content, writeNumber(content, 0, 1, position), 2, position);
  return message(3, content);
}

export const encodeStreamNotFound = (stream: string): Buffer =>
  message(4, message(1, message(3, Buffer.from(stream, 'utf8'))));

export const CAUGHT_UP = message(8, Buffer.alloc(0));
