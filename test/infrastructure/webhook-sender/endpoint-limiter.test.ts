import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createEndpointLimiter,
  type EndpointLimiter,
} from '../../../src/infrastructure/webhook-sender/endpoint-limiter.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limiterOf = (places = 256) => createEndpointLimiter({ places, clock: Date.now });

/** Takes places until there is none left. */
function fill(limiter: EndpointLimiter, endpoint: string): { leave: () => void }[] {
  const taken: { leave: () => void }[] = [];
  for (;;) {
    const place = limiter.enter(endpoint);
    if ('waitMs' in place) return taken;
    taken.push(place);
  }
}

it('lets an endpoint have some attempts in flight, and sends the others away for a while', () => {
  const limiter = limiterOf();
  expect(fill(limiter, 'one')).toHaveLength(8);
  expect([limiter.hasPlace('one'), limiter.hasPlace('other')]).toEqual([false, true]);
  const refusal = limiter.refusal('one');
  expect(refusal?.waitMs).toBeGreaterThanOrEqual(100);
  expect(fill(limiter, 'other')).toHaveLength(8);
});

it('gives one that answers quickly more and more, one that does not fewer and fewer', () => {
  const limiter = limiterOf();
  for (let round = 0; round < 10; round += 1) for (const place of fill(limiter, 'quick')) place.leave();
  expect(fill(limiter, 'quick')).toHaveLength(32);
  for (let round = 0; round < 3; round += 1) {
    const taken = fill(limiter, 'slow');
    vi.advanceTimersByTime(10_000);
    for (const place of taken) place.leave();
  }
  expect(fill(limiter, 'slow')).toHaveLength(4);
});

it('leaves half of all places to those that answer, however many do not', () => {
  const limiter = limiterOf(40);
  for (let n = 0; n < 20; n += 1) {
    fill(limiter, `dead-${n}`);
    // From here on it is known to be slow, though no attempt has ended.
    vi.advanceTimersByTime(2_100);
  }
  const takenByDead = Array.from({ length: 20 }, (_, n) => fill(limiter, `dead-${n}`)).flat();
  expect(takenByDead).toHaveLength(0);
  expect(fill(limiter, 'alive')).toHaveLength(8);
});

it('spreads those that it sends away over the time that the endpoint needs, up to a minute', () => {
  const limiter = limiterOf();
  const taken = fill(limiter, 'slow');
  vi.advanceTimersByTime(10_000);
  for (const place of taken) place.leave();
  fill(limiter, 'slow');
  const waits = Array.from({ length: 1_000 }, () => limiter.refusal('slow')?.waitMs ?? 0);
  expect(waits.slice(0, 8)).toEqual(waits.slice(0, 8).toSorted((a, b) => a - b));
  expect(new Set(waits.slice(0, 8)).size).toBe(8);
  expect(Math.max(...waits)).toBe(60_000);
});
