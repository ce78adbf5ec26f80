import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RowOutcome } from '../../../src/modules/imports/contract.js';
import { rowsOfJson } from '../../../src/modules/imports/json-rows.js';
import { createKeySightings } from '../../../src/modules/imports/key-sightings.js';
import { createPlanner, planRows, seeKeys } from '../../../src/modules/imports/plan.js';
import { verifyAll } from '../../../src/infrastructure/event-store/verify.js';
import type { Brand, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';
import { commit, eventsOf, imports, summary, tee, unique, validate, type Row } from './rows.js';

let service: TestService;
let brand: Brand;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

const run = (rows: readonly unknown[], mode: 'create' | 'upsert' = 'create') => imports(service, brand, rows, mode);
const one = async (row: object, mode: 'create' | 'upsert' = 'create'): Promise<Row> => {
  const [outcome] = (await run([row], mode)).rows;
  if (outcome === undefined) throw new Error('a row has no outcome');
  return outcome;
};
const product = async (id = '') => (await brand.call({ url: `/brand/products/${id}` })).json;
const passportsOf = async (id = '') =>
  (await brand.call({ url: `/brand/dpps/by-product/${id}` })).json.data as Record<string, unknown>[];
const codes = (said: readonly { code: string }[]) => said.map(({ code }) => code);

describe('rule 1: rows are matched by external_id, then gtin, then sku', () => {
  test('each key finds the product that has it', async () => {
    const keys = { externalId: unique('ext'), gtin: '4012345678901', sku: unique('sku') };
    const { productId } = await one(tee(keys));
    for (const key of ['externalId', 'gtin', 'sku'] as const) {
      expect(await one({ name: 'Found', [key]: keys[key] }), key).toMatchObject({ outcome: 'skipped', productId });
    }
  });
  test('keys of two products are an error that names both', async () => {
    const [a, b] = [tee(), tee({ externalId: undefined, sku: unique('sku') })];
    const [first, second] = [await one(a), await one(b)];
    const { outcome, errors } = await one({ name: 'Both', externalId: a.externalId, sku: (b as { sku?: string }).sku });
    expect(outcome).toBe('error');
    expect(errors).toMatchObject([{ code: 'ambiguous_keys', field: 'sku' }]);
    expect(errors[0]?.message).toContain(first.productId);
    expect(errors[0]?.message).toContain(second.productId);
  });
  test('rows of one call match each other, and a clash names the row that is not born yet', async () => {
    const [ext, sku] = [unique('ext'), unique('sku')];
    const rows = [tee({ externalId: ext }), tee({ externalId: undefined, sku }), tee({ externalId: ext, sku })];
    const { rows: outcomes } = await run(rows);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['create', 'create', 'error']);
    expect(outcomes[2]?.errors[0]?.message).toMatch(/^Row 4: .*row 2.*row 3/);
  });
  test('another organization is never matched', async () => {
    const row = tee();
    await one(row);
    const other = await service.asBrand({ name: 'Other' });
    expect((await imports(service, other, [row])).summary).toEqual(summary({ create: 1, passports: 1 }));
  });
});

test('rule 2: a row without a key makes a product each time', async () => {
  const row = tee({ externalId: undefined });
  const [first, second] = [await one(row), await one(row)];
  expect([first.outcome, second.outcome]).toEqual(['create', 'create']);
  expect(first.productId).not.toBe(second.productId);
});

describe('rule 3: unchanged rows are skipped', () => {
  test('a second import of the same rows appends nothing, in both modes', async () => {
    const rows = [
      tee(),
      tee({ gtin: '4006381333931' }),
      tee({ weightKg: undefined }),
      { name: 'Bare', sku: unique('sku') },
    ];
    await run(rows);
    const before = (await eventsOf(service, brand)).length;
    expect((await run(rows)).summary).toEqual(summary({ skipped: 4 }));
    expect((await run(rows, 'upsert')).summary).toEqual(summary({ unchanged: 4 }));
    expect((await eventsOf(service, brand)).length).toBe(before);
  });
  test('blank cells leave a field as it is', async () => {
    const row = tee({ careInstructions: 'Cold.', countryOfManufacture: 'PT', category: 'tshirts' });
    const { productId } = await one(row);
    const blank = { weightKg: '', careInstructions: ' ', countryOfManufacture: null, category: '', materials: [] };
    expect(await one({ ...row, ...blank }, 'upsert')).toMatchObject({ outcome: 'unchanged', warnings: [] });
    expect(await product(productId)).toMatchObject({
      careInstructions: 'Cold.',
      weightKg: 0.18,
      subcategory: 'tshirts',
    });
  });
  test('a supplier that a material comes from makes no difference, and stays', async () => {
    const row = tee();
    const { productId } = await one(row);
    const invite = { factoryName: 'Mill', contactEmail: `${unique('mill')}@example.com`, country: 'PT', tier: 2 };
    const supplier = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload: invite });
    const materials = row.materials.map((material) => ({ ...material, supplierIds: [supplier.json.id as string] }));
    await brand.call({ method: 'PUT', url: `/brand/products/${productId}`, payload: { materials } });
    expect(await one(row, 'upsert')).toMatchObject({ outcome: 'unchanged' });
    await one({ ...row, materials: [{ ...row.materials[0], percentage: 100 }] }, 'upsert');
    expect((await product(productId)).materials).toMatchObject([
      { percentage: 100, suppliers: [{ factoryName: 'Mill' }] },
    ]);
  });
});

test('rule 3: a GTIN that differs by its leading zeros is the same, and stays as it is stored', async () => {
  const row = tee({ externalId: undefined, gtin: '4006381333931' });
  const { productId } = await one(row);
  const padded = { ...row, gtin: '04006381333931' };
  expect((await run([padded, row], 'upsert')).rows).toMatchObject([
    { outcome: 'unchanged', productId, warnings: [] },
    { outcome: 'unchanged', productId, warnings: [] },
  ]);
  expect((await product(productId)).gtin).toBe('4006381333931');
});

describe('origins that a row leaves blank', () => {
  const bare = (row: ReturnType<typeof tee>, shares: readonly number[] = [95, 5]) => ({
    ...row,
    materials: row.materials.map(({ materialType }, index) => ({ materialType, percentage: shares[index] })),
  });

  test('stay where the composition is the same, and it is told', async () => {
    const row = tee();
    const { productId } = await one(row);
    expect(await one(bare(row), 'upsert')).toMatchObject({
      outcome: 'unchanged',
      warnings: [
        {
          code: 'origins_kept',
          field: 'materials',
          message: expect.stringMatching(/cotton_organic \(TR\), elastane \(CN\)/),
        },
      ],
    });
    const text = { ...row, materials: undefined, composition: '95% organic cotton, 5% elastane' };
    expect((await one(text, 'upsert')).outcome).toBe('unchanged');
    const other = { ...bare(row), materials: [{ ...row.materials[0], originCountry: 'IN' }, bare(row).materials[1]] };
    expect((await one(other, 'upsert')).outcome).toBe('update');
    expect((await product(productId)).materials).toMatchObject([{ originCountry: 'IN' }, { originCountry: 'CN' }]);
  });

  test('go with a composition that is replaced, and it is told before and after', async () => {
    const row = tee();
    const { productId } = await one(row);
    expect(await one(bare(row, [90, 10]), 'upsert')).toMatchObject({
      outcome: 'update',
      warnings: [{ code: 'origins_removed', field: 'materials' }],
    });
    expect((await product(productId)).materials).toMatchObject([{ originCountry: null }, { originCountry: null }]);
    expect((await one(bare(row, [90, 10]), 'upsert')).warnings).toEqual([]);
  });

  test('take no supplier with them', async () => {
    const row = tee();
    const { productId } = await one(row);
    const invite = { factoryName: 'Mill', contactEmail: `${unique('mill')}@example.com`, country: 'PT', tier: 2 };
    const supplier = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload: invite });
    const materials = row.materials.map((material) => ({ ...material, supplierIds: [supplier.json.id as string] }));
    await brand.call({ method: 'PUT', url: `/brand/products/${productId}`, payload: { materials } });
    await one(bare(row, [90, 10]), 'upsert');
    expect((await product(productId)).materials).toMatchObject([
      { percentage: 90, suppliers: [{ factoryName: 'Mill' }] },
      { percentage: 10, suppliers: [{ factoryName: 'Mill' }] },
    ]);
  });
});

describe('a weight that no such product has', () => {
  test('is an error that says so, and no passport', async () => {
    const { rows, summary: counts } = await run([
      tee({ category: 'tshirts', weightKg: 40 }),
      tee({ weightKg: '450' }),
      tee({ category: 'tshirts', weightKg: 180, weightUnit: 'g' }),
    ]);
    expect(counts).toMatchObject({ create: 1, errors: 2, passports: 1 });
    expect(rows[0]?.errors).toMatchObject([
      {
        code: 'invalid_value',
        field: 'weightKg',
        message: expect.stringMatching(/^Row 2: A weight of 40 kg is implausible/),
      },
    ]);
  });

  test('is one by the category that the product has, where the row says none', async () => {
    const row = tee({ category: 'jackets_coats', weightKg: 3 });
    const { productId } = await one(row);
    const { category: _category, ...bare } = row as typeof row & { category: string };
    expect((await one({ ...bare, weightKg: 3.5 }, 'upsert')).outcome).toBe('update');
    expect(await one({ ...bare, weightKg: 12 }, 'upsert')).toMatchObject({
      outcome: 'error',
      errors: [{ field: 'weightKg' }],
    });
    // The weight stays, and would be that of a tee.
    const tshirt = { ...bare, weightKg: null, category: 'tshirts' };
    expect(await one(tshirt, 'upsert')).toMatchObject({ outcome: 'error', errors: [{ field: 'weightKg' }] });
    expect(await product(productId)).toMatchObject({ weightKg: 3.5, subcategory: 'jackets_coats' });
  });
});

describe('rule 4: create and upsert', () => {
  test('create leaves a matched product untouched', async () => {
    const row = tee();
    const { productId } = await one(row);
    expect(await one({ ...row, name: 'Renamed' })).toMatchObject({ outcome: 'skipped', productId });
    expect((await product(productId)).name).toBe('Organic tee');
  });
  test('upsert overwrites what changed, replaces the composition as a whole and republishes under the same address', async () => {
    const row = tee({ careInstructions: 'Cold.' });
    const { productId, dppId } = await one(row);
    const [before] = await passportsOf(productId);
    const materials = [{ materialType: 'linen', percentage: 100, originCountry: 'FR' }];
    const changed = await run([{ ...row, name: 'Linen tee', careInstructions: undefined, materials }], 'upsert');
    expect(changed.summary).toEqual(summary({ update: 1, passports: 1 }));
    expect(changed.rows[0]).toMatchObject({ productId, dppId });
    const after = await product(productId);
    expect(after).toMatchObject({ name: 'Linen tee', careInstructions: 'Cold.' });
    expect(after.materials).toMatchObject([{ materialType: 'linen', percentage: 100 }]);
    const passports = await passportsOf(productId);
    expect(passports).toMatchObject([{ id: dppId, qrUrl: before?.['qrUrl'], serial: before?.['serial'], version: 2 }]);
  });
  test('a field that no page shows makes no new version', async () => {
    const row = tee({ sku: unique('sku') });
    const { productId } = await one(row);
    const { summary: counts } = await run([{ ...row, externalId: unique('new') }], 'upsert');
    expect(counts).toEqual(summary({ update: 1 }));
    expect(await passportsOf(productId)).toMatchObject([{ version: 1 }]);
  });
  test('upsert writes a differing key if it is free, and what it replaces is free again', async () => {
    const row = tee({ sku: unique('old') });
    const { productId } = await one(row);
    const sku = unique('new');
    expect(await one({ ...row, sku }, 'upsert')).toMatchObject({ outcome: 'update', productId });
    expect(await one(tee({ externalId: undefined, sku: (row as { sku?: string }).sku }))).toMatchObject({
      outcome: 'create',
    });
    expect(await one({ name: 'Found', sku })).toMatchObject({ outcome: 'skipped', productId });
  });
  test('a later row of the call changes what an earlier one made, and is warned about', async () => {
    const row = tee();
    const { rows, summary: counts } = await run([row, row, { ...row, name: 'Again' }], 'upsert');
    expect(rows.map(({ outcome }) => outcome)).toEqual(['create', 'unchanged', 'update']);
    expect(rows.map(({ warnings }) => codes(warnings))).toEqual([[], [], ['repeated_key']]);
    expect(counts).toEqual(summary({ create: 1, unchanged: 1, update: 1, passports: 2 }));
    expect(await passportsOf(rows[0]?.productId)).toMatchObject([{ version: 2, productName: 'Again' }]);
  });
});

describe('rule 5: errors skip the row', () => {
  test.each([
    [{ name: ' ' }, 'missing_name', 'name'],
    [{ category: 'spaceships' }, 'unknown_category', 'category'],
    [{ materials: [{ materialType: 'cotton', percentage: 60 }] }, 'composition_total', 'materials'],
    [{ materials: [{ materialType: 'unobtainium', percentage: 100 }] }, 'unknown_material', 'materials.0.materialType'],
  ])('%j: %s', async (wrong, code, field) => {
    const { outcome, errors, productId } = await one(tee(wrong));
    expect([outcome, productId]).toEqual(['error', undefined]);
    expect(errors).toMatchObject([{ code, field }]);
  });
  test('a missing name is an error of a matched row too', async () => {
    const row = tee();
    await one(row);
    expect(await one({ ...row, name: null }, 'upsert')).toMatchObject({ outcome: 'error' });
  });
});

describe('rule 6: warnings import the row anyway', () => {
  test('a missing weight is 0.25 kg, flagged', async () => {
    const { outcome, warnings, productId } = await one(tee({ weightKg: null }));
    expect([outcome, codes(warnings)]).toEqual(['create', ['missing_weight']]);
    expect(await product(productId)).toMatchObject({ weightKg: 0.25, weightEstimated: true });
    expect(await passportsOf(productId)).toHaveLength(1);
  });
  test('no composition makes a product only', async () => {
    const { outcome, warnings, productId, dppId } = await one(tee({ materials: undefined }));
    expect([outcome, codes(warnings), dppId]).toEqual(['create', ['no_composition'], undefined]);
    expect(await passportsOf(productId)).toEqual([]);
  });
});

describe('rule 7: rows with name, category, composition and weight get a passport', () => {
  test('published, preliminary, on a batch of its own', async () => {
    const { productId, dppId } = await one(tee({ gtin: '96385074' }));
    const [passport] = await passportsOf(productId);
    expect(passport).toMatchObject({
      id: dppId,
      preliminary: true,
      poReference: 'IMPORT',
      quantity: 1,
      gtin: '96385074',
    });
    const { json } = await brand.call({ url: `/brand/batches?productId=${productId}` });
    expect(json.data).toMatchObject([{ state: 'published', factoryName: null, unit: 'piece' }]);
  });
  test('an update that completes the product publishes its first; an unchanged row publishes nothing', async () => {
    const row = tee();
    const { productId } = await one({ ...row, materials: undefined });
    expect((await run([{ ...row, materials: undefined }], 'upsert')).summary).toEqual(summary({ unchanged: 1 }));
    expect((await run([row], 'upsert')).summary).toEqual(summary({ update: 1, passports: 1 }));
    expect(await passportsOf(productId)).toHaveLength(1);
  });
  test('a passport can be published later from the product', async () => {
    const row = tee({ materials: undefined });
    const { productId } = await one(row);
    const materials = [{ materialType: 'linen', percentage: 100 }];
    await brand.call({ method: 'PUT', url: `/brand/products/${productId}`, payload: { materials } });
    expect((await run([row], 'upsert')).summary).toEqual(summary({ unchanged: 1 }));
    const { json } = await brand.call({ method: 'POST', url: `/brand/products/${productId}/publish` });
    expect(await passportsOf(productId)).toMatchObject([{ id: json.dppId }]);
  });
});

describe('rule 8: every row has its own outcome', () => {
  test('one bad row fails nobody else, and messages carry the row number', async () => {
    const rows = [tee(), tee({ name: '' }), 7, tee({ row: 40, gtin: '12' }), tee({ row: 2 }), tee()];
    const { rows: outcomes, summary: counts } = await run(rows);
    expect(counts).toEqual(summary({ create: 2, errors: 4, passports: 2 }));
    expect(outcomes.map(({ row }) => row)).toEqual([2, 3, 4, 40, 6, 7]);
    for (const { row, errors } of outcomes) {
      for (const { message } of errors) expect(message).toMatch(new RegExp(`^Row ${row}: `));
    }
  });
  test('all mistakes of a row are told', async () => {
    const { errors } = await one(
      tee({ name: 'a\nb', gtin: 'x', weightKg: 'heavy', recyclable: 'perhaps', sku: 'a\0b' }),
    );
    expect(errors.map(({ code, field }) => [code, field])).toEqual([
      ['invalid_value', 'name'],
      ['invalid_value', 'sku'],
      ['invalid_gtin', 'gtin'],
      ['invalid_value', 'weightKg'],
      ['invalid_value', 'recyclable'],
    ]);
  });
});

test('rule 9: free text is normalized, with a warning for each mapping', async () => {
  const materials = [{ materialType: 'Bio-Baumwolle', percentage: '100 %', originCountry: 'Türkei' }];
  const { warnings, productId } = await one(
    tee({ materials, category: 'T-Shirt', countryOfManufacture: 'Portogallo' }),
  );
  expect(warnings).toMatchObject([
    { code: 'mapped', field: 'category', from: 'T-Shirt', to: 'tshirts' },
    { code: 'mapped', field: 'countryOfManufacture', from: 'Portogallo', to: 'PT' },
    { code: 'mapped', field: 'materials.0.materialType', from: 'Bio-Baumwolle', to: 'cotton_organic' },
    { code: 'mapped', field: 'materials.0.originCountry', from: 'Türkei', to: 'TR' },
  ]);
  expect(await product(productId)).toMatchObject({ subcategory: 'tshirts', countryOfManufacture: 'PT' });
});

test('rule 10: validation counts before anything is written', async () => {
  const [known, same] = [tee(), tee()];
  await commit(brand, [known, same]);
  const rows = [{ ...known, name: 'Changed' }, same, tee(), tee({ name: '' })];
  const before = (await eventsOf(service, brand)).length;
  expect((await validate(brand, rows, 'upsert')).summary).toEqual(
    summary({ update: 1, unchanged: 1, create: 1, errors: 1, passports: 2 }),
  );
  expect((await validate(brand, rows)).summary).toEqual(summary({ skipped: 2, create: 1, errors: 1, passports: 1 }));
  expect((await eventsOf(service, brand)).length).toBe(before);
});

test.each(['create', 'upsert'] as const)('a file that is planned in parts is planned as a whole: %s', async (mode) => {
  // Few keys for many rows: they match products that are there, each other, two at once, and give each other's keys away.
  const stem = unique('part');
  const key = fc.option(fc.integer({ min: 0, max: 14 }), { nil: undefined });
  const drawn = fc.record({ externalId: key, sku: key, gtin: key, name: fc.constantFrom('Tee', 'Shirt', '') });
  const draw = (seed: number, count: number) =>
    fc.sample(drawn, { seed, numRuns: count }).map(({ externalId, sku, gtin, name }) =>
      tee({
        name,
        externalId: externalId === undefined ? undefined : `${stem}-e${externalId}`,
        sku: sku === undefined ? undefined : `${stem}-s${sku}`,
        gtin: gtin === undefined ? undefined : `40000000${String(gtin).padStart(4, '0')}`,
      }),
    );
  await commit(brand, draw(1, 8));
  for (const seed of [2, 3, 4, 5]) {
    const rows = rowsOfJson(draw(seed, 60));
    const whole = await planRows(service, brand.organizationId, rows, mode);
    const sightings = createKeySightings();
    await seeKeys(sightings, rows);
    const planner = createPlanner(service, brand.organizationId, mode, sightings);
    const parts: RowOutcome[] = [];
    for (let start = 0; start < rows.length; start += 7) {
      parts.push(...(await planner.plan(rows.slice(start, start + 7))));
    }
    expect(parts).toEqual(whole);
  }
});

test('a field under another spelling of its name is refused by that name, not left out', async () => {
  const { rows } = await run([
    { name: 'Tee', external_id: unique('snake'), weight_kg: 0.18 },
    { Name: 'Tee', externalId: unique('snake') },
    tee({ materials: [{ material_type: 'cotton', percentage: 100, origin_country: 'TR' }] }),
    tee({ category_id: 'textile_apparel', expected_lifespan_years: 3, material_1_type: 'cotton' }),
    tee({ weight_kg: null, colour: 'red', note: 'external_id' }),
  ]);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error', 'error', 'create']);
  const said = rows.map(({ errors }) =>
    errors.map(({ code, field, message }) => [code, field, /"([^"]*)"/.exec(message)?.[1]]),
  );
  expect(said).toEqual([
    [
      ['invalid_value', 'externalId', 'external_id'],
      ['invalid_value', 'weightKg', 'weight_kg'],
    ],
    [['invalid_value', 'name', 'Name']],
    [
      ['invalid_value', 'materials.0.materialType', 'material_type'],
      ['invalid_value', 'materials.0.originCountry', 'origin_country'],
    ],
    [
      ['invalid_value', 'categoryId', 'category_id'],
      ['invalid_value', 'expectedLifespanYears', 'expected_lifespan_years'],
      ['invalid_value', 'material1Type', 'material_1_type'],
    ],
    [],
  ]);
});

test('rule 11: columns that nobody knows are left alone in a row; a mapping gives them a name before', async () => {
  expect(await one({ ...tee(), Farbe: 'blau', colour: { r: 1 } })).toMatchObject({ outcome: 'create', warnings: [] });
});

describe('suppliers in rows', () => {
  const suppliers = async (email: string) =>
    ((await brand.call({ url: '/brand/suppliers' })).json.data as Record<string, unknown>[]).filter(
      ({ contactEmail }) => contactEmail === email,
    );
  test('an address makes one record of tier 1, mails nobody, and can be invited later', async () => {
    const email = `${unique('mill')}@example.com`;
    const rows = [tee({ supplierEmail: email.toUpperCase(), supplierName: 'Mill' }), tee({ supplierEmail: email })];
    await run(rows);
    expect(await suppliers(email)).toMatchObject([{ factoryName: 'Mill', state: 'recorded', tier: 1, country: null }]);
    const before = (await eventsOf(service, brand)).length;
    expect((await run(rows, 'upsert')).summary).toEqual(summary({ unchanged: 2 }));
    expect((await eventsOf(service, brand)).length).toBe(before);

    const payload = { factoryName: 'Mill SA', contactEmail: email, country: 'PT', tier: 1 };
    const { status } = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
    expect(status).toBe(201);
    expect(await suppliers(email)).toMatchObject([{ factoryName: 'Mill SA', state: 'invited', country: 'PT' }]);
  });
  test('a name alone stands on the product and makes no difference', async () => {
    const row = tee({ supplierName: 'Mill' });
    const { productId } = await one(row);
    expect(await product(productId)).toMatchObject({ supplierName: 'Mill' });
    expect(await one({ ...row, supplierName: 'Other' }, 'upsert')).toMatchObject({ outcome: 'unchanged' });
  });
});

test('every event of a row says which import, file and row it came from, and the chain holds', async () => {
  const { productId, row } = await one(tee({ row: 17 }));
  const events = (await eventsOf(service, brand)).filter(({ metadata }) => metadata.import?.row === 17);
  expect(events.map(({ type }) => type).sort()).toEqual(
    [
      'BatchCreated',
      'BatchPublished',
      'BatchScored',
      'PassportPublished',
      'ProductCreated',
      'ProductPassportIssued',
    ].sort(),
  );
  expect(new Set(events.map(({ metadata }) => JSON.stringify(metadata.import))).size).toBe(1);
  expect(events[0]?.metadata.import).toEqual({
    importId: expect.stringMatching(/^imp_/) as string,
    fileHash: null,
    row,
  });
  expect((await verifyAll(service.eventStore)).problems).toEqual([]);
  expect(productId).toBeDefined();
});
