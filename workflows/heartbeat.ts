import { setInterval } from 'node:timers';
import { activityInfo, heartbeat } from '@temporalio/activity';

/** Shows the server that the worker lives while its work takes time, so that one that was killed is replaced soon. */
export async function withHeartbeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const { isLocal, heartbeatTimeoutMs } = activityInfo();
  // Of a local activity the server knows nothing, and where no limit is set it misses nothing.
  if (isLocal || heartbeatTimeoutMs === undefined) return work();
  const timer = setInterval(() => heartbeat(), heartbeatTimeoutMs / 4);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
