import { describe, expect, test } from 'vitest';
import type { Answer, Brand, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';

let service: TestService;
let brand: Brand;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

interface NewKey {
  readonly id: string;
  readonly key: string;
}

const keysUrl = (owner: Brand, id?: string) =>
  `/organizations/${owner.organizationId}/api-keys${id === undefined ? '' : `/${id}`}`;
const make = async (owner: Brand, scopes: readonly string[], name = 'ERP') => {
  const { status, json, body } = await owner.call({ method: 'POST', url: keysUrl(owner), payload: { name, scopes } });
  expect(status, body).toBe(201);
  return json as NewKey;
};
const call = (
  { key }: NewKey,
  method: 'GET' | 'POST',
  url: string,
  { payload, organizationId = brand.organizationId }: { payload?: object; organizationId?: string | null } = {},
) =>
  service.call({
    ...{ method, url },
    headers: {
      authorization: `Bearer ${key}`,
      ...(organizationId === null ? {} : { 'x-organization-id': organizationId }),
    },
    ...(payload === undefined ? {} : { payload }),
  });
const codeOf = ({ status, json }: Answer) => [status, json?.code];
const listed = async (id: string) => {
  const { json } = await brand.call({ url: keysUrl(brand) });
  return (json.data as { id: string; lastUsedAt: number | null }[]).find((key) => key.id === id);
};

describe('an API key', () => {
  test('is shown once and rests as a hash', async () => {
    const payload = { name: 'ERP', scopes: ['read', 'write', 'read'] };
    const { status, json } = await brand.call({ method: 'POST', url: keysUrl(brand), payload });
    expect([status, json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^key_/) as string,
        name: 'ERP',
        scopes: ['read', 'write'],
        createdAt: expect.any(Number) as number,
        lastUsedAt: null,
        key: expect.stringMatching(/^pps_[\w-]{43}$/) as string,
      },
    ]);
    const { key, ...shown } = json as NewKey;
    expect(await listed(shown.id)).toEqual(shown);
    const { rows } = await service.database.query<{ row: string }>('select k::text as row from service.api_keys k');
    expect(JSON.stringify(rows)).not.toContain(key.slice(4));
  });

  test('made again under one Idempotency-Key is the same, with the same answer', async () => {
    const owner = await service.asBrand();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const send = () =>
      owner.call({ method: 'POST', url: keysUrl(owner), headers, payload: { name: 'A', scopes: ['read'] } });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.json]).toEqual([201, first.json]);
    expect((await owner.call({ url: keysUrl(owner) })).json.data).toHaveLength(1);
  });

  test('calls /brand with its scopes; the event names the key as the actor', async () => {
    const writer = await make(brand, ['write']);
    const made = await call(writer, 'POST', '/brand/products', { payload: { name: 'Shirt' } });
    expect(made.status).toBe(201);
    expect(codeOf(await call(writer, 'GET', '/brand/products'))).toEqual([403, 'scope_required']);
    const actors: unknown[] = [];
    for await (const event of service.eventStore.readStream(`product-${made.json.id as string}`))
      actors.push(event.metadata.actor);
    expect(actors).toEqual([{ type: 'api_key', id: writer.id }]);

    const reader = await make(brand, ['read']);
    expect((await call(reader, 'GET', '/brand/products')).status).toBe(200);
    expect(codeOf(await call(reader, 'POST', '/brand/products', { payload: { name: 'No' } }))).toEqual([
      403,
      'scope_required',
    ]);
    const invite = { factoryName: 'Fiação', contactEmail: 'f@example.com', country: 'PT', tier: 1 };
    expect((await call(writer, 'POST', '/brand/suppliers/invite', { payload: invite })).status).toBe(201);
  });

  test('is of one organization, which the header must name, and of nothing but /brand', async () => {
    const [key, other] = [await make(brand, ['read', 'write']), await service.asBrand()];
    const organizationId = other.organizationId;
    expect(codeOf(await call(key, 'GET', '/brand/products', { organizationId }))).toEqual([403, 'not_a_member']);
    expect(codeOf(await call(key, 'GET', '/brand/products', { organizationId: null }))).toEqual([
      400,
      'organization_header_missing',
    ]);
    for (const url of ['/organizations', keysUrl(brand), `/organizations/${brand.organizationId}`, '/account/export']) {
      expect(codeOf(await call(key, 'GET', url)), url).toEqual([401, 'unauthenticated']);
    }
    const forged = { ...key, key: `${key.key.slice(0, -1)}${key.key.endsWith('A') ? 'B' : 'A'}` };
    expect(codeOf(await call(forged, 'GET', '/brand/products'))).toEqual([401, 'unauthenticated']);
  });

  test('for webhooks still needs the Pro plan', async () => {
    const free = await service.asBrand({ plan: 'free' });
    const key = await make(free, ['webhooks']);
    const { organizationId } = free;
    const payload = { url: 'https://hooks.example/passports', events: ['dpp.published'] };
    expect(codeOf(await call(key, 'POST', '/brand/webhooks', { organizationId, payload }))).toEqual([
      403,
      'plan_required',
    ]);
    const ofPro = await make(brand, ['webhooks']);
    expect((await call(ofPro, 'POST', '/brand/webhooks', { payload })).status).toBe(201);
  });

  test('shows its last use, written at most once a minute', async () => {
    const key = await make(brand, ['read']);
    const use = () => call(key, 'GET', '/brand/products');
    const version = async () => {
      const { rows } = await service.database.query<{ xmin: string }>(
        'select xmin::text from service.api_keys where id = $1',
        [key.id],
      );
      return rows[0]?.xmin;
    };
    await use();
    const first = await listed(key.id);
    expect(first?.lastUsedAt).toBeGreaterThan(Date.now() - 60_000);
    const written = await version();
    await Promise.all(Array.from({ length: 10 }, use));
    expect(await version()).toBe(written);
    await service.database.query(
      `update service.api_keys set last_used_at = now() - interval '61 seconds' where id = $1`,
      [key.id],
    );
    await use();
    expect((await listed(key.id))?.lastUsedAt).toBeGreaterThanOrEqual(first?.lastUsedAt ?? Infinity);
  });

  test('that was revoked is refused at once', async () => {
    const key = await make(brand, ['read']);
    expect((await call(key, 'GET', '/brand/products')).status).toBe(200);
    const revoke = (owner: Brand) => owner.call({ method: 'DELETE', url: keysUrl(owner, key.id) });
    expect((await revoke(await service.asBrand())).status).toBe(404);
    expect((await revoke(brand)).json).toEqual({ ok: true });
    expect(codeOf(await call(key, 'GET', '/brand/products'))).toEqual([401, 'unauthenticated']);
    expect((await revoke(brand)).status).toBe(404);
    expect(await listed(key.id)).toBeUndefined();
  });

  test('needs a name and scopes that there are', async () => {
    for (const [path, payload] of [
      ['name', { scopes: ['read'] }],
      ['name', { name: ' ', scopes: ['read'] }],
      ['name', { name: 'x'.repeat(201), scopes: ['read'] }],
      ['scopes', { name: 'A', scopes: [] }],
      ['scopes.0', { name: 'A', scopes: ['admin'] }],
      ['scopes', { name: 'A', scopes: 'read' }],
    ] as const) {
      const { status, json } = await brand.call({ method: 'POST', url: keysUrl(brand), payload });
      expect([status, json.errors[0].path]).toEqual([422, path]);
    }
  });

  test('is one of at most 50', async () => {
    const owner = await service.asBrand();
    await service.database.query(
      `insert into service.api_keys (id, organization_id, name, scopes, key_hash)
       select 'key_' || $1 || n, $1, 'K', '{read}', decode(md5($1 || n), 'hex') from generate_series(1, 50) n`,
      [owner.organizationId],
    );
    const payload = { name: 'One more', scopes: ['read'] };
    expect(codeOf(await owner.call({ method: 'POST', url: keysUrl(owner), payload }))).toEqual([409, 'api_key_limit']);
  });
});
