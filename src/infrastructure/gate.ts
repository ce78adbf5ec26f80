import pLimit from 'p-limit';
import { rateLimited } from '../core/errors.js';

/** Lets a few in at once and keeps the others waiting in their order. */
export interface Gate {
  <T>(work: () => Promise<T>): Promise<T>;
  /** How many wait to be let in. */
  readonly waiting: () => number;
}

/** Who finds `maxWaiting` waiting is refused, and told to come back. */
export function createGate({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }): Gate {
  const limit = pLimit(atOnce);
  const enter = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.activeCount >= atOnce && limit.pendingCount >= maxWaiting) {
      throw rateLimited('Too many calls of this kind at once; try again in a second.', 1);
    }
    return limit(work);
  };
  return Object.assign(enter, { waiting: () => limit.pendingCount });
}
