import { randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino, type DestinationStream } from 'pino';
import { inject } from 'vitest';
import { runProjector } from '../../projections/projector.js';
import { buildApp } from '../../src/app.js';
import { readConfig, type Config } from '../../src/infrastructure/config.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import type { EventStore } from '../../src/infrastructure/event-store/port.js';
import { connectDatabase, type Database } from '../../src/infrastructure/postgres/database.js';
import { createPrivateTexts } from '../../src/infrastructure/private-texts/private-texts.js';
import { withPrivateTexts } from '../../src/infrastructure/event-store/private-event-store.js';
import { createProjectionWait } from '../../projections/projection-wait.js';
import { connectWorkflows, type WorkflowGateway } from '../../src/infrastructure/temporal/gateway.js';
import { joinDeployment } from '../../src/modules/deployment/joining.js';
import { PRIVATE_FIELDS } from '../../src/private-fields.js';
import { temporalPlace, type TemporalPlace } from '../../src/infrastructure/temporal/place.js';
import { createDatabase, type TestDatabase } from './database.js';
import { PAYLOAD_KEY } from './payloads.js';
import { readDescription } from './description.js';
import { startEventStore, type TestEventStore } from './event-store.js';

/** The address, the password and the token of somebody who has just signed up. */
export interface SignedUp {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

/** A member of an organization of its own, and calls with its two headers. */
export interface Brand extends SignedUp {
  readonly organizationId: string;
  readonly headers: { readonly authorization: string; readonly 'x-organization-id': string };
  readonly call: (options: Call) => Promise<Answer>;
}

export type Call = Omit<InjectOptions, 'method'> & {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
};

export interface Answer {
  readonly status: number;
  readonly headers: LightMyRequestResponse['headers'];
  readonly body: string;
  /** The parsed body; `any`, as each test knows what it asked for. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

export interface TestService {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly database: Database;
  readonly eventStore: EventStore;
  /** Kills the event store's own process, and starts another on its log and port. */
  readonly killEventStore: () => Promise<void>;
  readonly restartEventStore: () => Promise<void>;
  /** Ends every session on the service's database and lets nobody in for so long. */
  readonly closeDatabaseFor: (ms: number) => Promise<void>;
  /** What is in the service's database now, in another one. */
  readonly backUp: () => Promise<TestDatabase>;
  readonly workflows: WorkflowGateway;
  /** How histories of its workflows are read. */
  readonly temporal: TemporalPlace;
  /** The settings as an environment, to start a program of the service beside this one. */
  readonly environment: Readonly<Record<string, string>>;
  readonly call: (options: Call) => Promise<Answer>;
  readonly signUp: (email?: string) => Promise<SignedUp>;
  /** The same, and the address is known to be theirs. */
  readonly signUpProven: (email?: string) => Promise<SignedUp>;
  readonly organization: (owner: SignedUp, name?: string) => Promise<string>;
  /** Signs up, makes an organization (plan pro unless told), and answers a caller with both headers. */
  readonly asBrand: (options?: { name?: string; plan?: 'free' | 'pro' }) => Promise<Brand>;
  readonly close: () => Promise<void>;
}

/**
 * The API in this process, with a projector beside it: a database and an event store of their own; Temporal and mail are the
 * run's. A worker is not among it.
 */
export async function startService(
  options: {
    environment?: Record<string, string>;
    /** Takes every line of the log, down to the finest. */
    log?: DestinationStream;
    /** How long a call waits for a workflow. */
    callLimitMs?: number;
  } = {},
): Promise<TestService> {
  const logger =
    options.log === undefined
      ? pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
      : pino({ level: 'trace' }, options.log);
  const [serviceDatabase, logDatabase] = await Promise.all([createDatabase({ migrated: true }), createDatabase()]);
  let eventStoreProgram: TestEventStore = await startEventStore(logDatabase.url);
  const { port: eventStorePort } = eventStoreProgram;
  const key = () => randomBytes(32).toString('base64url');
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    BASE_URL: 'http://localhost:3000',
    CONSUMER_URL: 'http://localhost:3000',
    DATABASE_URL: serviceDatabase.url,
    EVENTSTORE_URL: eventStoreProgram.url,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    SMTP_URL: inject('smtpUrl'),
    ADMIN_TOKEN: key(),
    TOKEN_SIGNING_KEY: key(),
    LINK_KEY: key(),
    ENCRYPTION_KEY: key(),
    TEMPORAL_PAYLOAD_KEY: PAYLOAD_KEY,
    // A busy machine: longer than a projector ever needs.
    READ_YOUR_WRITES_MS: '10000',
    AUTH_CALLS_PER_MINUTE: '100000',
    ...options.environment,
  };
  const config = readConfig(environment);
  const database = connectDatabase({ url: config.DATABASE_URL, size: 10, logger, name: 'test' });
  const eventLog = createEventStore({ url: config.EVENTSTORE_URL, logger });
  const texts = createPrivateTexts({ database, encryptionKey: config.ENCRYPTION_KEY });
  const eventStore = withPrivateTexts(eventLog, PRIVATE_FIELDS, texts);
  const temporal = await temporalPlace(config, await joinDeployment({ database, eventStore }));
  const workflows = connectWorkflows({
    place: temporal,
    logger,
    // A busy machine: longer than a call ever needs, as a 503 here would say nothing about the service.
    callLimitMs: options.callLimitMs ?? 30_000,
  });
  const projected = createProjectionWait({ connectionString: config.DATABASE_URL, logger });
  const stopping = new AbortController();
  const writing = connectDatabase({ url: config.DATABASE_URL, size: 2, logger, name: 'test-projector' });
  const projector = runProjector({ database: writing, eventStore: eventLog, logger, signal: stopping.signal });
  const app = await buildApp({ config, logger, database, eventStore, workflows, projected, clock: Date.now });
  await app.ready();
  const description = readDescription(app.swagger());

  const call = async (options: Call): Promise<Answer> => {
    const answer = await app.inject(options);
    const contentType = String(answer.headers['content-type']);
    const json = /json/.test(contentType) ? (JSON.parse(answer.body) as unknown) : undefined;
    const stranger = description.strangerIn(options.method ?? 'GET', options.url, {
      ...{ status: answer.statusCode, contentType, json },
    });
    if (stranger !== null) throw new Error(`/openapi.json and the service differ: ${stranger}`);
    return { status: answer.statusCode, headers: answer.headers, body: answer.body, json };
  };

  const signUp = async (email = `${randomBytes(8).toString('hex')}@example.com`): Promise<SignedUp> => {
    const password = 'a long enough password';
    const payload = { email, password, displayName: 'Ana Sousa' };
    const { status, json, body } = await call({ method: 'POST', url: '/auth/signup', payload });
    if (status !== 201) throw new Error(`sign-up answered ${status}: ${body}`);
    const { userId, token } = json as { userId: string; token: string };
    return { userId, email, password, token };
  };

  const signUpProven = async (email?: string): Promise<SignedUp> => {
    const person = await signUp(email);
    await database.query('update service.accounts set email_proven_at = now() where id = $1', [person.userId]);
    return person;
  };

  const organization = async (owner: SignedUp, name = 'Nordfaden'): Promise<string> => {
    const headers = { authorization: `Bearer ${owner.token}` };
    const { status, json, body } = await call({ method: 'POST', url: '/organizations', headers, payload: { name } });
    if (status !== 201) throw new Error(`making an organization answered ${status}: ${body}`);
    return (json as { id: string }).id;
  };

  return {
    app,
    config,
    database,
    eventStore,
    killEventStore: () => eventStoreProgram.kill('SIGKILL'),
    restartEventStore: async () => {
      eventStoreProgram = await startEventStore(logDatabase.url, { port: eventStorePort });
    },
    closeDatabaseFor: (ms) => serviceDatabase.closeFor(ms),
    backUp: () => serviceDatabase.copy(),
    workflows,
    temporal,
    environment,
    call,
    signUp,
    signUpProven,
    organization,
    asBrand: async ({ name = 'Nordfaden', plan = 'pro' } = {}) => {
      const owner = await signUpProven();
      const organizationId = await organization(owner, name);
      if (plan === 'pro') {
        const url = `/admin/organizations/${organizationId}/plan`;
        const operator = { authorization: `Bearer ${config.ADMIN_TOKEN}` };
        await call({ method: 'PUT', url, headers: operator, payload: { plan } });
      }
      const headers = { authorization: `Bearer ${owner.token}`, 'x-organization-id': organizationId };
      return {
        ...owner,
        organizationId,
        headers,
        call: (options) => call({ ...options, headers: { ...headers, ...options.headers } }),
      };
    },
    close: async () => {
      await app.close();
      stopping.abort();
      await projector;
      await Promise.all([projected.close(), workflows.close(), eventStore.close(), database.end(), writing.end()]);
      await eventStoreProgram.stop();
      await serviceDatabase.drop();
      await logDatabase.drop();
    },
  };
}
