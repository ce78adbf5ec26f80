import { availableParallelism } from 'node:os';
import { createGate, type Gate } from '../../infrastructure/gate.js';
import { hashInThread, matchesInThread, type HashingPriority } from '../../infrastructure/hashing.js';

// OWASP's first choice for argon2id; written out, so that a new version of the library changes nothing unseen.
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Each takes 19 MiB and a core. One core stays free for everything else, however many sign in.
 */
const AT_ONCE = Math.min(Math.max(availableParallelism() - 1, 1), 3);
const oneOfFew = createGate({ atOnce: AT_ONCE, maxWaiting: 100 });

/**
 * For whole sign-ins: one more than are hashed looks its account up meanwhile. Whoever waits, or is refused, has not come to the
 * database: its connections are those of every other call.
 */
export const signInGate: Gate = createGate({ atOnce: AT_ONCE + 1, maxWaiting: 100 });

/** As many sign-ins wait as people alone do not cause: then every other call goes before them. */
const FLOOD = 8;
const priority = (): HashingPriority => (signInGate.waiting() >= FLOOD ? 'gives way' : 'as all');

export const hashPassword = (password: string): Promise<string> =>
  oneOfFew(() => hashInThread(password, PARAMETERS, priority()));

// The hash of a password that nobody has: an unknown address takes as long as a known one.
let nobodys: Promise<string> | undefined;

function hashOfNobody(): Promise<string> {
  const hashing = (nobodys ??= hashPassword(crypto.randomUUID()));
  // One that was refused in a flood is not the answer for good.
  hashing.catch(() => (nobodys = undefined));
  return hashing;
}

/** False for an account without a password, after the same time. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const compared = passwordHash ?? (await hashOfNobody());
  const matches = await oneOfFew(() => matchesInThread(compared, password, priority()));
  return matches && passwordHash !== null;
}
