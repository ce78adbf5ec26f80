import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { LogLocked } from './log-storage.js';
import { startEventStoreServer, type EventStoreServer } from './server.js';

/** The embedded event store as a program: one process, one port, its log in the schema `event_log`. */
const SETTINGS = z.object({
  EMBEDDED_EVENT_STORE_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  EMBEDDED_EVENT_STORE_HOST: z.string().default('127.0.0.1'),
  EMBEDDED_EVENT_STORE_DATABASE_URL: z.string().min(1),
  // The database may still be starting, and a server that was killed keeps the lock until Postgres notices.
  EMBEDDED_EVENT_STORE_START_LIMIT_MS: z.coerce.number().int().min(0).default(15_000),
  LOG_LEVEL: z.string().default('info'),
});
const START_PAUSE_MS = 250;

const logger = pino({ name: 'event-store', level: process.env['LOG_LEVEL'] ?? 'info' });

const end = (code: number): never => {
  logger.flush();
  process.exit(code);
};

const readSettings = (): z.infer<typeof SETTINGS> => {
  const parsed = SETTINGS.safeParse(process.env);
  if (parsed.success) return parsed.data;
  const broken = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  logger.fatal(`the event store cannot start: ${broken.join('; ')}`);
  return end(1);
};
const settings = readSettings();

async function start(): Promise<EventStoreServer> {
  const deadline = Date.now() + settings.EMBEDDED_EVENT_STORE_START_LIMIT_MS;
  for (;;) {
    try {
      return await startEventStoreServer({
        databaseUrl: settings.EMBEDDED_EVENT_STORE_DATABASE_URL,
        host: settings.EMBEDDED_EVENT_STORE_HOST,
        port: settings.EMBEDDED_EVENT_STORE_PORT,
        logger,
      });
    } catch (error) {
      if (Date.now() + START_PAUSE_MS < deadline && isWorthWaitingFor(error)) {
        await sleep(START_PAUSE_MS);
        continue;
      }
      logger.fatal(`the event store cannot start: ${error instanceof Error ? error.message : String(error)}`);
      return end(1);
    }
  }
}

const isWorthWaitingFor = (error: unknown): boolean => {
  if (error instanceof LogLocked) return true;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  // 57P03: Postgres is starting up; 57P01: it is going down, perhaps to come back.
  return ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ETIMEDOUT', '57P01', '57P03'].includes(String(code));
};

const server = await start();
logger.info({ port: server.port }, 'listening');

let isStopping = false;
const stop = (): void => {
  if (isStopping) return;
  isStopping = true;
  server.close().then(
    () => end(0),
    (error: unknown) => {
      logger.error({ err: error }, 'the event store did not close well');
      end(1);
    },
  );
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

const reason = await server.lost;
if (!isStopping) {
  // Without the lock another server may write; whoever supervises this process starts it again.
  logger.fatal(`the event store has lost its database: ${reason.message}`);
  end(1);
}
