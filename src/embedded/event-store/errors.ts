import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { revisionText } from './record.js';

/** What a write expects of its stream. */
export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;

/** A refusal as the protocol tells it: a gRPC status, a text, and trailers that clients turn into typed errors. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: status;
  readonly trailers: Readonly<Record<string, string>>;
  constructor(code: status, message: string, trailers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.trailers = trailers;
  }
}

/** An append or a deletion that expected another last revision; -1 for a stream that does not exist. */
export class WrongExpectedVersion extends Error {
  override readonly name = 'WrongExpectedVersion';
  readonly stream: string;
  readonly expected: Expected;
  readonly actual: number;
  constructor(stream: string, expected: Expected, actual: number) {
    super(`stream ${stream} stands at ${actual}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The protocol's numbers for expectations that are none. */
const EXPECTED_NUMBERS = { any: -2, no_stream: -1, stream_exists: -4 } as const;

const expectedNumber = (expected: Expected): string =>
  typeof expected === 'number' ? revisionText(expected) : String(EXPECTED_NUMBERS[expected]);

export const streamDeleted = (stream: string): StoreError =>
  new StoreError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

/** How a deletion tells a wrong version; an append answers with a message of its own instead. */
const wrongVersionStatus = ({ stream, expected, actual }: WrongExpectedVersion): StoreError => {
  const wanted = expectedNumber(expected);
  return new StoreError(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${wanted}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': wanted,
      'actual-version': String(actual),
    },
  );
};

export const MAX_APPEND_BYTES = 1_048_576;

export const appendTooLarge = (): StoreError =>
  new StoreError(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });

export const invalidArgument = (message: string): StoreError => new StoreError(status.INVALID_ARGUMENT, message);
export const unimplemented = (message: string): StoreError => new StoreError(status.UNIMPLEMENTED, message);
export const deadlineExceeded = (): StoreError => new StoreError(status.DEADLINE_EXCEEDED, 'Deadline exceeded');
export const unavailable = (message: string): StoreError => new StoreError(status.UNAVAILABLE, message);

// Trailers and the status text are ASCII; a stream's name need not be.
const percentEncoded = (text: string): string =>
  text.replace(/[^\x20-\x7e]+/gu, (part) => encodeURIComponent(part.toWellFormed()));

export function toServiceError(error: unknown): ServiceError {
  const known =
    error instanceof StoreError
      ? error
      : error instanceof WrongExpectedVersion
        ? wrongVersionStatus(error)
        : new StoreError(status.UNKNOWN, 'the event store failed; its log says why');
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(known.trailers)) metadata.set(key, percentEncoded(value));
  return Object.assign(new Error(known.message), { code: known.code, details: known.message, metadata });
}
