import { readConfig } from '../src/infrastructure/config.js';
import { createEventStore } from '../src/infrastructure/event-store/eventstoredb.js';
import { createLogger } from '../src/infrastructure/logger.js';
import { serveOperations } from '../src/infrastructure/operations-server.js';
import { connectDatabase, waitForDatabase } from '../src/infrastructure/postgres/database.js';
import { migrate } from '../src/infrastructure/postgres/migrate.js';
import { joinAtStart } from '../src/modules/deployment/index.js';
import { runProjector } from './projector.js';

const config = readConfig();
const logger = createLogger('projector', config.LOG_LEVEL);
const database = connectDatabase({ url: config.DATABASE_URL, size: 2, logger, name: 'projector' });
const eventStore = createEventStore({ url: config.EVENTSTORE_URL, logger });

await waitForDatabase(database, logger);
await migrate(database, 'service', new URL('../src/infrastructure/postgres/migrations/', import.meta.url));
await migrate(database, 'read', new URL('./migrations/', import.meta.url));
await joinAtStart({ database, eventStore, logger });

const stopping = new AbortController();
const stop = (): void => stopping.abort();
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// The supervisor is gone, and with it everything that this program works with.
if (process.send !== undefined) process.once('disconnect', stop);

const { HOST: host, METRICS_PORT: port } = config;
const operations =
  port === undefined ? null : await serveOperations({ host, port, follower: 'projector', database, logger });
logger.info('ready');
await runProjector({ database, eventStore, logger, signal: stopping.signal });
await operations?.close();
await Promise.all([eventStore.close(), database.end()]);
logger.info('stopped');
