import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCheckpoint } from '../../projections/checkpoint.js';
import { runProjector } from '../../projections/projector.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog } from '../../src/infrastructure/event-store/port.js';
import type { Database } from '../../src/infrastructure/postgres/database.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { startProgram } from '../support/program.js';
import { allRows, createReadModels, empty, logger, newEvent, writeBatch, type ReadModels } from './read-models.js';
import { batchCreated, productCreated, STORY } from './story.js';

/** Appends the story again and again, each time under ids of its own. */
async function appendStories(eventStore: EventLog, name: string, times: number): Promise<bigint> {
  let position = 0n;
  for (let time = 0; time < times; time++) {
    const renamed = STORY.map((event) => ({
      type: event.type,
      data: JSON.parse(
        JSON.stringify(event.data).replaceAll(/"((?:org|prd|sup|bat|dpp|req|fac|whk|dlv)_)/g, `"$1${name}${time}_`),
      ) as object,
    }));
    const appended = await eventStore.append(
      `test-${name}-${time}`,
      'no_stream',
      renamed.map((event) => newEvent(event)),
    );
    position = appended.position;
  }
  return position;
}

/** What a projector without any interruption would have written: each call goes on where the one before has ended. */
function uninterrupted(models: ReadModels): (eventStore: EventLog) => Promise<Record<string, unknown[]>> {
  let after: bigint | null = null;
  return async (eventStore) => {
    const events = [];
    for await (const event of eventStore.readAll({ after })) events.push(event);
    await writeBatch(models.database, events);
    after = events.at(-1)?.position ?? after;
    return allRows(models.database);
  };
}

async function until(condition: () => Promise<boolean>, limitMs = 15_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${limitMs} ms`);
    await sleep(5);
  }
}

const reached = (database: Database, position: bigint) => async (): Promise<boolean> =>
  (await readCheckpoint(database)) >= position;

describe('the projector', () => {
  let models: ReadModels;
  let reference: ReadModels;
  let expectedRows: ReturnType<typeof uninterrupted>;
  let log: TestDatabase;
  let server: TestEventStore;
  let eventStore: EventLog;
  const running: (() => Promise<void>)[] = [];

  const start = (database = models.database): (() => Promise<void>) => {
    const stopping = new AbortController();
    const done = runProjector({ database, eventStore, logger, signal: stopping.signal });
    const stop = async (): Promise<void> => {
      stopping.abort();
      await done;
    };
    running.push(stop);
    return stop;
  };

  beforeAll(async () => {
    [models, reference, log] = await Promise.all([createReadModels(), createReadModels(), createDatabase()]);
    expectedRows = uninterrupted(reference);
    server = await startEventStore(log.url);
    eventStore = createEventStore({ url: server.url, logger });
  });
  beforeEach(async () => {
    for (const stop of running.splice(0)) await stop();
    await empty(models.database);
  });
  afterAll(async () => {
    for (const stop of running) await stop();
    await eventStore.close();
    await server.stop();
    await Promise.all([models.drop(), reference.drop(), log.drop()]);
  });

  it('writes what the log says, and follows it', async () => {
    const before = await appendStories(eventStore, 'before', 3);
    start();
    await until(reached(models.database, before));
    const after = await appendStories(eventStore, 'after', 3);
    await until(reached(models.database, after));
    expect(await allRows(models.database)).toEqual(await expectedRows(eventStore));
  });

  it('shows a new event within a few milliseconds', async () => {
    const stop = start();
    const last = await appendStories(eventStore, 'warm', 5);
    await until(reached(models.database, last));
    const times: number[] = [];
    for (let time = 0; time < 20; time++) {
      const began = performance.now();
      const { position } = await eventStore.append(`test-quick-${time}`, 'no_stream', [
        newEvent(productCreated(`prd_quick_${time}`)),
      ]);
      await until(reached(models.database, position));
      times.push(performance.now() - began);
    }
    await stop();
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(100);
  });

  it('is stopped between batches again and again, and doubles and loses nothing', async () => {
    const last = await appendStories(eventStore, 'stopped', 60);
    for (let time = 0; (await readCheckpoint(models.database)) < last; time++) {
      const stop = start();
      await sleep(5 + (time % 5) * 12);
      await stop();
    }
    expect(await allRows(models.database)).toEqual(await expectedRows(eventStore));
  });

  it('is killed with -9 again and again, and doubles and loses nothing', { timeout: 60_000 }, async () => {
    const last = await appendStories(eventStore, 'killed', 60);
    const env = {
      DATABASE_URL: models.url,
      EVENTSTORE_URL: server.url,
      ADMIN_TOKEN: 'for-this-test-alone',
      ...Object.fromEntries(
        ['TOKEN_SIGNING_KEY', 'LINK_KEY', 'ENCRYPTION_KEY', 'TEMPORAL_PAYLOAD_KEY'].map((name) => [
          name,
          Buffer.alloc(32, 7).toString('base64url'),
        ]),
      ),
    };
    for (let time = 0; time < 3; time++) {
      const program = startProgram({ file: 'projections/main.ts', env });
      await until(async () => program.output().includes('"ready"'));
      await sleep(time * 40);
      await program.kill('SIGKILL');
    }
    const program = startProgram({ file: 'projections/main.ts', env });
    await until(reached(models.database, last));
    await program.stop();
    expect(program.child.exitCode).toBe(0);
    expect(await allRows(models.database)).toEqual(await expectedRows(eventStore));
  });

  it('goes on beside a second projector on the same tables without applying anything twice', async () => {
    start();
    start();
    const last = await appendStories(eventStore, 'two', 20);
    await until(reached(models.database, last));
    expect(await allRows(models.database)).toEqual(await expectedRows(eventStore));
  });

  it('waits for an event store that is down and goes on where it was', async () => {
    start();
    const before = await appendStories(eventStore, 'down', 2);
    await until(reached(models.database, before));
    await server.kill('SIGKILL');
    await sleep(200);
    server = await startEventStore(log.url, { port: server.port });
    const after = await appendStories(eventStore, 'up', 2);
    await until(reached(models.database, after));
    expect(await allRows(models.database)).toEqual(await expectedRows(eventStore));
  });

  it('waits for a database that has ended its connections', async () => {
    start();
    await until(reached(models.database, await appendStories(eventStore, 'cut', 2)));
    await models.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await until(reached(models.database, await appendStories(eventStore, 'again', 2)));
    expect(await allRows(models.database)).toEqual(await expectedRows(eventStore));
  });

  it('passes over events that it does not know', async () => {
    start();
    const { position } = await eventStore.append('test-unknown', 'no_stream', [
      newEvent({ type: 'FromTheFuture', data: { any: 'thing' } }),
      newEvent(batchCreated('bat_unknown')),
    ]);
    await until(reached(models.database, position));
    expect((await models.database.query(`select id from read.batches where id = 'bat_unknown'`)).rowCount).toBe(1);
  });
});
