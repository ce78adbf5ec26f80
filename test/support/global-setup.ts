import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import type { TestProject } from 'vitest/node';
import { startMailInbox } from '../../src/embedded/mail-inbox/start-mail-inbox.js';
import { startPostgres } from '../../src/embedded/postgres/start-postgres.js';
import { startTemporal } from '../../src/embedded/temporal/start-temporal.js';
import { ensureTemporalCli } from '../../src/embedded/temporal/tools.js';
import { connectDatabase } from '../../src/infrastructure/postgres/database.js';
import { migrate } from '../../src/infrastructure/postgres/migrate.js';
import { MIGRATED_DATABASE } from './database.js';
import { startEventStore } from './event-store.js';
import { compilePrograms } from './program.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Maintenance database of the run's Postgres; take a database of your own with `createDatabase()`. */
    databaseUrl: string;
    /** Shared by all files: use names of streams that nobody else uses, or `startEventStore()`. */
    eventStoreUrl: string;
    temporalAddress: string;
    smtpUrl: string;
    /** The mail inbox over HTTP: `GET /messages?to=`. */
    mailUrl: string;
    /** Where fetched server binaries are kept. */
    toolsDir: string;
  }
}

const PROJECT = join(import.meta.dirname, '..', '..');
const PROJECT_URL = new URL('../../', import.meta.url);

/** Nobody may be connected to it while it is copied. */
const makeMigrated = async (url: string, logger: Logger): Promise<void> => {
  const database = connectDatabase({ url, size: 1, logger, name: 'test-migrations' });
  await migrate(database, 'service', new URL('src/infrastructure/postgres/migrations/', PROJECT_URL));
  await migrate(database, 'read', new URL('projections/migrations/', PROJECT_URL));
  await database.end();
};

/** One of each real part for the whole run, on free ports, in a temporary folder; all stopped at the end. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const logger = pino({ level: 'warn' });
  const folder = await mkdtemp(join(tmpdir(), 'passport-test-'));
  // Under root the postgres server is another user, who has to get in.
  await chmod(folder, 0o711);
  const toolsDir = join(PROJECT, '.data', 'tools');
  const stops: (() => Promise<void>)[] = [];
  const started = <T extends { stop(): Promise<void> }>(part: T): T => {
    stops.push(() => part.stop());
    return part;
  };
  const teardown = async (): Promise<void> => {
    for (const stop of stops.reverse()) await stop();
    await rm(folder, { recursive: true, force: true });
  };

  const startStores = async () => {
    const postgres = started(
      await startPostgres({
        dataDir: join(folder, 'postgres'),
        databases: ['eventlog', MIGRATED_DATABASE],
        // The machine does not lose power in the middle of a test run; processes that are killed lose nothing by this.
        settings: {
          ...{ fsync: 'off', full_page_writes: 'off', max_connections: '500' },
          ...{ shared_buffers: '256MB', maintenance_work_mem: '256MB', max_wal_size: '2GB' },
        },
        logger,
      }),
    );
    await makeMigrated(postgres.urlFor(MIGRATED_DATABASE), logger);
    project.provide('databaseUrl', postgres.url);
    const eventStore = started(await startEventStore(postgres.urlFor('eventlog')));
    project.provide('eventStoreUrl', eventStore.url);
  };
  const startWorkflowServer = async () => {
    const { path } = await ensureTemporalCli({ toolsDir, logger });
    const temporal = started(await startTemporal({ cliPath: path, dataDir: join(folder, 'temporal'), logger }));
    project.provide('temporalAddress', temporal.address);
  };
  const startInbox = async () => {
    const inbox = started(await startMailInbox({ smtpPort: 0, httpPort: 0, dataDir: join(folder, 'mail'), logger }));
    project.provide('smtpUrl', inbox.smtpUrl);
    project.provide('mailUrl', inbox.httpUrl);
  };

  project.provide('toolsDir', toolsDir);
  const results = await Promise.allSettled([startStores(), startWorkflowServer(), startInbox(), compilePrograms()]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await teardown();
    throw failed.reason;
  }
  return teardown;
};
