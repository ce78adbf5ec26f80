/** One event as the log keeps it. Positions and revisions are plain numbers: both stay far below 2^53. */
export interface LogRecord {
  /** Place in the whole log: monotonic, not contiguous, above zero. */
  readonly position: number;
  readonly stream: string;
  /** Place in the stream, or `TOMBSTONE_REVISION`. */
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly createdMs: number;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** An event as a client proposes it. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * 2^63 - 1 as the nearest double: the revision of a tombstone, and the `$tb` of a soft deletion. Written out through
 * `revisionText` only, so that the last digit is right.
 */
export const TOMBSTONE_REVISION = 2 ** 63;

/** What the protocol counts up to. */
export const LAST_INT64 = '9223372036854775807';

export const revisionText = (revision: number): string =>
  revision >= TOMBSTONE_REVISION ? LAST_INT64 : String(revision);

export const METADATA_TYPE = '$metadata';
export const TOMBSTONE_TYPE = '$streamDeleted';
export const SOFT_DELETION_JSON = `{"$tb":${LAST_INT64}}`;

export const isMetastream = (stream: string): boolean => stream.startsWith('$$');
export const metastreamOf = (stream: string): string => `$$${stream}`;
export const originalStreamOf = (metastream: string): string => metastream.slice(2);
