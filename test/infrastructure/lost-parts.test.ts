import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { findFreePort } from '../../src/embedded/ports.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { startProgram, waitFor, type RunningProgram } from '../support/program.js';

/*
 * The programs as they run without something that they stand on: each says why, and says it once.
 */

const NOBODY = '127.0.0.1:1';

let database: TestDatabase;
let log: TestDatabase;
let eventStore: TestEventStore;
let environment: Record<string, string>;
let program: RunningProgram | undefined;

beforeAll(async () => {
  [database, log] = await Promise.all([createDatabase({ migrated: true }), createDatabase()]);
  eventStore = await startEventStore(log.url);
  const key = () => randomBytes(32).toString('base64url');
  environment = {
    ...{ DATABASE_URL: database.url, EVENTSTORE_URL: eventStore.url, SMTP_URL: inject('smtpUrl') },
    ...{ TEMPORAL_ADDRESS: inject('temporalAddress'), HOST: '127.0.0.1' },
    ...{ ADMIN_TOKEN: key(), TOKEN_SIGNING_KEY: key(), LINK_KEY: key(), ENCRYPTION_KEY: key() },
    TEMPORAL_PAYLOAD_KEY: key(),
  };
});
afterEach(async () => {
  await program?.stop();
  program = undefined;
});
afterAll(async () => {
  await eventStore.stop();
  await Promise.all([database.drop(), log.drop()]);
});

const started = (file: string, more: Readonly<Record<string, string>>): RunningProgram =>
  (program = startProgram({ file, env: { ...environment, ...more } }));
const saidBy = (running: RunningProgram, words: string): number =>
  running
    .output()
    .split('\n')
    .filter((line) => line.includes(words)).length;

it.each(['src/main.ts', 'projections/main.ts', 'workflows/main.ts'])(
  '%s waits for a database that lets nobody in, and names no user',
  async (file) => {
    const url = new URL(database.url);
    [url.username, url.password] = ['olive', 'hunter2'];
    const running = started(file, { DATABASE_URL: url.href });
    const cause = 'waiting for the database: database: wrong user or password: see DATABASE_URL';
    await waitFor(running, () => saidBy(running, cause) > 0);
    await sleep(3_000);
    expect(saidBy(running, cause)).toBe(1);
    expect(running.output()).not.toMatch(/olive|hunter/);
  },
);

it.each(['src/main.ts', 'projections/main.ts', 'workflows/main.ts'])(
  '%s waits for an event store where nobody listens, and says so once',
  async (file) => {
    const running = started(file, { EVENTSTORE_URL: `esdb://${NOBODY}?tls=false` });
    const cause = `waiting for event store and database, to see that they belong together: event store: nobody listens at ${NOBODY}`;
    await waitFor(running, () => saidBy(running, cause) > 0);
    await sleep(3_000);
    expect(saidBy(running, NOBODY)).toBe(1);
  },
);

it('the worker says once why it has no workflow server, and ends when it is told to', async () => {
  const running = started('workflows/main.ts', { TEMPORAL_ADDRESS: NOBODY });
  const cause = `waiting for the workflow server: workflow server: nobody listens at ${NOBODY}`;
  await waitFor(running, () => saidBy(running, cause) > 0);
  await sleep(3_000);
  expect(saidBy(running, cause)).toBe(1);
  await running.stop();
  expect(running.child.exitCode).toBe(0);
});

it('the API says once why it is not ready, however often it is asked; the projector why it cannot follow the log', async () => {
  const PORT = String(await findFreePort());
  const lost = `nobody listens at 127.0.0.1:${eventStore.port}`;
  const api = started('src/main.ts', { PORT, TEMPORAL_ADDRESS: NOBODY });
  await waitFor(api, () => saidBy(api, '"ready"') > 0);
  const projector = startProgram({ file: 'projections/main.ts', env: environment });
  try {
    await waitFor(projector, () => saidBy(projector, '"ready"') > 0);
    await eventStore.kill('SIGKILL');
    const cause = `resume from its checkpoint: event store: ${lost}`;
    await waitFor(projector, () => saidBy(projector, cause) > 0);
    for (let n = 0; n < 30; n += 1) {
      expect((await fetch(`http://127.0.0.1:${PORT}/health/ready`)).status).toBe(503);
    }
    expect(saidBy(api, `not ready: event store: ${lost}`)).toBe(1);
    expect(saidBy(api, `not ready: workflow server: nobody listens at ${NOBODY}`)).toBe(1);
    await sleep(3_000);
    expect(saidBy(projector, cause)).toBe(1);
  } finally {
    await projector.stop();
    await api.stop();
  }
});
