import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest';
import { readCheckpoint } from '../../projections/checkpoint.js';
import { runProjector } from '../../projections/projector.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog } from '../../src/infrastructure/event-store/port.js';
import { serveOperations } from '../../src/infrastructure/operations-server.js';
import { eventually } from '../support/brand-story.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { createReadModels, newEvent, type ReadModels } from './read-models.js';
import { productCreated } from './story.js';

/*
 * Events that the read models cannot hold: the database refuses a name until it is told otherwise, or the projection finds
 * nothing that it could read.
 */

let models: ReadModels;
let log: TestDatabase;
let server: TestEventStore;
let eventStore: EventLog;
let lines: string[];
let stop: () => Promise<void>;
let operations: Awaited<ReturnType<typeof serveOperations>>;

beforeAll(async () => {
  log = await createDatabase();
  server = await startEventStore(log.url);
});
afterAll(async () => {
  await server.stop();
  await log.drop();
});

beforeEach(async () => {
  lines = [];
  const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  models = await createReadModels();
  eventStore = createEventStore({ url: server.url, logger });
  const { database } = models;
  operations = await serveOperations({ host: '127.0.0.1', port: 0, follower: 'projector', database, logger });
  const stopping = new AbortController();
  const done = runProjector({ database, eventStore, logger, signal: stopping.signal });
  stop = async () => {
    stopping.abort();
    await done;
  };
});
afterEach(async () => {
  await stop();
  await operations.close();
  await eventStore.close();
  await models.drop();
});

let appended = 0;

/** Products by their names, in one append, so that the projector meets them together; answers the last position. */
async function append(...names: readonly (string | null)[]): Promise<{ position: bigint; ids: string[] }> {
  const events = names.map((name) => {
    const made = productCreated(`halting_${appended++}`);
    const data = name === null ? {} : { ...made.data, name };
    return newEvent({ type: made.type, data: JSON.parse(JSON.stringify(data)) as object });
  });
  const { position } = await eventStore.append(`test-halting-${appended}`, 'no_stream', events);
  return { position, ids: events.map(({ id }) => id) };
}

const names = async () =>
  (await models.database.query<{ name: string }>('select name from read.products order by created_at, id')).rows.map(
    ({ name }) => name,
  );

const ask = async (path: string) => {
  const answer = await fetch(`http://127.0.0.1:${operations.port}${path}`);
  return { status: answer.status, body: await answer.text() };
};

const isReady = (status: number) =>
  eventually(
    () => ask('/health/ready'),
    (answer) => answer.status === status,
  );

it('an event that the database refuses halts the projector, behind all that came before it, until it can be taken', async () => {
  await models.database.query(`alter table read.products add constraint refused check (name <> 'Refused')`);
  await isReady(200);
  const { position, ids } = await append('First', 'Second', 'Refused', 'Last');
  const halted = await isReady(503);
  expect(JSON.parse(halted.body)).toMatchObject({
    status: 'not_ready',
    projector: { state: 'halted', lagEvents: 2, halt: { eventId: ids[2], type: 'ProductCreated' } },
  });
  expect(await names()).toEqual(['First', 'Second']);
  expect((await ask('/metrics')).body).toContain('follower_halted{follower="projector"} 1\n');
  expect((await ask('/health/live')).status).toBe(200);
  const said = lines.filter((line) => line.includes('is halted by an event'));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(ids[2]);
  // What the statement held is nobody's business.
  expect(lines.join('')).not.toContain('Failing row');

  await models.database.query('alter table read.products drop constraint refused');
  await isReady(200);
  expect(await names()).toEqual(['First', 'Second', 'Refused', 'Last']);
  expect(await readCheckpoint(models.database)).toBe(position);
  const gauges = ['halted', 'lag_events', 'lag_seconds'].map((name) => `follower_${name}{follower="projector"} 0\n`);
  await eventually(
    () => ask('/metrics'),
    ({ body }) => gauges.every((gauge) => body.includes(gauge)),
  );
});

it('an event that the projection cannot read halts it too, and leaves nothing of itself', async () => {
  await isReady(200);
  const { ids } = await append('Third', null, 'Never');
  const { body } = await isReady(503);
  expect(JSON.parse(body)).toMatchObject({ projector: { state: 'halted', halt: { eventId: ids[1] } } });
  expect(await names()).toContain('Third');
  expect(await names()).not.toContain('Never');
});
