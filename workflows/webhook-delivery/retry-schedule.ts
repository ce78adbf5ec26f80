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
 * A workflow wakes this much before an attempt is due, and the activity waits for the exact moment: so the way from the timer
 * to the worker makes no attempt late.
 */
export const LEAD_MS = 500;
