import { describe, expect, test } from 'vitest';
import type { Brand, TestService } from '../support/service.js';
import { withService } from '../support/shared-service.js';

let service: TestService;
let brand: Brand;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

const create = (key: string, payload: object, by = brand) =>
  by.call({ method: 'POST', url: '/brand/products', headers: { 'idempotency-key': key }, payload });
const namesOf = async (by = brand) =>
  ((await by.call({ url: '/brand/products' })).json.data as { name: string }[]).map(({ name }) => name);

describe('an idempotency key', () => {
  test('sent again answers the same, byte for byte, and makes nothing', async () => {
    const first = await create('a', { name: 'Once' });
    const again = await create('a', { name: 'Once' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect((await namesOf()).filter((name) => name === 'Once')).toHaveLength(1);
  });

  test('with another body is 422, with the same in another order of fields or with unknown ones it is not', async () => {
    const first = await create('b', { name: 'Kept', sku: 'B-1' });
    const other = await create('b', { name: 'Changed', sku: 'B-1' });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await create('b', { sku: 'B-1', name: 'Kept', colour: 'red' })).body).toBe(first.body);
  });

  test("is the organization's own, and the route's", async () => {
    const other = await service.asBrand();
    const [mine, theirs] = [await create('c', { name: 'Mine' }), await create('c', { name: 'Theirs' }, other)];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    const organization = await brand.call({
      method: 'POST',
      url: '/organizations',
      headers: { 'idempotency-key': 'c' },
      payload: { name: 'Second' },
    });
    expect(organization.status).toBe(201);
  });

  test('of a refused call is free again', async () => {
    expect((await create('d', { name: '' })).status).toBe(422);
    await create('d0', { name: 'Holder', sku: 'D-1' });
    expect((await create('d', { name: 'Taken', sku: 'D-1' })).json.code).toBe('sku_taken');
    expect((await create('d', { name: 'Free', sku: 'D-2' })).status).toBe(201);
  });

  test('while its first call runs is 409, or answers what the first one answered', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('e', { name: 'Parallel' })));
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect(made.length).toBeGreaterThan(0);
    expect(made.length + refused.length).toBe(8);
    for (const { json, headers } of refused) {
      expect(json.code).toBe('idempotency_key_in_use');
      expect(headers['retry-after']).toBe('1');
    }
    expect(new Set(made.map(({ json }) => json.id as string)).size).toBe(1);
    expect((await namesOf()).filter((name) => name === 'Parallel')).toHaveLength(1);
  });

  test.each(['', 'x'.repeat(256)])('of %j is 400', async (key) => {
    const { status, json } = await create(key, { name: 'A' });
    expect([status, json.code]).toEqual([400, 'malformed_request']);
  });

  test('may have 255 characters', async () => {
    expect((await create('x'.repeat(255), { name: 'Long key' })).status).toBe(201);
  });

  test('on a call that makes nothing is ignored', async () => {
    const { json } = await create('f', { name: 'Before' });
    const update = (name: string) =>
      brand.call({
        method: 'PUT',
        url: `/brand/products/${json.id}`,
        headers: { 'idempotency-key': 'f2' },
        payload: { name },
      });
    expect((await update('Between')).json.name).toBe('Between');
    expect((await update('After')).json.name).toBe('After');
  });

  test('is forgotten after 24 hours', async () => {
    const first = await create('g', { name: 'Daily' });
    await service.database.query("update service.idempotency_keys set created_at = created_at - interval '25 hours'");
    const next = await create('g', { name: 'Daily, changed' });
    expect(next.status).toBe(201);
    expect(next.json.id).not.toBe(first.json.id);
  });

  test('keeps its answer encrypted', async () => {
    await create('h', { name: 'Secretive' });
    const { rows } = await service.database.query<{ response: Buffer }>(
      "select response from service.idempotency_keys where key = 'h'",
    );
    expect(rows[0]?.response.toString('latin1')).not.toContain('Secretive');
  });

  test('of a call that was cut off after its append finds what that call made', async () => {
    const first = await create('i', { name: 'Cut off', sku: 'I-1' });
    // What a process leaves behind that dies between the append and the answer.
    await service.database.query("update service.idempotency_keys set status = null, response = null where key = 'i'");
    const again = await create('i', { name: 'Cut off', sku: 'I-1' });
    expect([again.status, again.json.id]).toEqual([201, first.json.id]);
    expect((await namesOf()).filter((name) => name === 'Cut off')).toHaveLength(1);
  });
});
