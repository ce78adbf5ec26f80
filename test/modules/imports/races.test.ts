import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventStoreUnavailable, type EventStore } from '../../../src/infrastructure/event-store/port.js';
import { commandContext } from '../../../src/core/context.js';
import { newId } from '../../../src/core/ids.js';
import { commitRows } from '../../../src/modules/imports/commit.js';
import { rowsOfJson } from '../../../src/modules/imports/json-rows.js';
import { startService, type Brand, type TestService } from '../../support/service.js';
import { keptFiles } from '../file-imports/file-topics/kept-files.js';
import { commit, eventsOf, summary, tee, unique, type Imported } from './rows.js';

let service: TestService;
let brand: Brand;
beforeAll(async () => {
  service = await startService();
  brand = await service.asBrand();
});
afterAll(() => service.close());

keptFiles({ service: () => service, brand: () => brand });

const keyed = () => {
  const stem = unique('race');
  return Array.from({ length: 6 }, (_, index) => tee({ externalId: `${stem}-${index}`, sku: `${stem}-s${index}` }));
};

const productsOf = async (as: Brand, rows: readonly { externalId: string }[]) => {
  const wanted = new Set(rows.map(({ externalId }) => externalId));
  const { json } = await as.call({ url: '/brand/products' });
  return (json.data as { id: string; externalId: string }[]).filter(({ externalId }) => wanted.has(externalId));
};
const passportCount = async (as: Brand, ids: readonly string[]) => {
  const { json } = await as.call({ url: '/brand/dpps' });
  return (json.data as { productId: string }[]).filter(({ productId }) => ids.includes(productId)).length;
};

test('four commits of the same rows at once make each product and each passport once', async () => {
  const rows = keyed();
  const answers = await Promise.all(Array.from({ length: 4 }, () => commit(brand, rows)));
  const created = answers.reduce((sum, { summary: counts }) => sum + (counts['create'] ?? 0), 0);
  const skipped = answers.reduce((sum, { summary: counts }) => sum + (counts['skipped'] ?? 0), 0);
  expect([created, skipped]).toEqual([rows.length, 3 * rows.length]);
  const products = await productsOf(brand, rows);
  expect(products).toHaveLength(rows.length);
  expect(
    await passportCount(
      brand,
      products.map(({ id }) => id),
    ),
  ).toBe(rows.length);
  for (const { rows: outcomes } of answers) {
    expect(outcomes.map(({ productId }) => productId).sort()).toEqual(products.map(({ id }) => id).sort());
  }
});

test('the same in upsert: one creates, the others find nothing to change', async () => {
  const rows = keyed();
  const answers = await Promise.all(Array.from({ length: 3 }, () => commit(brand, rows, 'upsert')));
  const total = (of: keyof Imported['summary']) => answers.reduce((sum, answer) => sum + (answer.summary[of] ?? 0), 0);
  expect([total('create'), total('unchanged'), total('update')]).toEqual([rows.length, 2 * rows.length, 0]);
  expect(await productsOf(brand, rows)).toHaveLength(rows.length);
});

test('in two organizations each makes its own', async () => {
  const rows = keyed();
  const other = await service.asBrand({ name: 'Other' });
  const answers = await Promise.all([commit(brand, rows), commit(other, rows)]);
  for (const { summary: counts } of answers) {
    expect(counts).toEqual(summary({ create: rows.length, passports: rows.length }));
  }
  expect(await productsOf(other, rows)).toHaveLength(rows.length);
});

test('one Idempotency-Key makes keyless rows once, however often it is sent', async () => {
  const rows = [tee({ externalId: undefined }), tee({ externalId: undefined, name: 'Second' })];
  const headers = { 'idempotency-key': unique('key') };
  const first = await commit(brand, rows, 'create', headers);
  expect(await commit(brand, rows, 'create', headers)).toEqual(first);
});

test('the same import and rows again, keyless ones too, answer as if there had been one call', async () => {
  const rows = rowsOfJson([
    tee({ externalId: undefined, weightKg: null }),
    tee({ externalId: 'same' }),
    tee({ externalId: 'same', name: 'Later row' }),
    tee({ externalId: 'same' }),
    tee({ name: '' }),
  ]);
  const source = { importId: newId('imp'), fileHash: 'f'.repeat(64) };
  const once = () => {
    const context = commandContext({
      organizationId: brand.organizationId,
      actor: { type: 'user', id: brand.userId },
      correlationId: 'test',
      now: Date.now(),
    });
    const deps = { ...service, consumerUrl: service.config.CONSUMER_URL };
    return commitRows(deps, context, { source, mode: 'upsert', rows });
  };
  const first = await once();
  expect(first.map(({ outcome }) => outcome)).toEqual(['create', 'create', 'update', 'update', 'error']);
  const before = (await eventsOf(service, brand)).length;
  expect(await once()).toEqual(first);
  expect((await eventsOf(service, brand)).length).toBe(before);
});

test('a key that a dead process reserved is used for the product that it was about to make', async () => {
  const row = tee();
  const ghost = newId('prd');
  await service.database.query(
    `insert into service.reservations (organization_id, kind, value, owner_id) values ($1, 'product_external_id', $2, $3)`,
    [brand.organizationId, row.externalId, ghost],
  );
  const { rows } = await commit(brand, [row]);
  expect(rows).toMatchObject([{ outcome: 'create', productId: ghost }]);
  expect((await commit(brand, [row])).rows).toMatchObject([{ outcome: 'skipped', productId: ghost }]);
});

/** A product that was deleted, with a key that some call which came to no end has left in its name. */
async function deletedWithKey(externalId: string): Promise<void> {
  const { json } = await brand.call({ method: 'POST', url: '/brand/products', payload: { name: 'Gone' } });
  await brand.call({ method: 'DELETE', url: `/brand/products/${json.id}` });
  await service.database.query(
    `insert into service.reservations (organization_id, kind, value, owner_id) values ($1, 'product_external_id', $2, $3)`,
    [brand.organizationId, externalId, json.id],
  );
}

test('a commit that is overtaken in its midst is finished by the same Idempotency-Key, keyless rows made once', async () => {
  const rows = [tee({ externalId: undefined, name: unique('Keyless') }), tee()];
  const externalId = rows[1]?.externalId ?? '';
  await deletedWithKey(externalId);
  const headers = { 'idempotency-key': unique('overtaken') };
  const payload = { mode: 'create', rows };
  const refused = await brand.call({ method: 'POST', url: '/brand/bulk/commit', headers, payload });
  expect([refused.status, refused.json.code]).toEqual([409, 'concurrent_change']);
  // A key that was reserved long ago for a product that has gone is anybody's.
  await service.database.query(
    "update service.reservations set reserved_at = now() - interval '1 minute' where organization_id = $1 and value = $2",
    [brand.organizationId, externalId],
  );
  expect((await commit(brand, rows, 'create', headers)).summary).toEqual(summary({ create: 2, passports: 2 }));
  const { json } = await brand.call({ url: '/brand/products' });
  const keyless = (json.data as { name: string }[]).filter(({ name }) => name === rows[0]?.name);
  expect(keyless).toHaveLength(1);
});

test('a passport that an interrupted call left out is published when the row comes again', async () => {
  const row = tee();
  const { rows } = await commit(brand, [{ ...row, materials: undefined }], 'upsert');
  expect(rows).toMatchObject([{ outcome: 'create' }]);
  // As if the process had ended between the update of the product and its passport.
  const deps = { ...service, consumerUrl: service.config.CONSUMER_URL };
  const { updateProductOfRow } = await import('../../../src/modules/products/importing.js');
  const context = commandContext({
    organizationId: brand.organizationId,
    actor: { type: 'user', id: brand.userId },
    correlationId: 'test',
    now: Date.now(),
    importMark: { importId: newId('imp'), fileHash: null, row: 2 },
  });
  const materials = row.materials as { materialType: string; percentage: number; originCountry: string }[];
  const productId = rows[0]?.productId ?? '';
  await updateProductOfRow(deps, context, { productId, said: { name: row.name, materials } });
  await expect
    .poll(async () => (await commit(brand, [row])).summary, { timeout: 5_000 })
    .toEqual(summary({ skipped: 1, passports: 1 }));
  expect((await commit(brand, [row])).summary).toEqual(summary({ skipped: 1 }));
  expect(await passportCount(brand, [productId])).toBe(1);
});

/** An event store that takes so many appends and is gone then. */
const dyingAfter = (eventStore: EventStore, appends: number): EventStore => {
  let left = appends;
  return {
    ...eventStore,
    append: async (...append) => {
      if (left-- > 0) return eventStore.append(...append);
      throw new EventStoreUnavailable('the event store is gone');
    },
  };
};

/** Commits one row, of which so many appends get through; nobody is there to finish it. */
async function interrupted(row: object, appends: number) {
  const source = { importId: newId('imp'), fileHash: null };
  const run = (eventStore: EventStore) => {
    const context = commandContext({
      ...{ organizationId: brand.organizationId, actor: { type: 'user', id: brand.userId } },
      ...{ correlationId: 'test', now: Date.now() },
    });
    const deps = { ...service, eventStore, consumerUrl: service.config.CONSUMER_URL };
    return commitRows(deps, context, { source, mode: 'create', rows: rowsOfJson([row]) });
  };
  await expect(run(dyingAfter(service.eventStore, appends))).rejects.toThrow(EventStoreUnavailable);
  return { again: () => run(service.eventStore) };
}

const ONE_OF_EACH = {
  ...{ ProductCreated: 1, ProductPassportIssued: 1, PassportPublished: 1 },
  ...{ BatchCreated: 1, BatchScored: 1, BatchPublished: 1 },
};

/** How many events of each type the product of the row, its batch and its passport have led to. */
async function eventsOfRow(externalId: string) {
  const events = await eventsOf(service, brand);
  const created = events.find(
    ({ type, data }) => type === 'ProductCreated' && (data as { externalId?: string }).externalId === externalId,
  );
  const { productId } = created?.data as { productId: string };
  const issued = events.find(
    ({ type, data }) => type === 'ProductPassportIssued' && (data as { productId: string }).productId === productId,
  );
  const { batchId, dppId } = issued?.data as { batchId: string; dppId: string };
  const counts: Record<string, number> = {};
  for (const { type, stream } of events) {
    if (![`product-${productId}`, `batch-${batchId}`, `passport-${dppId}`].includes(stream)) continue;
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return { productId, counts };
}

test.each([1, 2])('a row that was cut off after append %i of 3 is finished by the same import', async (appends) => {
  const row = tee();
  const { again } = await interrupted(row, appends);
  expect(await again()).toMatchObject([{ outcome: 'create', passports: 1 }]);
  expect((await eventsOfRow(row.externalId)).counts).toEqual(ONE_OF_EACH);
});

test.each([1, 2])('one that was cut off after append %i of 3 is finished by another import', async (appends) => {
  const row = tee();
  await interrupted(row, appends);
  await expect
    .poll(async () => (await commit(brand, [row])).summary['passports'], { timeout: 5_000 })
    .toBeGreaterThan(0);
  expect((await eventsOfRow(row.externalId)).counts).toEqual(ONE_OF_EACH);
  expect((await commit(brand, [row])).summary).toEqual(summary({ skipped: 1 }));
});

test.each([1, 2])(
  'one that was cut off after append %i of 3 is finished by who changes the product',
  async (appends) => {
    const row = tee();
    const { again } = await interrupted(row, appends);
    const { productId } = await eventsOfRow(row.externalId);
    const url = `/brand/products/${productId}`;
    const { status, body } = await brand.call({ method: 'PUT', url, payload: { name: 'Renamed' } });
    expect(status, body).toBe(200);
    const { counts } = await eventsOfRow(row.externalId);
    expect(counts).toMatchObject({ ...ONE_OF_EACH, ProductUpdated: 1 });
    const { json } = await brand.call({ url: '/brand/dpps' });
    const passports = json.data as { productId: string; gtin: string; serial: string }[];
    const [passport, ...more] = passports.filter((listed) => listed.productId === productId);
    expect(more).toEqual([]);
    const { gtin, serial } = passport ?? { gtin: '', serial: '' };
    const page = await service.app.inject({
      ...{ method: 'GET', url: `/p/${gtin}/${serial}`, headers: { accept: 'application/ld+json' } },
    });
    expect(page.body).toContain('Renamed');
    // The import itself still knows what its row did.
    expect(await again()).toMatchObject([{ outcome: 'create', productId }]);
    expect((await eventsOfRow(row.externalId)).counts).toEqual(counts);
  },
);
