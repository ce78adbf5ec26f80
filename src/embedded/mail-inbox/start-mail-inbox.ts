import { once } from 'node:events';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createInboxHttpServer } from './http.js';
import { createSmtpServer } from './smtp.js';
import { openMessageStore } from './store.js';

export interface RunningMailInbox {
  readonly smtpUrl: string;
  readonly httpUrl: string;
  stop(): Promise<void>;
}

const MAX_MESSAGES = 1_000;

const portOf = (address: unknown): number => {
  if (typeof address === 'object' && address !== null && 'port' in address && typeof address.port === 'number') {
    return address.port;
  }
  throw new Error('the mail inbox has no port');
};

/**
 * A mail server for development and tests, on 127.0.0.1: takes every mail, shows it as a page and as JSON, delivers
 * nothing. Addresses that begin with `bounce` are refused with 550. Port 0 takes any free port.
 */
export const startMailInbox = async (options: {
  readonly smtpPort: number;
  readonly httpPort: number;
  readonly dataDir: string;
  readonly logger: Logger;
  readonly maxMessages?: number;
}): Promise<RunningMailInbox> => {
  const { smtpPort, httpPort, dataDir, logger, maxMessages = MAX_MESSAGES } = options;
  const store = await openMessageStore({ folder: join(dataDir, 'messages'), maxMessages });

  const smtp = createSmtpServer(store, logger);
  smtp.listen(smtpPort, '127.0.0.1');
  await once(smtp.server, 'listening');
  const http = createInboxHttpServer(store, logger);
  http.listen(httpPort, '127.0.0.1');
  await once(http, 'listening');

  return {
    smtpUrl: `smtp://127.0.0.1:${portOf(smtp.server.address())}`,
    httpUrl: `http://127.0.0.1:${portOf(http.address())}`,
    stop: async () => {
      http.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(() => resolve())),
        new Promise<void>((resolve) => http.close(() => resolve())),
      ]);
    },
  };
};
