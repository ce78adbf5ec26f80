import { setInterval } from 'node:timers';
import { activityInfo, heartbeat } from '@temporalio/activity';

const HEARTBEAT_MS = 2_500;

/** Shows the server that the worker lives while the other side takes its time. Of a local activity it knows nothing. */
export async function alive<Result>(work: () => Promise<Result>): Promise<Result> {
  if (activityInfo().isLocal) return work();
  const timer = setInterval(() => heartbeat(), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
