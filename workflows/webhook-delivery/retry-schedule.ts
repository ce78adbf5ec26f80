import type { AttemptKind } from '../../src/modules/webhooks/events.js';

const MINUTE_MS = 60_000;

/** From the end of a failed attempt to the next one; when the table is used up, the delivery has failed. */
const PAUSES_MS: readonly number[] = [1 * MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];

/**
 * When the next attempt is due, in milliseconds; null when there is none. `round` is 1 for the first attempt, `endedAt` when it
 * ended. No jitter, and a `Retry-After` changes nothing: receivers can rely on the times.
 */
export function nextAttemptAt(round: number, endedAt: number): number | null {
  const pauseMs = PAUSES_MS[round - 1];
  return pauseMs === undefined ? null : endedAt + pauseMs;
}

/** When the next attempt is due after this one, in milliseconds, or null. Only those of the schedule are followed by another. */
export const dueAfter = (
  kind: AttemptKind,
  round: number,
  made: { readonly at: number; readonly durationMs: number; readonly error: string | null },
): number | null =>
  kind === 'scheduled' && made.error !== null ? nextAttemptAt(round, made.at + made.durationMs) : null;

/** The answer of a receiver that wants no more. */
export const GONE = 410;

/**
 * Whoever waits wakes this much before an attempt is due, and waits for the exact moment in its place: so neither the way from the
 * server's timer to the worker nor a hundred others that are due in the same second make it late. Shorter than the first heartbeat.
 */
export const LEAD_MS = 2_400;

/** How soon a lost secret is looked for again: the longer it has been gone since the attempt was due, the later. It is no attempt. */
export const lookForSecretAfter = (dueAt: number, now: number): number =>
  Math.min(Math.max(now - dueAt, 5_000), 5 * MINUTE_MS);
