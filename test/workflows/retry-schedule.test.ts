import { expect, it } from 'vitest';
import { nextAttemptAt } from '../../workflows/webhook-delivery/retry-schedule.js';

const ENDED_AT = Date.UTC(2026, 10, 21, 12);
const MINUTES = 60_000;

it.each([
  [1, 1],
  [2, 5],
  [3, 30],
])('tries again after attempt %i has failed: %i minutes after its end', (round, minutes) => {
  expect(nextAttemptAt(round, ENDED_AT)).toBe(ENDED_AT + minutes * MINUTES);
});

it('makes four attempts and no more', () => {
  expect(nextAttemptAt(4, ENDED_AT)).toBeNull();
});
