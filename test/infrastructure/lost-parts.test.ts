import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { findFreePort } from '../../src/embedded/ports.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startProgram, waitFor, type RunningProgram } from '../support/program.js';

/*
 * The programs as they run without something that they stand on: each says why, and says it once.
 */

const NOBODY = '127.0.0.1:1';

let database: TestDatabase;
let environment: Record<string, string>;
let program: RunningProgram | undefined;

beforeAll(async () => {
  database = await createDatabase({ migrated: true });
  const key = () => randomBytes(32).toString('base64url');
  environment = {
    ...{ DATABASE_URL: database.url, EVENTSTORE_URL: inject('eventStoreUrl'), SMTP_URL: inject('smtpUrl') },
    ...{ TEMPORAL_ADDRESS: inject('temporalAddress'), HOST: '127.0.0.1' },
    ...{ ADMIN_TOKEN: key(), TOKEN_SIGNING_KEY: key(), LINK_KEY: key(), ENCRYPTION_KEY: key() },
    TEMPORAL_PAYLOAD_KEY: key(),
  };
});
afterEach(async () => {
  await program?.stop();
  program = undefined;
});
afterAll(() => database.drop());

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

it('the API says once why it is not ready, however often it is asked', async () => {
  const PORT = String(await findFreePort());
  const running = started('src/main.ts', {
    PORT,
    EVENTSTORE_URL: `esdb://${NOBODY}?tls=false`,
    TEMPORAL_ADDRESS: NOBODY,
  });
  await waitFor(running, () => saidBy(running, '"ready"') > 0);
  for (let n = 0; n < 30; n += 1) {
    expect((await fetch(`http://127.0.0.1:${PORT}/health/ready`)).status).toBe(503);
  }
  for (const part of ['event store', 'workflow server']) {
    expect(saidBy(running, `not ready: ${part}: nobody listens at ${NOBODY}`)).toBe(1);
  }
});

it('the projector says once why it cannot follow the log', async () => {
  const running = started('projections/main.ts', { EVENTSTORE_URL: `esdb://${NOBODY}?tls=false` });
  const cause = `resume from its checkpoint: event store: nobody listens at ${NOBODY}`;
  await waitFor(running, () => saidBy(running, cause) > 0);
  await sleep(3_000);
  expect(saidBy(running, cause)).toBe(1);
  expect(saidBy(running, NOBODY)).toBeLessThanOrEqual(2);
});

it('the worker says once why it has no workflow server, and ends when it is told to', async () => {
  const running = started('workflows/main.ts', { TEMPORAL_ADDRESS: NOBODY });
  const cause = `waiting for the workflow server: workflow server: nobody listens at ${NOBODY}`;
  await waitFor(running, () => saidBy(running, cause) > 0);
  await sleep(3_000);
  expect(saidBy(running, cause)).toBe(1);
  await running.stop();
  expect(running.child.exitCode).toBe(0);
});
