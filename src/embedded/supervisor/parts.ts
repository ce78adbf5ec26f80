import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres, stopOrphanedPostgres } from '../postgres/start-postgres.js';
import { startTemporal, stopOrphanedTemporal } from '../temporal/start-temporal.js';
import { ensureTemporalCli } from '../temporal/tools.js';
import { messageOf, StartError } from '../start-error.js';
import { nodeProgram, stopOrphanedPrograms, type NodeProgram } from './node-program.js';
import type { Output } from './output.js';
import type { Part } from './part.js';
import { choosePartPorts, type PartPorts } from './settings.js';

/** Addresses of everything the programs talk to, our own parts and foreign ones alike. */
export interface Backing {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  readonly smtpUrl: string;
  readonly mailUrl: string | null;
  /** What each of them runs on, for the table. */
  readonly sources: Readonly<Record<'postgres' | 'eventStore' | 'temporal' | 'mail', string>>;
}

export interface BackingOptions {
  readonly dataDir: string;
  /** Where fetched server binaries are kept. */
  readonly toolsDir: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly output: Output;
  /** Starts a part and keeps it running until the supervisor stops. */
  readonly keep: (part: Part) => Promise<void>;
}

const suffix = import.meta.url.slice(-3);
const embedded = (path: string): string => fileURLToPath(new URL(`../${path}${suffix}`, import.meta.url));

const given = (env: Readonly<NodeJS.ProcessEnv>, name: string): string | undefined => env[name] || undefined;

type StoreOptions = Omit<BackingOptions, 'toolsDir'>;

/** What a supervisor that was killed may have left running. */
export const stopLeftovers = async (dataDir: string, output: Output): Promise<void> => {
  await stopOrphanedPrograms(join(dataDir, 'pids'), output.logger);
  await stopOrphanedTemporal(join(dataDir, 'temporal'), output.logger);
  await stopOrphanedPostgres(join(dataDir, 'postgres'), output.logger);
};

/** Postgres and the event store, each unless its address is set. */
export const startStores = async (options: StoreOptions, ports: PartPorts) => {
  const { dataDir, env, output, keep } = options;
  const { logger } = output;
  let databaseUrl = given(env, 'DATABASE_URL');
  let logUrl = databaseUrl;
  let postgresSource = 'DATABASE_URL';
  if (databaseUrl === undefined) {
    const start = (signal: AbortSignal) =>
      startPostgres({
        dataDir: join(dataDir, 'postgres'),
        port: ports.postgres,
        databases: ['passport', 'eventlog'],
        logger,
        signal,
      });
    await keep({
      name: 'postgres',
      start: async (signal) => {
        const postgres = await start(signal);
        databaseUrl = postgres.urlFor('passport');
        logUrl = postgres.urlFor('eventlog');
        postgresSource = postgres.source;
        return postgres;
      },
    });
  }
  const eventStoreUrl = given(env, 'EVENTSTORE_URL') ?? `esdb://127.0.0.1:${ports.eventStore}?tls=false`;
  if (given(env, 'EVENTSTORE_URL') === undefined) {
    await keep(
      program(options, {
        name: 'event-store',
        file: embedded('event-store/main'),
        env: {
          ...env,
          EMBEDDED_EVENT_STORE_HOST: '127.0.0.1',
          EMBEDDED_EVENT_STORE_PORT: String(ports.eventStore),
          EMBEDDED_EVENT_STORE_DATABASE_URL: logUrl,
        },
        maxOldSpaceMb: 220,
        ready: { message: 'listening' },
      }),
    );
  }
  if (databaseUrl === undefined) throw new Error('no database after its start');
  return {
    databaseUrl,
    eventStoreUrl,
    postgresSource,
    eventStoreSource: given(env, 'EVENTSTORE_URL') === undefined ? 'embedded' : 'EVENTSTORE_URL',
  };
};

const program = (options: StoreOptions, definition: NodeProgram): Part =>
  nodeProgram({ program: definition, pidsDir: join(options.dataDir, 'pids'), output: options.output });

const startWorkflowServer = async (options: BackingOptions, ports: PartPorts) => {
  const { dataDir, toolsDir, env, output, keep } = options;
  const address = given(env, 'TEMPORAL_ADDRESS');
  if (address !== undefined) {
    return {
      temporalAddress: address,
      temporalUiUrl: given(env, 'TEMPORAL_UI_URL') ?? null,
      temporalSource: 'TEMPORAL_ADDRESS',
    };
  }
  const cli = await ensureTemporalCli({ toolsDir, logger: output.logger, env });
  output.logger.info({ path: cli.path, source: cli.source }, `temporal taken from ${cli.source}`);
  const namespace = given(env, 'TEMPORAL_NAMESPACE');
  await keep({
    name: 'temporal',
    start: (signal) =>
      startTemporal({
        signal,
        cliPath: cli.path,
        dataDir: join(dataDir, 'temporal'),
        port: ports.temporal,
        uiPort: ports.temporalUi,
        ...(namespace === undefined ? {} : { namespace }),
        logger: output.logger,
      }),
  });
  return {
    temporalAddress: `127.0.0.1:${ports.temporal}`,
    temporalUiUrl: `http://127.0.0.1:${ports.temporalUi}`,
    temporalSource: cli.source,
  };
};

const startInbox = async (options: BackingOptions, ports: PartPorts) => {
  const { dataDir, env, keep } = options;
  const smtpUrl = given(env, 'SMTP_URL');
  if (smtpUrl !== undefined) return { smtpUrl, mailUrl: given(env, 'MAIL_URL') ?? null, mailSource: 'SMTP_URL' };
  await keep(
    program(options, {
      name: 'mail-inbox',
      file: embedded('mail-inbox/main'),
      env: {
        ...env,
        MAIL_INBOX_SMTP_PORT: String(ports.smtp),
        MAIL_INBOX_HTTP_PORT: String(ports.mailHttp),
        MAIL_INBOX_DATA_DIR: join(dataDir, 'mail'),
      },
      maxOldSpaceMb: 96,
      ready: { message: 'ready' },
    }),
  );
  return {
    smtpUrl: `smtp://127.0.0.1:${ports.smtp}`,
    mailUrl: `http://127.0.0.1:${ports.mailHttp}`,
    mailSource: 'embedded',
  };
};

/** Starts Postgres, event store, Temporal and mail inbox, each unless its address is set; side by side where possible. */
export const startBacking = async (options: BackingOptions): Promise<Backing> => {
  const ports = await choosePartPorts(options.dataDir);
  const [stores, workflows, inbox] = await Promise.allSettled([
    startStores(options, ports),
    startWorkflowServer(options, ports),
    startInbox(options, ports),
  ]);
  // All three have settled, so whoever stops the parts now knows all that were started.
  if (stores.status === 'rejected') throw asError(stores.reason);
  if (workflows.status === 'rejected') throw asError(workflows.reason);
  if (inbox.status === 'rejected') throw asError(inbox.reason);
  const { databaseUrl, eventStoreUrl, postgresSource, eventStoreSource } = stores.value;
  const { temporalAddress, temporalUiUrl, temporalSource } = workflows.value;
  const { smtpUrl, mailUrl, mailSource } = inbox.value;
  return {
    databaseUrl,
    eventStoreUrl,
    temporalAddress,
    temporalUiUrl,
    smtpUrl,
    mailUrl,
    sources: { postgres: postgresSource, eventStore: eventStoreSource, temporal: temporalSource, mail: mailSource },
  };
};

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new StartError(messageOf(reason)));
