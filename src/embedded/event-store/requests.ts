import { isUtf8 } from 'node:buffer';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { invalidArgument, unimplemented, type Expected } from './errors.js';
import { LAST_INT64, type ProposedEvent } from './record.js';

/** How the protocol's request messages are read; what they hold comes from outside and is checked here. */
const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
// Postgres keeps a stream's name in an index, whose entries end at 2,704 bytes; filters try their expressions on both.
const MAX_NAME_BYTES = 2_000;
/** -1 as an unsigned number, which is how the protocol's own libraries may say that there is no stream. */
const NO_STREAM_REVISION = 2n ** 64n - 1n;
const LINK_TYPE = '$>';

export function streamNameOf(identifier: StreamIdentifier | undefined): string {
  const bytes = Buffer.from(identifier?.getStreamName_asU8() ?? []);
  if (bytes.length === 0) throw invalidArgument('A stream needs a name.');
  if (bytes.length > MAX_NAME_BYTES) throw invalidArgument(`A stream's name is at most ${MAX_NAME_BYTES} bytes.`);
  // Each would be read as the same name.
  if (!isUtf8(bytes)) throw invalidArgument("A stream's name is UTF-8.");
  const name = bytes.toString('utf8');
  if (name.includes('\0')) throw invalidArgument("A stream's name may not hold NUL.");
  return name;
}

export function eventIdOf(id: UUID | undefined): string {
  const text = id === undefined ? '' : id.hasStructured() ? fromStructured(id) : id.getString().toLowerCase();
  if (!UUID_PATTERN.test(text)) throw invalidArgument('An event needs a UUID.');
  return text;
}

function fromStructured(id: UUID): string {
  const structured = id.getStructured();
  const half = (value: string | undefined): string =>
    BigInt.asUintN(64, BigInt(value ?? '0'))
      .toString(16)
      .padStart(16, '0');
  const hex = half(structured?.getMostSignificantBits()) + half(structured?.getLeastSignificantBits());
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

interface ProposedMessage {
  getId(): UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getCustomMetadata_asU8(): Uint8Array;
  getData_asU8(): Uint8Array;
}

export function proposedEventOf(message: ProposedMessage): ProposedEvent {
  const system = message.getMetadataMap();
  const type = system.get('type');
  const contentType = system.get('content-type');
  if (type === undefined || type === '') throw invalidArgument('An event needs a type.');
  if (Buffer.byteLength(type) > MAX_NAME_BYTES)
    throw invalidArgument(`An event's type is at most ${MAX_NAME_BYTES} bytes.`);
  if (type.includes('\0')) throw invalidArgument("An event's type may not hold NUL.");
  if (contentType === undefined) throw invalidArgument('An event needs a content type.');
  // Links are not resolved here, so none may come to exist.
  if (type === LINK_TYPE) throw unimplemented('Links between streams are not supported.');
  return {
    id: eventIdOf(message.getId()),
    type,
    isJson: contentType === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** What counts against the limit of one append. */
export const appendBytesOf = ({ data, metadata, type }: ProposedEvent): number =>
  data.length + metadata.length + 2 * type.length;

/** A count, revision or position as the protocol sends it: an unsigned 64-bit number as text. */
export const numberOf = (text: string): number => Number(text);

/** The revision that a write expects. */
export function expectedRevisionOf(text: string): Expected {
  const revision = BigInt(text);
  if (revision === NO_STREAM_REVISION) return 'no_stream';
  if (revision > BigInt(LAST_INT64)) throw invalidArgument(`A revision is at most ${LAST_INT64}.`);
  return Number(revision);
}
