import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Brand, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';
import { eventsOf, tee, unique } from './rows.js';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

let service: TestService;
let brand: Brand;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

describe('bounds of the JSON calls', () => {
  test.each([
    ['validate', 300],
    ['commit', 25],
  ])('%s takes %d rows; one more is refused with the limit', async (path, limit) => {
    const rows = Array.from({ length: limit + 1 }, () => ({ name: '' }));
    const call = (payload: object) => brand.call({ method: 'POST', url: `/brand/bulk/${path}`, payload });
    const refused = await call({ rows });
    expect([refused.status, refused.json.code]).toEqual([422, 'invalid_input']);
    expect(refused.json.errors).toMatchObject([{ path: 'rows' }]);
    expect(refused.json.errors[0].message).toContain(String(limit));
    expect((await call({ rows: rows.slice(1) })).json.summary).toMatchObject({ errors: limit });
  });
  test('mode and rows themselves are checked', async () => {
    const { status, json } = await brand.call({
      ...{ method: 'POST', url: '/brand/bulk/validate', payload: { mode: 'replace', rows: {} } },
    });
    expect(status).toBe(422);
    expect(json.errors.map(({ path }: { path: string }) => path)).toEqual(['mode', 'rows']);
  });
});

describe('POST /brand/bulk/products', () => {
  const upload = (csv: string, { as = brand, part = 'file', key = '' } = {}) => {
    const boundary = 'x'.repeat(24);
    const payload =
      `--${boundary}\r\nContent-Disposition: form-data; name="${part}"; filename="products.csv"\r\n` +
      `Content-Type: text/csv\r\n\r\n${csv}\r\n--${boundary}--\r\n`;
    const headers = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(key !== '' && { 'idempotency-key': key }),
    };
    return as.call({ method: 'POST', url: '/brand/bulk/products', headers, payload });
  };
  const HEADER = 'name,external_id,weight_kg,material_1_type,material_1_percent,material_1_origin';
  const line = (id: string) => `Tee,${id},"0,18",Bio-Baumwolle,100,TR`;

  test('creates, skips and tells errors by the row of the sheet', async () => {
    const [a, b] = [unique('csv'), unique('csv')];
    const csv = [HEADER, line(a), '', `,${unique('csv')},,,,`, line(b), line(a)].join('\n');
    const first = await upload(csv);
    expect(first.status, first.body).toBe(200);
    expect(first.json).toMatchObject({ created: 2, skipped: 1, errors: [{ row: 4 }] });
    expect(first.json.errors[0].error).toMatch(/^Row 4: /);
    expect((await upload(csv)).json).toMatchObject({ created: 0, skipped: 3 });
    const made = (await eventsOf(service, brand)).find(
      ({ type, data }) => type === 'ProductCreated' && (data as { externalId?: string }).externalId === b,
    );
    expect(made?.metadata.import).toMatchObject({ row: 5, fileHash: hashOf(csv) });
  });
  test('under one key answers one file once, keyless rows too, and no other file', async () => {
    const key = unique('legacy');
    const csv = [HEADER, line(''), line('')].join('\n');
    expect((await upload(csv, { key })).json).toMatchObject({ created: 2 });
    const again = await upload(csv, { key });
    expect([again.json.created, again.headers['idempotent-replayed']]).toEqual([2, 'true']);
    const other = await upload(`${csv}\n${line('')}`, { key });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    const made = (await eventsOf(service, brand)).filter(({ metadata }) => metadata.import?.fileHash === hashOf(csv));
    expect(made.filter(({ type }) => type === 'ProductCreated')).toHaveLength(2);
  });
  test('refuses 51 rows on the free plan before anything is written, and takes 50', async () => {
    const free = await service.asBrand({ plan: 'free' });
    const rows = Array.from({ length: 51 }, (_, index) => `Plain ${index},${unique('free')},,,,`);
    const refused = await upload([HEADER, ...rows].join('\n'), { as: free });
    expect([refused.status, refused.json.code]).toEqual([403, 'plan_limit']);
    expect((await eventsOf(service, free)).filter(({ type }) => type === 'ProductCreated')).toEqual([]);
    expect((await upload([HEADER, ...rows.slice(1)].join('\n'), { as: free })).json).toMatchObject({ created: 50 });
  });
  test('says once which row it is, whatever is wrong with it', async () => {
    const { json } = await upload([HEADER, `,${unique('twice')},heavy,unobtainium,100,`].join('\n'));
    expect(json.errors).toMatchObject([{ row: 2 }]);
    expect(json.errors[0].error).toMatch(/^Row 2: The name is missing\. .*heavy.*unobtainium/);
    expect(json.errors[0].error.match(/row/gi)).toHaveLength(1);
  });
  test.each([
    ['a file without a name column', 'sku,weight_kg\nS,1', 422, 'name_unmapped'],
    ['an empty file', '', 422, 'file_unreadable'],
    ['5,001 rows', `name\n${'x\n'.repeat(5_001)}`, 413, 'payload_too_large'],
  ])('refuses %s', async (_what, csv, status, code) => {
    const refused = await upload(csv);
    expect([refused.status, refused.json.code], refused.body).toEqual([status, code]);
  });
  test('refuses a body without the part, and one that is not multipart', async () => {
    expect((await upload('name\nA', { part: 'other' })).status).toBe(422);
    const json = await brand.call({ method: 'POST', url: '/brand/bulk/products', payload: { rows: [tee()] } });
    expect([json.status, json.json.code]).toEqual([415, 'unsupported_media_type']);
  });
});
