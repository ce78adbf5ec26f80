import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../infrastructure/postgres/database.js';
import { progressOf } from './progress.js';
import { findRun, type Run } from './runs.js';

const LOOK_EVERY_MS = 500;
/** Proxies close what says nothing for longer. */
const SIGN_OF_LIFE_MS = 15_000;
/** A client that wants to know more after this calls again, as event streams do by themselves. */
const LONGEST_MS = 60 * 60 * 1000;

/** The progress as Server-Sent Events: one whenever it has moved, and `ended` as the last. */
export async function* progressEvents(database: Database, begun: Run, signal: AbortSignal): AsyncGenerator<string> {
  const until = Date.now() + LONGEST_MS;
  let run: Run | null = begun;
  let told = '';
  let toldAt = 0;
  yield 'retry: 2000\n\n';
  while (run !== null && !signal.aborted && Date.now() < until) {
    const data = JSON.stringify(progressOf(run));
    const isOver = run.endedAt !== null;
    if (data !== told || isOver) {
      yield `event: ${isOver ? 'ended' : 'progress'}\nid: ${run.done}\ndata: ${data}\n\n`;
      [told, toldAt] = [data, Date.now()];
    } else if (Date.now() - toldAt > SIGN_OF_LIFE_MS) {
      yield ': still running\n\n';
      toldAt = Date.now();
    }
    if (isOver) return;
    // An abort ends the wait early; the loop sees it.
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    run = await findRun(database, run.organizationId, run.id);
  }
}
