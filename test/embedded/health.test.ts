import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasFallenSilent } from '../../src/embedded/supervisor/health.js';

const TICK_MS = 100;
const TICKS = 5;
const never = (): Promise<never> => new Promise(() => undefined);

/** What is known of the part after so long. */
const after = async (ms: number, answers: () => Promise<unknown>, meanwhile: () => void = () => undefined) => {
  const watching = new AbortController();
  const silent = hasFallenSilent({ answers, tickMs: TICK_MS, ticks: TICKS, signal: watching.signal });
  meanwhile();
  const found = await Promise.race([silent, sleep(ms, 'still watched')]);
  watching.abort();
  return { found, atLast: await silent };
};

const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

describe('a part', () => {
  it('that answers is well', async () => {
    expect(await after(1_000, () => Promise.resolve())).toEqual({ found: 'still watched', atLast: false });
  });

  it('that answers late, but answers, is well', async () => {
    expect(await after(1_000, () => sleep(2 * TICK_MS))).toEqual({ found: 'still watched', atLast: false });
  });

  it('that does not answer has fallen silent after its time', async () => {
    const begun = Date.now();
    expect(await after(5_000, never)).toEqual({ found: true, atLast: true });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(TICKS * TICK_MS - 5);
  });

  it('that refuses every call has fallen silent too', async () => {
    expect(await after(5_000, () => Promise.reject(new Error('refused')))).toEqual({ found: true, atLast: true });
  });

  it('is given all of its time again when we stood still ourselves', async () => {
    const stillMs = 10 * TICK_MS;
    const almostMs = (TICKS - 0.5) * TICK_MS;
    const meanwhile = () => void setTimeout(() => standStill(stillMs), almostMs);
    const { found } = await after(almostMs + stillMs + (TICKS - 3) * TICK_MS, never, meanwhile);
    expect(found).toBe('still watched');
  });
});
