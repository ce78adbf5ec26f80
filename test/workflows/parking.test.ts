import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Connection, WorkflowClient } from '@temporalio/client';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { findFreePort } from '../../src/embedded/ports.js';
import { AppendOutcomeUnknown } from '../../src/infrastructure/event-store/port.js';
import { serveOperations } from '../../src/infrastructure/operations-server.js';
import { parkedEvents } from '../../src/infrastructure/parked-events.js';
import { createReactions } from '../../workflows/reactions.js';
import { runReactor, type Reactions } from '../../workflows/reactor.js';
import { newEvent } from '../projections/read-models.js';
import { eventually } from '../support/brand-story.js';
import { startService, type TestService } from '../support/service.js';

/*
 * The reactor on real parts. Which events cannot be taken, and for how long, the test says.
 */

interface Taken {
  readonly stream: string;
  readonly revision: number;
}

let service: TestService;
let lines: string[];
let faults: Map<string, () => Error>;
let taken: Taken[];
let connection: Connection;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  [lines, faults, taken] = [[], new Map(), []];
  service = await startService();
  connection = Connection.lazy({ address: inject('temporalAddress') });
}, 60_000);
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await connection.close();
  await service.close();
});

const named = ({ stream, revision }: Taken) => `${stream}@${revision}`;

const REACTIONS: Reactions = {
  ThingHappened: (event) => {
    const fault = faults.get(named(event));
    if (fault !== undefined) throw fault();
    taken.push({ stream: event.stream, revision: event.revision });
    return [];
  },
};

function react(reactions = REACTIONS, client = new WorkflowClient({ connection })): void {
  const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  const stopping = new AbortController();
  const { eventStore, database } = service;
  const { signal } = stopping;
  const done = runReactor({
    reactions,
    eventStore,
    database,
    workflows: client,
    queueOf: service.temporal.queueOf,
    logger,
    signal,
  });
  stops.push(async () => {
    stopping.abort();
    await done;
  });
}

const happen = async (stream: string, count: number, type = 'ThingHappened', data: object = {}) => {
  const events = Array.from({ length: count }, () => ({
    ...newEvent({ type, data }),
    id: crypto.randomUUID(),
  }));
  await service.eventStore.append(stream, 'no_stream', events);
};

const takenOf = (stream: string) => taken.filter((one) => one.stream === stream).map(({ revision }) => revision);
const parked = () => parkedEvents(service.database);
const untilParked = (count: number) => eventually(parked, (events) => events.length === count);
const untilTaken = (stream: string, count: number) =>
  eventually(
    async () => takenOf(stream),
    (revisions) => revisions.length >= count,
  );

const cli = (...words: string[]) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const file = join(import.meta.dirname, '..', '..', 'dist', 'src', 'cli.js');
    execFile(process.execPath, [file, ...words], { env: { ...process.env, ...service.environment } }, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), out }),
    );
  });

const broken = () => new TypeError('it has no such field');

describe('an event that cannot be taken', () => {
  it('is parked with its error after four tries, with what follows in its stream; everything else goes on', async () => {
    faults.set('thing-a@1', broken);
    react();
    await happen('thing-a', 4);
    await happen('thing-b', 4);
    await untilTaken('thing-b', 4);
    const events = await untilParked(3);
    expect(events.map(({ revision, error, tries }) => [revision, error, tries])).toEqual([
      [1, 'TypeError: it has no such field', 4],
      [2, null, 0],
      [3, null, 0],
    ]);
    expect(takenOf('thing-a')).toEqual([0]);
    await happen('thing-c', 1);
    await untilTaken('thing-c', 1);
    expect(lines.filter((line) => line.includes('is parked'))).toHaveLength(1);
  });

  it('is not met again by a reactor that is started again', async () => {
    faults.set('thing-a@0', broken);
    react();
    await happen('thing-a', 2);
    await untilParked(2);
    for (const stop of stops.splice(0)) await stop();
    react();
    await happen('thing-b', 1);
    await untilTaken('thing-b', 1);
    expect((await parked()).map(({ tries }) => tries)).toEqual([4, 0]);
  });

  it('is listed and tried again by the operator, in the order of its stream', async () => {
    faults.set('thing-a@0', broken).set('thing-b@0', broken);
    react();
    await happen('thing-a', 3);
    await happen('thing-b', 2);
    const events = await untilParked(5);
    const listed = await cli('parked', 'list');
    expect(listed.code).toBe(0);
    expect(listed.out).toContain('4 tries: TypeError: it has no such field');
    expect(listed.out).toContain('waits for an earlier event of its stream');
    expect(listed.out).toMatch(/5 parked\.\n$/);

    expect(await cli('parked', 'retry')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^0 of 5 taken/) as string,
    });
    faults.clear();
    // One that waits brings along the one that it waits for.
    const waiting = events.find(({ stream, revision }) => stream === 'thing-a' && revision === 2);
    expect(await cli('parked', 'retry', waiting?.eventId ?? '')).toMatchObject({ code: 0, out: '3 of 3 taken.\n' });
    expect(takenOf('thing-a')).toEqual([0, 1, 2]);
    expect(takenOf('thing-b')).toEqual([]);
    expect(await cli('parked', 'retry')).toMatchObject({ code: 0, out: '2 of 2 taken.\n' });
    expect(takenOf('thing-b')).toEqual([0, 1]);
    expect(await parked()).toEqual([]);
  }, 60_000);

  it('is one that the workflow server refuses for what it says, too', async () => {
    const { eventStore, database } = service;
    react(createReactions({ eventStore, database, clock: Date.now }));
    const importId = `imp_${'x'.repeat(2_000)}`;
    await happen('import-long', 1, 'ImportStarted', { importId, organizationId: 'org_1' });
    const [event] = await untilParked(1);
    expect(event).toMatchObject({ stream: 'import-long', type: 'ImportStarted', tries: 4 });
  });

  it('shows in health and metrics, and does not make the reactor unready', async () => {
    const { database, config } = service;
    const logger = pino({ level: 'silent' });
    const operations = await serveOperations({ host: '127.0.0.1', port: 0, follower: 'reactor', database, logger });
    faults.set('thing-a@0', broken);
    react();
    await happen('thing-a', 2);
    await untilParked(2);
    const at = `http://127.0.0.1:${operations.port}`;
    const ready = await eventually(
      () => fetch(`${at}/health/ready`),
      ({ status }) => status === 200,
    );
    expect(await ready.json()).toMatchObject({ status: 'ready', reactor: { state: 'following', halt: null } });
    expect(await (await fetch(`${at}/metrics`)).text()).toContain('parked_events 2\n');
    expect((await service.call({ url: '/health/ready' })).json).toMatchObject({ reactor: { parkedEvents: 2 } });
    expect(config.METRICS_PORT).toBeUndefined();
    await operations.close();
  });

  it('halts the reactor once a thousand are parked, as then it is not the events that are at fault', async () => {
    await service.database.query(
      `insert into service.parked_events (event_id, stream, revision, type, error, tries)
       select gen_random_uuid(), 'thing-' || n, 0, 'ThingHappened', 'broken', 4 from generate_series(1, 1000) n`,
    );
    faults.set('thing-a@0', broken);
    react();
    await happen('thing-a', 1);
    const health = await eventually(
      () => service.call({ url: '/health/ready' }),
      ({ json }) => json.reactor.state === 'halted',
    );
    expect(health.json).toMatchObject({
      status: 'degraded',
      reactor: { state: 'halted', parkedEvents: 1_000 },
    });
    faults.clear();
    await untilTaken('thing-a', 1);
    await eventually(
      () => service.call({ url: '/health/ready' }),
      ({ json }) => json.reactor.state === 'following',
    );
  }, 60_000);
});

describe('an outage parks nothing, and nothing is lost', () => {
  const COUNT = 60;
  const allHappen = async () => {
    for (let number = 0; number < COUNT; number += 1) await happen(`thing-${number}`, 1);
  };
  const untilAllTaken = () =>
    eventually(
      async () => new Set(taken.map(named)).size,
      (count) => count === COUNT,
      40_000,
    );

  it('of the event store', async () => {
    const { eventStore } = service;
    react({
      ThingHappened: async (event) => {
        for await (const { revision, stream } of eventStore.readStream(event.stream)) taken.push({ revision, stream });
        return [];
      },
    });
    await allHappen();
    await service.killEventStore();
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await service.restartEventStore();
    await untilAllTaken();
    expect(await parked()).toEqual([]);
  }, 90_000);

  it('of the database', async () => {
    const { database } = service;
    react({
      ThingHappened: async ({ stream, revision }) => {
        await database.query('select 1');
        taken.push({ stream, revision });
        return [];
      },
    });
    await allHappen();
    await service.closeDatabaseFor(5_000);
    await untilAllTaken();
    expect(await parked()).toEqual([]);
  }, 90_000);

  it('of the workflow server', async () => {
    const away = Connection.lazy({ address: `127.0.0.1:${await findFreePort()}` });
    const { eventStore, database } = service;
    react(createReactions({ eventStore, database, clock: Date.now }), new WorkflowClient({ connection: away }));
    await happen('import-1', 1, 'ImportStarted', { importId: 'imp_1', organizationId: 'org_1' });
    await eventually(
      async () => lines.filter((line) => line.includes('will resume from its checkpoint')).length,
      (count) => count >= 1,
    );
    expect(await parked()).toEqual([]);
    await away.close();
  }, 60_000);

  it('that shows as an error of a kind unknown', async () => {
    const away = Connection.lazy({ address: `127.0.0.1:${await findFreePort()}` });
    faults.set('thing-a@0', broken);
    react(REACTIONS, new WorkflowClient({ connection: away }));
    await happen('thing-a', 1);
    await eventually(
      async () => lines.filter((line) => line.includes('will resume from its checkpoint')).length,
      (count) => count >= 1,
    );
    expect(await parked()).toEqual([]);
    await away.close();
  }, 60_000);

  it('that shows in an append alone', async () => {
    faults.set('thing-a@0', () => new Error('made nothing', { cause: new AppendOutcomeUnknown('no answer') }));
    react();
    await happen('thing-a', 2);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(await parked()).toEqual([]);
    faults.clear();
    await untilTaken('thing-a', 2);
  }, 60_000);
});
