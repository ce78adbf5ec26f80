import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime, type LogLevel } from '@temporalio/worker';
import { readConfig } from '../src/infrastructure/config.js';
import { createEventStore } from '../src/infrastructure/event-store/eventstoredb.js';
import { createLogger } from '../src/infrastructure/logger.js';
import { createSecretAlarm } from '../src/infrastructure/missing-secrets.js';
import { createMailer } from '../src/infrastructure/mailer.js';
import { serveOperations } from '../src/infrastructure/operations-server.js';
import { createOutageLog } from '../src/infrastructure/outage-log.js';
import { connectDatabase, waitForDatabase } from '../src/infrastructure/postgres/database.js';
import { migrate } from '../src/infrastructure/postgres/migrate.js';
import { createPrivateTexts } from '../src/infrastructure/private-texts/private-texts.js';
import { withPrivateTexts } from '../src/infrastructure/event-store/private-event-store.js';
import { sharedReads } from '../src/infrastructure/shared-reads.js';
import { temporalPlace } from '../src/infrastructure/temporal/place.js';
import { webhookTargets } from '../src/infrastructure/webhook-sender/address-rules.js';
import { createEndpointLimiter } from '../src/infrastructure/webhook-sender/endpoint-limiter.js';
import { resolveName } from '../src/infrastructure/webhook-sender/resolve-name.js';
import { createWebhookSender } from '../src/infrastructure/webhook-sender/sender.js';
import { restoreLostRows } from '../src/lost-rows.js';
import { joinAtStart } from '../src/modules/deployment/index.js';
import { PRIVATE_FIELDS } from '../src/private-fields.js';
import { secretSealer, standingOf } from '../src/modules/webhooks/index.js';
import { createReactions } from './reactions.js';
import { runReactor } from './reactor.js';
import { createWebhookWorker, createWorker, STOP_GRACE_MS, WEBHOOK_PLACES } from './worker.js';

const MAX_RETRY_MS = 5_000;
const CONNECT_LIMIT_MS = 10_000;
/** The first attempt of a delivery is made within one, and a receiver may be silent for 10 s: nothing is wrong then. */
const LONG_WORKFLOW_TASK = 'TMPRL1104';

const config = readConfig();
const logger = createLogger('worker', config.LOG_LEVEL);

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
Runtime.install({
  // The program stops in its own order.
  shutdownSignals: [],
  telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} } },
  logger: new DefaultLogger(config.LOG_LEVEL === 'debug' ? 'DEBUG' : 'WARN', ({ level, message, meta }) => {
    if (message.includes(LONG_WORKFLOW_TASK)) return;
    logger[LEVELS[level satisfies LogLevel]](meta ?? {}, message);
  }),
});

const database = connectDatabase({ url: config.DATABASE_URL, size: config.DATABASE_POOL_SIZE, logger, name: 'worker' });
await waitForDatabase(database, logger);
await migrate(database, 'service', new URL('../src/infrastructure/postgres/migrations/', import.meta.url));
await migrate(database, 'read', new URL('../projections/migrations/', import.meta.url));
const eventStore = withPrivateTexts(
  createEventStore({ url: config.EVENTSTORE_URL, logger }),
  PRIVATE_FIELDS,
  createPrivateTexts({ database, encryptionKey: config.ENCRYPTION_KEY }),
);
const deployment = await joinAtStart({ database, eventStore, logger });
await restoreLostRows({ database, eventStore, linkKey: config.LINK_KEY });

const stopping = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stopping.abort(name));
if (process.send !== undefined) process.once('disconnect', () => stopping.abort('the parent is gone'));

const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM, database, logger });

const { HOST: host, METRICS_PORT: port } = config;
const operations =
  port === undefined ? null : await serveOperations({ host, port, follower: 'reactor', database, logger });

const { connection: access, namespace, dataConverter, queueOf } = await temporalPlace(config, deployment);
const connection = await connectToTemporal();
if (connection !== null) {
  const clock = Date.now;
  const letGo = new AbortController();
  setMaxListeners(WEBHOOK_PLACES * 3, letGo.signal);
  const place = { connection, namespace, dataConverter, queueOf, bundlePath: config.WORKFLOW_BUNDLE };
  const workers = [
    await createWorker({
      ...place,
      deps: {
        ...{ eventStore, database, mailer, clock },
        ...{ linkKey: config.LINK_KEY, baseUrl: config.BASE_URL, consumerUrl: config.CONSUMER_URL },
      },
    }),
    await createWebhookWorker({
      ...place,
      deps: {
        ...{ eventStore, database, clock },
        sealer: secretSealer(config.ENCRYPTION_KEY),
        sender: createWebhookSender({ rules: webhookTargets(config), resolve: resolveName, clock }),
        limiter: createEndpointLimiter({ places: WEBHOOK_PLACES, clock }),
        secretAlarm: createSecretAlarm({ logger, clock }),
        standingOf: sharedReads((webhookId) => standingOf(eventStore, webhookId)),
        letGo: letGo.signal,
      },
    }),
  ];
  stopping.signal.addEventListener('abort', () => {
    logger.info({ reason: String(stopping.signal.reason) }, 'stopping');
    setTimeout(() => letGo.abort(), STOP_GRACE_MS).unref();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  });
  const reactor = runReactor({
    reactions: createReactions({ eventStore, database, clock }),
    ...{ eventStore, database, logger, signal: stopping.signal },
    // The workers' own connection: what is started goes to one of them without a way through the server's queue.
    workflows: new Client({ connection, namespace, dataConverter }).workflow,
    queueOf,
  });
  // One that ends takes the other with it: the supervisor starts both again.
  const running = workers.map((worker) => worker.run().finally(() => stopping.abort('a worker has ended')));
  logger.info({ namespace, taskQueues: workers.map(({ options }) => options.taskQueue) }, 'ready');
  try {
    await Promise.all(running);
  } finally {
    await Promise.allSettled([reactor, ...running]);
    await connection.close();
  }
}
mailer.close();
await operations?.close();
await Promise.all([eventStore.close(), database.end()]);
logger.info('stopped');
process.exit(0);

/** Waits for the server: it may start after us. Null when the program is stopped before. */
async function connectToTemporal(): Promise<NativeConnection | null> {
  const waiting = createOutageLog(logger, 'waiting for the workflow server', { part: 'workflow server' });
  const { signal } = stopping;
  for (let retryMs = 250; !signal.aborted; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
    const connecting = NativeConnection.connect(access);
    // It has no limit of its own: a server that accepts and says nothing would be waited for without end, and without a word.
    const late = sleep(CONNECT_LIMIT_MS, undefined, { signal, ref: false }).then(() => {
      throw new Error('no answer in time');
    });
    try {
      return await Promise.race([connecting, late]);
    } catch (error) {
      void connecting.then(
        (connection) => connection.close(),
        () => undefined,
      );
      if (!signal.aborted) waiting.failed(error);
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}
