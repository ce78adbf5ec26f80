import { rateLimited } from '../core/errors.js';

/** Lets a few in at once and keeps the others waiting in their order. */
export interface Gate {
  <T>(work: () => Promise<T>): Promise<T>;
  /** How many wait to be let in. */
  readonly waiting: () => number;
}

/** Who finds `maxWaiting` waiting is refused, and told to come back. */
export function createGate({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];
  const enter = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) {
        throw rateLimited('Too many calls of this kind at once; try again in a second.', 1);
      }
      // Whoever ends hands its place on, so nobody can slip in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
  return Object.assign(enter, { waiting: () => waiting.length });
}
