import { Metadata, status } from '@grpc/grpc-js';
import type { Host } from './address.js';

/**
 * What a failed call means. For an append: `wrong_revision`, `tombstoned` and `too_large` are final, and nothing was written.
 * `refused`: the caller may not, and nothing was written. `elsewhere`: another node leads, nothing was written. `unknown`: it may
 * have been written, so the same events are sent again. A read that failed is repeated or `unavailable`.
 */
interface Meaning {
  readonly append: 'wrong_revision' | 'tombstoned' | 'too_large' | 'refused' | 'elsewhere' | 'unknown';
  readonly read: 'tombstoned' | 'refused' | 'elsewhere' | 'unavailable';
}

const AWAY: Meaning = { append: 'unknown', read: 'unavailable' };
const REFUSED: Meaning = { append: 'refused', read: 'refused' };

/** By the trailer `exception`, which says more than the status. */
export const BY_EXCEPTION: Readonly<Record<string, Meaning>> = {
  'not-leader': { append: 'elsewhere', read: 'elsewhere' },
  'stream-deleted': { append: 'tombstoned', read: 'tombstoned' },
  'wrong-expected-version': { append: 'wrong_revision', read: 'unavailable' },
  'maximum-append-size-exceeded': { append: 'too_large', read: 'unavailable' },
  'access-denied': REFUSED,
};

export const BY_STATUS: ReadonlyMap<status, Meaning> = new Map([
  // The connection broke or was never made, or the node has no leader, or too much to do.
  [status.UNAVAILABLE, AWAY],
  [status.DEADLINE_EXCEEDED, AWAY],
  // The server's own time limit of a write, which may come to pass later all the same.
  [status.ABORTED, AWAY],
  // The server has shut down, or this service has gone on to another leader.
  [status.CANCELLED, AWAY],
  [status.RESOURCE_EXHAUSTED, AWAY],
  // An answer that cannot be read: from a proxy, or with trailers that HTTP cannot carry.
  [status.UNKNOWN, AWAY],
  [status.INTERNAL, AWAY],
  [status.UNAUTHENTICATED, REFUSED],
  [status.PERMISSION_DENIED, REFUSED],
]);

/** What is in neither table is taken for the worst that it can be. */
export type FailureClass = Meaning & { readonly isForeseen: boolean };

export function meaningOf(error: unknown): FailureClass {
  const known = BY_EXCEPTION[trailerOf(error, 'exception') ?? ''] ?? BY_STATUS.get(codeOf(error) as status);
  return { ...(known ?? AWAY), isForeseen: known !== undefined };
}

/** Where the leader is, as a node tells that does not lead; null when it does not say. */
export function leaderNamedBy(error: unknown): Host | null {
  const name = trailerOf(error, 'leader-endpoint-host');
  const port = Number(trailerOf(error, 'leader-endpoint-port'));
  return name === null || name === '' || !Number.isInteger(port) || port < 1 || port > 65_535 ? null : { name, port };
}

/** The last revision that a server tells with a wrong expectation; null when there is no stream, or it does not say. */
export function actualRevisionOf(error: unknown): number | null {
  const actual = Number(trailerOf(error, 'actual-version') ?? -1);
  return Number.isSafeInteger(actual) && actual >= 0 ? actual : null;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

function trailerOf(error: unknown, key: string): string | null {
  if (!(error instanceof Error) || !('metadata' in error) || !(error.metadata instanceof Metadata)) return null;
  const [value] = error.metadata.get(key);
  return value === undefined ? null : value.toString();
}
