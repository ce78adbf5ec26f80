import pg from 'pg';
import type { Logger } from '../src/infrastructure/logger.js';
import { createOutageLog } from '../src/infrastructure/outage-log.js';

/** Tells when the read models have passed a position of the log: what makes a client read its own writes. */
export interface ProjectionWait {
  /** True once everything up to `position` is in the read models; false when that takes longer than `timeoutMs`. */
  waitFor(position: bigint, timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}

interface Waiter {
  readonly position: bigint;
  readonly answer: (passed: boolean) => void;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/** Listens on one connection of its own for what the projector announces; nothing is polled. */
export function createProjectionWait(options: { connectionString: string; logger: Logger }): ProjectionWait {
  const { connectionString, logger } = options;
  const listening = createOutageLog(logger, 'lost the connection that listens for the projector');
  /** By position, the nearest first. */
  const waiters: Waiter[] = [];
  let passed = -1n;
  let closed = false;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | null = null;
  let retryMs = FIRST_RETRY_MS;

  const advance = (position: bigint): void => {
    if (position <= passed) return;
    passed = position;
    const reached = placeAfter(waiters, position);
    for (const waiter of waiters.splice(0, reached)) waiter.answer(true);
  };

  const connect = async (): Promise<void> => {
    const connection = new pg.Client({
      connectionString,
      application_name: 'projection-wait',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client = connection;
    let lost = false;
    const lose = (error: Error | null): void => {
      if (lost) return;
      lost = true;
      if (client === connection) client = null;
      // Ending a connection that is broken may fail in turn, which tells nothing new.
      connection.end().catch((endError: unknown) => logger.debug({ err: endError }, 'closing a lost connection'));
      if (closed) return;
      if (error !== null) listening.failed(error);
      retry = setTimeout(() => void connect(), retryMs);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    };
    connection.on('error', lose);
    connection.on('end', () => lose(null));
    connection.on('notification', ({ payload }) => {
      if (payload !== undefined) advance(BigInt(payload));
    });
    try {
      await connection.connect();
      // Listening first: what is committed after this is announced, what was committed before is read below.
      await connection.query('listen projected');
      const { rows } = await connection.query<{ position: string }>('select position::text from read.checkpoint');
      advance(BigInt(rows[0]?.position ?? -1));
      retryMs = FIRST_RETRY_MS;
      listening.worked();
    } catch (error) {
      lose(error as Error);
    }
  };
  void connect();

  return {
    waitFor: async (position, timeoutMs) => {
      if (position <= passed) return true;
      if (closed || timeoutMs <= 0) return false;
      return new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          answer: (reached) => {
            clearTimeout(timer);
            resolve(reached);
          },
        };
        const timer = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1);
          resolve(false);
        }, timeoutMs);
        // Positions mostly rise, so the place is mostly the end.
        waiters.splice(placeAfter(waiters, position), 0, waiter);
      });
    },
    close: async () => {
      closed = true;
      if (retry !== null) clearTimeout(retry);
      for (const waiter of waiters.splice(0)) waiter.answer(false);
      const connection = client;
      client = null;
      await connection?.end();
    },
  };
}

/** How many waiters stand at or before the position. */
function placeAfter(waiters: readonly Waiter[], position: bigint): number {
  let low = 0;
  let high = waiters.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((waiters[middle]?.position ?? position) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
