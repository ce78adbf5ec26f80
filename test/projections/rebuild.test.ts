import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCheckpoint } from '../../projections/checkpoint.js';
import { listProducts } from '../../projections/products/queries.js';
import { runProjector } from '../../projections/projector.js';
import { rebuild } from '../../projections/rebuild.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog } from '../../src/infrastructure/event-store/port.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { allRows, createReadModels, logger, newEvent, type ReadModels } from './read-models.js';
import { batchCreated, productCreated, requestSent, supplierInvited } from './story.js';

describe('a rebuild', () => {
  let models: ReadModels;
  let log: TestDatabase;
  let server: TestEventStore;
  let eventStore: EventLog;
  let written = 0;
  let last = 0n;
  const stopping = new AbortController();
  let projector: Promise<void>;

  /** A product with a batch of its own: some rows, some counts. */
  const append = async (): Promise<void> => {
    const number = ++written;
    const { position } = await eventStore.append(
      `test-${number}`,
      'no_stream',
      [
        productCreated(`prd_${number}`),
        batchCreated(`bat_${number}`, { productId: `prd_${number}` }),
        requestSent(`bat_${number}`),
      ].map((event) => newEvent(event)),
    );
    if (position > last) last = position;
  };
  const caughtUp = async (): Promise<void> => {
    while ((await readCheckpoint(models.database)) < last) await sleep(5);
  };
  const schemas = async (): Promise<string[]> =>
    (
      await models.database.query<{ name: string }>(
        `select nspname as name from pg_namespace where nspname like 'read%' order by 1`,
      )
    ).rows.map(({ name }) => name);
  const indexes = async (): Promise<unknown[]> =>
    (await models.database.query(`select indexname, indexdef from pg_indexes where schemaname = 'read' order by 1`))
      .rows;

  beforeAll(async () => {
    [models, log] = await Promise.all([createReadModels(), createDatabase()]);
    server = await startEventStore(log.url);
    eventStore = createEventStore({ url: server.url, logger });
    await eventStore.append('test-suppliers', 'no_stream', [
      newEvent(supplierInvited('sup_1')),
      newEvent(supplierInvited('sup_2', { tier: 2 })),
    ]);
    projector = runProjector({ database: models.database, eventStore, logger, signal: stopping.signal });
    for (let time = 0; time < 300; time += 10) await Promise.all(Array.from({ length: 10 }, append));
    await caughtUp();
  });
  afterAll(async () => {
    stopping.abort();
    await projector;
    await eventStore.close();
    await server.stop();
    await Promise.all([models.drop(), log.drop()]);
  });

  it('makes the same rows and indexes while a writer appends and a reader reads, and the projector goes on after it', async () => {
    const indexesBefore = await indexes();
    let running = true;
    const writer = (async () => {
      while (running) await append();
    })();
    const reader = (async () => {
      let reads = 0;
      while (running) {
        const { data } = await listProducts(models.database, 'org_1', { limit: 5, cursor: null });
        expect(data).toHaveLength(5);
        reads++;
      }
      return reads;
    })();
    const before = written;
    // Rows that the log does not tell of are gone after it.
    await models.database.query(`update read.products set name = 'spoilt', batch_count = 99 where id = 'prd_1'`);
    await rebuild({ database: models.database, eventStore, logger });
    expect(written).toBeGreaterThan(before);
    await sleep(300);
    running = false;
    await writer;
    expect(await reader).toBeGreaterThan(0);
    await caughtUp();

    const live = await allRows(models.database);
    expect(live).toMatchObject({
      suppliers: [{ batch_count: written }, { batch_count: written }],
    });
    expect(live.products).toHaveLength(written);
    expect(live.products?.[0]).toMatchObject({ id: 'prd_1', name: 'prd_1', batch_count: 1 });
    expect(await indexes()).toEqual(indexesBefore);
    expect(await schemas()).toEqual(['read']);

    // Nothing moves now: a second one must come to the very same rows.
    await rebuild({ database: models.database, eventStore, logger });
    expect(await allRows(models.database)).toEqual(live);
  });

  it('drops what a killed rebuild has left and is made again', async () => {
    const live = await allRows(models.database);
    await models.database.query('create schema read_next; create table read_next.products (half text)');
    await models.database.query('create schema read_old; create table read_old.products (old text)');
    await rebuild({ database: models.database, eventStore, logger });
    expect(await allRows(models.database)).toEqual(live);
    expect(await schemas()).toEqual(['read']);
    await append();
    await caughtUp();
    expect((await allRows(models.database)).products).toHaveLength(written);
  });

  it('leaves the live tables alone when it fails, and can be run again', async () => {
    const live = await allRows(models.database);
    let reads = 0;
    const failing: EventLog = {
      ...eventStore,
      subscribeToAll: async function* (options) {
        for await (const message of eventStore.subscribeToAll(options)) {
          if (++reads === 100) throw new Error('the event store is gone');
          yield message;
        }
      },
    };
    await expect(rebuild({ database: models.database, eventStore: failing, logger })).rejects.toThrow('is gone');
    expect(await allRows(models.database)).toEqual(live);
    await rebuild({ database: models.database, eventStore, logger });
    expect(await allRows(models.database)).toEqual(live);
  });

  it('refuses to run beside another', async () => {
    const results = await Promise.allSettled([
      rebuild({ database: models.database, eventStore, logger }),
      rebuild({ database: models.database, eventStore, logger }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
