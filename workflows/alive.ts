import { setInterval } from 'node:timers';
import { heartbeat } from '@temporalio/activity';

const HEARTBEAT_MS = 1_500;

/** Shows the server that the worker lives while the other side takes its time. */
export async function alive<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
