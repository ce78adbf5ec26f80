import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '../../core/errors.js';

// OWASP's first choice for argon2id; written out, so that a new version of the library changes nothing unseen.
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Each takes 19 MiB and, off the event loop, a thread of the pool that files and name lookups share. One core stays free for
 * everything else, however many sign in.
 */
const AT_ONCE = Math.min(Math.max(availableParallelism() - 1, 1), 3);
const MAX_WAITING = 100;

let running = 0;
const waiting: (() => void)[] = [];

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) {
      throw new Refusal('rate_limited', 'Too many sign-ins at once; try again in a second.', {
        extra: { retryAfterS: 1 },
      });
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
}

export const hashPassword = (password: string): Promise<string> => oneOfFew(() => hash(password, PARAMETERS));

// The hash of a password that nobody has: an unknown address takes as long as a known one.
let nobodys: Promise<string> | undefined;

/** False for an account without a password, after the same time. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const compared = passwordHash ?? (await (nobodys ??= hashPassword(crypto.randomUUID())));
  const matches = await oneOfFew(() => verify(compared, password));
  return matches && passwordHash !== null;
}
