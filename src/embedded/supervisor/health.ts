import { setTimeout as sleep } from 'node:timers/promises';

export interface HealthWatch {
  /** A health call: resolves when it is answered. */
  readonly answers: () => Promise<unknown>;
  readonly tickMs: number;
  /** So many ticks in a row without an answer are silence. */
  readonly ticks: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves with true when the part has fallen silent, with false when the signal ends the watch.
 *
 * Only ticks that come in time count. When the whole machine stood still (a laptop that slept, a paused virtual machine) or has
 * too much to do, our own timer is late as well, and the part is given all of its time again.
 */
export const hasFallenSilent = async ({ answers, tickMs, ticks, signal }: HealthWatch): Promise<boolean> => {
  let missed = 0;
  let isAsked = false;
  const ask = (): void => {
    isAsked = true;
    answers().then(
      () => {
        isAsked = false;
        missed = 0;
      },
      // Refused is no answer: it is asked again.
      () => (isAsked = false),
    );
  };
  while (!signal.aborted) {
    if (!isAsked) ask();
    const before = Date.now();
    await sleep(tickMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const isLate = Date.now() - before > tickMs * 1.5;
    missed = isLate ? 0 : missed + 1;
    // What has arrived meanwhile is heard first.
    await sleep(0);
    if (missed >= ticks) return true;
  }
  return false;
};
