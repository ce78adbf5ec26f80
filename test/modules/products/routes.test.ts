import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/core/errors.js';
import { holdingKeys } from '../../../src/modules/products/keys.js';
import type { Brand, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

let service: TestService;
let brand: Brand;
let other: Brand;

withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  [brand, other] = [await service.asBrand(), await service.asBrand({ name: 'Other' })];
});

const PRODUCTS = '/brand/products';
const COTTON = [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'TR' }];

const create = (payload: object, headers: Record<string, string> = {}, as = brand) =>
  as.call({ method: 'POST', url: PRODUCTS, payload, headers });
const created = async (payload: object) => {
  const { status, json } = await create(payload);
  expect(status).toBe(201);
  return json as { id: string; [field: string]: unknown };
};
const put = (id: string, payload: object, as = brand) => as.call({ method: 'PUT', url: `${PRODUCTS}/${id}`, payload });
const read = (id: string, as = brand) => as.call({ url: `${PRODUCTS}/${id}` });
const remove = (id: string, as = brand) => as.call({ method: 'DELETE', url: `${PRODUCTS}/${id}` });
const publish = (id: string, as = brand) => as.call({ method: 'POST', url: `${PRODUCTS}/${id}/publish` });
const list = async (as = brand) => (await as.call({ url: PRODUCTS })).json.data as Record<string, unknown>[];
let counter = 0;
const unique = (stem: string) => `${stem}-${(counter += 1)}`;

describe('POST /brand/products', () => {
  test('answers the product as its detail shows it', async () => {
    const product = await created({
      name: '<b>T-shirt</b> "ÅÄÖ"',
      sku: 'TS-1',
      gtin: '4012345678901',
      weightKg: 0.18,
      countryOfManufacture: 'PT',
      materials: COTTON,
    });
    expect(product).toEqual({
      id: expect.stringMatching(/^prd_/) as string,
      name: '<b>T-shirt</b> "ÅÄÖ"',
      sku: 'TS-1',
      gtin: '4012345678901',
      externalId: null,
      categoryId: 'textile_apparel',
      subcategory: null,
      weightKg: 0.18,
      weightEstimated: false,
      countryOfManufacture: 'PT',
      ecommerceUrl: null,
      careInstructions: null,
      expectedLifespan: null,
      recyclable: null,
      recyclingInstructions: null,
      supplierName: null,
      materials: [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'TR', suppliers: [] }],
      updatedAt: expect.any(Number) as number,
    });
    expect((await read(product.id)).json).toEqual(product);
  });

  test('shows in the next list, with its counts', async () => {
    const { id } = await created({ name: 'Listed', materials: COTTON });
    const [newest] = await list();
    expect(newest).toMatchObject({ id, name: 'Listed', materialCount: 1, batchCount: 0 });
    expect(newest).toHaveProperty('createdAt');
    expect(newest).not.toHaveProperty('materials');
  });

  test('answers the warnings of what it mapped', async () => {
    const { warnings } = await created({ name: 'Warned', gtin: '4012345678902', subcategory: 'T-Shirt' });
    expect(warnings).toMatchObject([
      { code: 'mapped', from: 'T-Shirt', to: 'tshirts' },
      { code: 'gtin_check_digit', field: 'gtin' },
    ]);
  });

  test('names every field that breaks a rule, and makes nothing', async () => {
    const before = await list();
    const { status, json } = await create({
      name: '',
      weightKg: -1,
      materials: [{ materialType: 'x', percentage: '1' }],
    });
    expect(status).toBe(422);
    expect(json).toMatchObject({ code: 'invalid_input' });
    expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['name', 'weightKg', 'materials.0.materialType', 'materials.0.percentage']),
    );
    expect(await list()).toEqual(before);
  });

  test.each([99.98, 100.02])('refuses a composition of %d, naming the materials', async (total) => {
    const materials = [
      { materialType: 'linen', percentage: 50 },
      { materialType: 'elastane', percentage: total - 50 },
    ];
    const { status, json } = await create({ name: 'Sum', materials });
    expect(status).toBe(422);
    expect(json.errors[0]).toMatchObject({ path: 'materials' });
    expect(json.errors[0].message).toContain(String(total));
  });

  test.each(['sku', 'externalId'])('refuses a taken %s, which is free for another organization', async (field) => {
    const value = unique(field);
    await created({ name: 'First', [field]: value });
    const second = await create({ name: 'Second', [field]: value });
    expect([second.status, second.json.code]).toEqual([409, field === 'sku' ? 'sku_taken' : 'external_id_taken']);
    expect(second.json.errors).toMatchObject([{ path: field }]);
    expect((await create({ name: 'Foreign', [field]: value }, {}, other)).status).toBe(201);
  });

  test('compares GTINs as 14 digits', async () => {
    await created({ name: 'GTIN-12', gtin: '036000291452' });
    expect((await create({ name: 'GTIN-14', gtin: '00036000291452' })).json).toMatchObject({ code: 'gtin_taken' });
  });

  test('names all keys that are taken, and keeps none of the others', async () => {
    const [sku, externalId] = [unique('sku'), unique('ext')];
    await created({ name: 'Holder', sku });
    const refused = await create({ name: 'Both', sku, externalId });
    expect(refused.json.code).toBe('sku_taken');
    await created({ name: 'Takes the other', externalId });
  });

  test('lets one of ten win that come with one SKU at once', async () => {
    const sku = unique('race');
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'Racer', sku })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect((await list()).filter((product) => product['sku'] === sku)).toHaveLength(1);
  });

  test('sent twice under one Idempotency-Key makes one product', async () => {
    const headers = { 'idempotency-key': unique('key') };
    const payload = { name: 'Once', sku: unique('once') };
    const [first, second] = [await create(payload, headers), await create(payload, headers)];
    expect(second.json).toEqual(first.json);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  test('refuses an unknown supplier, naming its place', async () => {
    const materials = [{ ...COTTON[0], supplierIds: ['sup_unknown'] }];
    const { status, json } = await create({ name: 'Supplied', materials });
    expect(status).toBe(404);
    expect(json).toMatchObject({ code: 'not_found', errors: [{ path: 'materials.0.supplierIds.0' }] });
  });
});

describe('PUT /brand/products/:id', () => {
  test('changes what is sent, clears what is null, keeps the rest', async () => {
    const { id } = await created({ name: 'Before', sku: unique('put'), careInstructions: 'Cold.', materials: COTTON });
    const { status, json } = await put(id, { name: 'After', careInstructions: null });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: 'After', careInstructions: null });
    expect(json.materials).toHaveLength(1);
    expect((await read(id)).json).toEqual(json);
  });

  test('frees the key that it replaces and holds the new one', async () => {
    const [old, next] = [unique('old'), unique('new')];
    const { id } = await created({ name: 'Renamed', sku: old });
    await put(id, { sku: next });
    expect((await create({ name: 'Takes the new', sku: next })).json.code).toBe('sku_taken');
    await created({ name: 'Takes the old', sku: old });
    expect((await put(id, { sku: old })).json.code).toBe('sku_taken');
    expect((await read(id)).json.sku).toBe(next);
  });

  test('of two that want one free SKU at once gives it to one', async () => {
    const sku = unique('wanted');
    const ids = [(await created({ name: 'A' })).id, (await created({ name: 'B' })).id];
    const answers = await Promise.all(ids.map((id) => put(id, { sku })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([
    [{ name: null }, 422],
    [{ name: '' }, 422],
    [{ categoryId: 'spaceships' }, 422],
  ])('refuses %j', async (payload, status) => {
    const { id } = await created({ name: 'Kept' });
    expect((await put(id, payload)).status).toBe(status);
    expect((await read(id)).json.name).toBe('Kept');
  });
});

test('a refused change keeps the keys that another has meanwhile given the product', async () => {
  const sku = unique('shared');
  const { id: productId } = await created({ name: 'Contended' });
  const refused = holdingKeys(service, { organizationId: brand.organizationId, productId }, async (claim) => {
    await claim(null, { sku, gtin: null, externalId: null });
    expect((await put(productId, { sku })).status).toBe(200);
    throw new Refusal('concurrent_change', 'Overtaken.');
  });
  await expect(refused).rejects.toThrow('Overtaken.');
  expect((await create({ name: 'Another', sku })).json.code).toBe('sku_taken');
});

describe('DELETE /brand/products/:id', () => {
  test('takes the product out of lists and details and frees its keys', async () => {
    const sku = unique('gone');
    const { id } = await created({ name: 'Gone', sku });
    expect((await remove(id)).json).toEqual({ ok: true });
    expect((await read(id)).status).toBe(404);
    expect((await put(id, { name: 'Back' })).status).toBe(404);
    expect((await list()).some((product) => product['id'] === id)).toBe(false);
    await created({ name: 'Next', sku });
  });
  test('sent again frees what a call that came to no end has reserved for it', async () => {
    const sku = unique('left');
    const { id } = await created({ name: 'Left' });
    await remove(id);
    await service.database.query(
      `insert into service.reservations (organization_id, kind, value, owner_id) values ($1, 'product_sku', $2, $3)`,
      [brand.organizationId, sku, id],
    );
    expect((await create({ name: 'Too soon', sku })).status).toBe(409);
    await remove(id);
    await created({ name: 'Next', sku });
  });
  test('answers the same when it is sent again', async () => {
    const { id } = await created({ name: 'Twice' });
    await remove(id);
    expect((await remove(id)).json).toEqual({ ok: true });
  });
  test('is refused once a passport is published', async () => {
    const { id } = await created({ name: 'Published', materials: COTTON });
    await publish(id);
    const { status, json } = await remove(id);
    expect([status, json.code]).toEqual([409, 'product_has_published_dpps']);
    expect((await read(id)).status).toBe(200);
  });
});

describe('POST /brand/products/:id/publish', () => {
  test('publishes a preliminary passport and answers the same again', async () => {
    const { id } = await created({ name: 'Preliminary', materials: COTTON });
    const first = await publish(id);
    expect(first.status).toBe(200);
    expect(first.json).toEqual({
      dppId: expect.stringMatching(/^dpp_/) as string,
      qrUrl: expect.stringMatching(/\/p\/2\d{12}\/[2-9A-HJ-NP-Z]{12}$/) as string,
    });
    expect((await publish(id)).json).toEqual(first.json);
    expect((await list()).find((product) => product['id'] === id)).toMatchObject({ batchCount: 1 });
  });
  test('called by ten at once publishes one passport', async () => {
    const { id } = await created({ name: 'Contended', materials: COTTON });
    const answers = await Promise.all(Array.from({ length: 10 }, () => publish(id)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });
  test('keeps the GTIN of the product as it was entered', async () => {
    const { id } = await created({ name: 'GTIN', gtin: '96385074', materials: COTTON });
    expect((await publish(id)).json.qrUrl).toContain('/p/96385074/');
  });
  test('is refused without a composition', async () => {
    const { id } = await created({ name: 'Bare' });
    const { status, json } = await publish(id);
    expect([status, json.code]).toEqual([409, 'no_composition']);
  });
  test('or a deletion wins when both come at once, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await created({ name: 'Torn', materials: COTTON });
      const [published, deleted] = await Promise.all([publish(id), remove(id)]);
      expect([published.status, deleted.status].filter((status) => status === 200)).toHaveLength(1);
    }
  });
});

describe('a product with a passport', () => {
  test('cannot lose its composition', async () => {
    const { id } = await created({ name: 'Composed', materials: COTTON });
    await publish(id);
    for (const materials of [[], null]) {
      const { status, json } = await put(id, { materials });
      expect([status, json.code]).toEqual([409, 'composition_required']);
    }
  });
});

test("another organization's product answers 404 on every route", async () => {
  const { id } = await created({ name: 'Ours', materials: COTTON });
  const calls = [read(id, other), put(id, { name: 'Theirs' }, other), remove(id, other), publish(id, other)];
  for (const { status, json } of await Promise.all(calls)) expect([status, json.code]).toEqual([404, 'not_found']);
  expect((await list(other)).some((product) => product['id'] === id)).toBe(false);
});

test('lists page by page, newest first, each product once', async () => {
  const lone = await service.asBrand();
  for (const name of ['1', '2', '3', '4', '5']) await create({ name }, {}, lone);
  const names: string[] = [];
  let cursor = '';
  do {
    const { json } = await lone.call({ url: `${PRODUCTS}?limit=2${cursor}` });
    names.push(...(json.data as { name: string }[]).map(({ name }) => name));
    cursor = json.nextCursor === undefined ? '' : `&cursor=${encodeURIComponent(json.nextCursor as string)}`;
  } while (cursor !== '');
  expect(names).toEqual(['5', '4', '3', '2', '1']);
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=nonsense']) {
    expect((await lone.call({ url: `${PRODUCTS}?${query}` })).status).toBe(422);
  }
});
