import { setTimeout as sleep } from 'node:timers/promises';
import { startHousekeeping } from './housekeeping.js';
import { buildApp } from './app.js';

import { restoreLostRows } from './lost-rows.js';
import { readConfig } from './infrastructure/config.js';
import { createEventStore } from './infrastructure/event-store/eventstoredb.js';
import { createLogger } from './infrastructure/logger.js';
import { startMailOutboxes } from './infrastructure/mail-outbox.js';
import { createMailer } from './infrastructure/mailer.js';
import { connectDatabase, waitForDatabase } from './infrastructure/postgres/database.js';
import { migrate } from './infrastructure/postgres/migrate.js';
import { createPrivateTexts } from './infrastructure/private-texts/private-texts.js';
import { withPrivateTexts } from './infrastructure/event-store/private-event-store.js';
import { createProjectionWait } from '../projections/projection-wait.js';
import { connectWorkflows } from './infrastructure/temporal/gateway.js';
import { temporalPlace } from './infrastructure/temporal/place.js';
import { linkMails } from './modules/accounts/index.js';
import { joinAtStart } from './modules/deployment/index.js';
import { memberMails } from './modules/members/index.js';
import { PRIVATE_FIELDS } from './private-fields.js';

/** Calls under way get this long to end. */
const GRACE_MS = 8_000;

const config = readConfig();
const logger = createLogger('api', config.LOG_LEVEL);

const database = connectDatabase({ url: config.DATABASE_URL, size: config.DATABASE_POOL_SIZE, logger, name: 'api' });
await waitForDatabase(database, logger);
// The projector brings its own; whoever starts first makes them, so that no call meets a missing table.
await migrate(database, 'service', new URL('./infrastructure/postgres/migrations/', import.meta.url));
await migrate(database, 'read', new URL('../projections/migrations/', import.meta.url));

const eventStore = withPrivateTexts(
  createEventStore({ url: config.EVENTSTORE_URL, logger }),
  PRIVATE_FIELDS,
  createPrivateTexts({ database, encryptionKey: config.ENCRYPTION_KEY }),
);
const deployment = await joinAtStart({ database, eventStore, logger });
await restoreLostRows({ database, eventStore, linkKey: config.LINK_KEY });
const workflows = connectWorkflows({ place: await temporalPlace(config, deployment), logger });
const projected = createProjectionWait({ connectionString: config.DATABASE_URL, logger });
const app = await buildApp({ config, logger, database, eventStore, workflows, projected, clock: Date.now });
const housekeeping = startHousekeeping({ database, eventStore }, logger);
const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM, database, logger });
const post = { database, linkKey: config.LINK_KEY, baseUrl: config.BASE_URL };
const mails = startMailOutboxes({ outboxes: [linkMails(post), memberMails(post)], mailer, logger });

let closing = false;
const close = async (reason: string): Promise<void> => {
  if (closing) return;
  closing = true;
  logger.info({ reason }, 'stopping');
  void sleep(GRACE_MS, undefined, { ref: false }).then(() => {
    logger.error('calls under way did not end in time');
    process.exit(1);
  });
  // No new calls, then the old ones, then what they used.
  await app.close();
  housekeeping.stop();
  await mails.stop();
  mailer.close();
  await Promise.all([projected.close(), eventStore.close(), workflows.close(), database.end()]);
  logger.info('stopped');
  process.exit(0);
};

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close(signal));
if (process.send !== undefined) process.once('disconnect', () => void close('the parent is gone'));

await app.listen({ host: config.HOST, port: config.PORT });
logger.info({ addresses: app.addresses() }, 'ready');
