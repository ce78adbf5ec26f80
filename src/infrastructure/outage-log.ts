import { stackOf, type Logger } from './logger.js';
import type { PartName } from './outage-cause.js';
import { describeError, isOutage } from './outage.js';

/** Something that fails again and again for one cause would otherwise say so many times a second. */
const SAY_AGAIN_MS = 30_000;
/** More than an outage has; faults that differ each time are all said. */
const MAX_CAUSES = 100;

export interface OutageLog {
  /** Says the cause, unless it has been said in the last 30 s; says nothing else of an outage, and of a fault the stack. */
  readonly failed: (error: unknown, more?: object) => void;
  /** It works again: what happens next is new. */
  readonly worked: () => void;
}

/** `message`: what it means that it fails; the cause is put behind it. `part`: the only one that can be the reason. */
export function createOutageLog(
  logger: Pick<Logger, 'warn'>,
  message: string,
  { part, clock = Date.now }: { readonly part?: PartName; readonly clock?: () => number } = {},
): OutageLog {
  const saidAt = new Map<string, number>();
  return {
    failed(error, more = {}) {
      const cause = describeError(error, part);
      const now = clock();
      if (now - (saidAt.get(cause) ?? -Infinity) < SAY_AGAIN_MS) return;
      if (saidAt.size >= MAX_CAUSES) saidAt.clear();
      saidAt.set(cause, now);
      const isFault = part === undefined && !isOutage(error);
      logger.warn({ cause, ...more, ...(isFault && { stack: stackOf(error) }) }, `${message}: ${cause}`);
    },
    worked: () => saidAt.clear(),
  };
}
