import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCheckpoint } from '../../projections/checkpoint.js';
import { runProjector } from '../../projections/projector.js';
import { rebuild } from '../../projections/rebuild.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import { EventStoreUnavailable, type EventLog } from '../../src/infrastructure/event-store/port.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStoreDoor, type EventStoreDoor } from '../support/event-store-door.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { allRows, createReadModels, empty, logger, newEvent, writeBatch, type ReadModels } from './read-models.js';
import { STORY } from './story.js';

const STORY_WORDS = /"((?:org|prd|sup|bat|dpp|req|fac|whk|dlv)_)/g;
/** Together more than lies on the way to a subscriber who takes nothing: windows of the connection, and what the projector gathers. */
const BURSTS = 12;
const EVENTS_OF_A_BURST = 500;

/** The story under ids of its own. */
const storyOf = (name: string) =>
  STORY.map(({ type, data }) =>
    newEvent({ type, data: JSON.parse(JSON.stringify(data).replaceAll(STORY_WORDS, `"$1${name}_`)) as object }),
  );

const note = (n: number, text = '') => newEvent({ type: 'NoteTaken', data: { n, text } });

describe.each(['23.10', '24.10'] as const)('whoever lags behind EventStoreDB %s while live', (version) => {
  let models: ReadModels;
  let reference: ReadModels;
  let log: TestDatabase;
  let server: TestEventStore;
  let door: EventStoreDoor;
  /** Through the door. */
  let eventStore: EventLog;

  /** What a projector without any interruption would have written. */
  const expectedRows = async (): Promise<Record<string, unknown[]>> => {
    const events = [];
    for await (const event of eventStore.readAll({ after: null })) events.push(event);
    await empty(reference.database);
    await writeBatch(reference.database, events);
    return allRows(reference.database);
  };

  beforeAll(async () => {
    [models, reference, log] = await Promise.all([createReadModels(), createReadModels(), createDatabase()]);
    server = await startEventStore(log.url);
  });
  beforeEach(async () => {
    door = await startEventStoreDoor({ server: server.url, version });
    eventStore = createEventStore({ url: door.url, logger });
    return async () => {
      await eventStore.close();
      await door.close();
    };
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([models.drop(), reference.drop(), log.drop()]);
  });

  it('sees each event once and in order when it goes on from its checkpoint', async () => {
    const start = await eventStore.append('before-the-slow', 'no_stream', [note(0)]);
    const stopping = new AbortController();
    const seen: number[] = [];
    let checkpoint = start.position;
    let caughtUp = 0;
    let dropped = 0;
    const follow = async (): Promise<void> => {
      const messages = eventStore.subscribeToAll({ after: checkpoint, signal: stopping.signal });
      for await (const message of messages) {
        if (message.kind === 'caught_up') caughtUp += 1;
        if (message.kind !== 'event') continue;
        seen.push((message.event.data as { n: number }).n);
        checkpoint = message.event.position;
        if (seen.length <= 20) await sleep(20);
        if (seen.length === 3 * 200) stopping.abort();
      }
    };
    const following = (async () => {
      while (!stopping.signal.aborted) {
        await follow().catch((error: unknown) => {
          if (!(error instanceof EventStoreUnavailable)) throw error;
          dropped += 1;
        });
      }
    })();
    while (caughtUp === 0) await sleep(5);
    // Each append is far larger than what may be on its way, so it is in the midst of one that the follower falls behind.
    for (let n = 0; n < 3; n += 1) {
      const burst = Array.from({ length: 200 }, (_, index) => note(200 * n + index, 'x'.repeat(3_000)));
      await eventStore.append(`slow-${n}`, 'no_stream', burst);
    }
    await following;
    expect(seen).toEqual(Array.from({ length: 600 }, (_, n) => n));
    expect(door.lagged()).toBeGreaterThanOrEqual(1);
    expect(dropped).toBe(version === '23.10' ? door.lagged() : 0);
  });

  it('has the projector write each event once, though it stands still for long', async () => {
    await empty(models.database);
    const stopping = new AbortController();
    const projecting = runProjector({ database: models.database, eventStore, logger, signal: stopping.signal });
    const reached = async (position: bigint): Promise<void> => {
      while ((await readCheckpoint(models.database)) < position) await sleep(5);
    };
    await reached((await eventStore.append('story-before', 'no_stream', storyOf('before'))).position);

    const holder = new pg.Client({ connectionString: models.url });
    await holder.connect();
    await holder.query('begin; select * from read.checkpoint for update');
    let last = 0n;
    for (let n = 0; n < BURSTS; n += 1) {
      const notes = Array.from({ length: EVENTS_OF_A_BURST }, (_, index) => note(index));
      const burst = [...notes, ...storyOf(`held${n}`)];
      last = (await eventStore.append(`burst-${n}`, 'no_stream', burst)).position;
    }
    while (door.lagged() === 0) await sleep(5);
    await holder.end();

    await reached(last);
    await reached((await eventStore.append('story-after', 'no_stream', storyOf('after'))).position);
    stopping.abort();
    await projecting;
    expect(await allRows(models.database)).toEqual(await expectedRows());
  });

  it('has a rebuild read on where it was dropped, with every event written once', async () => {
    door.dropAfter(1_500);
    const { events } = await rebuild({ database: models.database, eventStore, logger });
    expect(events).toBeGreaterThan(4 * 1_500);
    expect(await allRows(models.database)).toEqual(await expectedRows());
  });
});
