import { describe, expect, test } from 'vitest';
import type { Brand, TestService } from '../support/service.js';
import { eventually } from '../support/brand-story.js';
import { withService } from '../support/shared-service.js';

let service: TestService;
let brand: Brand;
const post = (payload: string | Buffer | object, headers: Record<string, string> = {}) =>
  brand.call({
    method: 'POST',
    url: '/brand/products',
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });

withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

describe('a body', () => {
  test.each([
    ['a lone brace', '{'],
    ['single quotes', "{'name': 'A'}"],
    ['a trailing comma', '{"name": "A",}'],
    ['two values', '{} {}'],
    ['a control character in a string', '{"name": "A\u0001"}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"name":"A"}', 'utf16le')],
  ])('that is no JSON is 400: %s', async (_what, payload) => {
    const { status, json } = await post(payload);
    expect([status, json.code]).toEqual([400, 'malformed_json']);
  });

  test('of 10 MB is 413 and changes nothing', async () => {
    const { status, json } = await post(Buffer.from(`{"name":"${'x'.repeat(10_000_000)}"}`));
    expect([status, json.code]).toEqual([413, 'payload_too_large']);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
  ])('of type %s is 415', async (contentType) => {
    const { status, json } = await post('{"name":"A"}', { 'content-type': contentType });
    expect([status, json.code]).toEqual([415, 'unsupported_media_type']);
  });

  test.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a string', '"A"'],
    ['a list', '[]'],
  ])('that is %s instead of an object is 422', async (_what, payload) => {
    const { status, json } = await post(payload);
    expect([status, json.code]).toEqual([422, 'invalid_input']);
  });

  test('may carry fields that nobody knows, and ones that poison prototypes', async () => {
    const { status, json } = await post(
      '{"name":"Known","__proto__":{"isAdmin":true},"constructor":{"prototype":{}},"colour":"red"}',
    );
    expect(status).toBe(201);
    expect(json.name).toBe('Known');
    expect(json).not.toHaveProperty('colour');
    expect(json).not.toHaveProperty('isAdmin');
  });

  test('that is refused leaves nothing behind', async () => {
    const before = (await brand.call({ url: '/brand/products' })).json.data.length as number;
    for (const payload of [{}, { name: '' }, { name: 7 }, { name: 'a\0' }, { name: 'x'.repeat(201) }]) {
      expect((await post(payload)).status).toBe(422);
    }
    expect((await brand.call({ url: '/brand/products' })).json.data).toHaveLength(before);
  });
});

describe('a field', () => {
  test.each([
    ['name', { name: 7 }],
    ['name', { name: 'a\0b' }],
    ['name', { name: 'a\r\nBcc: x@example.com' }],
    ['name', {}],
    ['careInstructions', { name: 'A', careInstructions: 'a\0' }],
    ['materials.0.percentage', { name: 'A', materials: [{ materialType: 'cotton_organic', percentage: 'all' }] }],
  ])('that breaks a rule is named: %s', async (path, payload) => {
    const { status, json } = await post(payload);
    expect([status, json.code]).toEqual([422, 'invalid_input']);
    expect(json.errors.map((error: { path: string }) => error.path)).toContain(path);
    expect(json.detail).toContain(path);
  });

  test('with a lone surrogate is refused, escaped or not', async () => {
    for (const payload of ['{"name":"a\\ud800"}', '{"name":"\\udc00b"}']) {
      const { status, json } = await post(payload);
      expect([status, json.errors?.[0]?.path]).toEqual([422, 'name']);
    }
  });

  test('keeps markup and emoji as they were sent', async () => {
    const name = '<script>alert(1)</script> & "quotes" 👩‍👩‍👧';
    const { status, json } = await post({ name });
    expect([status, json.name]).toEqual([201, name]);
  });
});

describe('a query', () => {
  test.each(['limit=0', 'limit=1001', 'limit=ten', 'limit=1&limit=2', 'cursor=not-a-cursor', 'cursor=%00'])(
    'with %s is 422',
    async (query) => {
      const { status, json } = await brand.call({ url: `/brand/products?${query}` });
      expect([status, json.code]).toEqual([422, 'invalid_input']);
    },
  );
  test('may carry parameters that nobody knows', async () => {
    expect((await brand.call({ url: '/brand/products?colour=red' })).status).toBe(200);
  });
});

describe('a path', () => {
  test('that leads nowhere is 404', async () => {
    const { status, json } = await service.call({ url: '/nowhere' });
    expect([status, json.code]).toEqual([404, 'route_not_found']);
  });
  test('with another method is 405 and says which it takes', async () => {
    const { status, json, headers } = await brand.call({ method: 'PATCH', url: '/brand/products/prd_1' });
    expect([status, json.code]).toEqual([405, 'method_not_allowed']);
    expect(headers.allow).toMatch(/PUT/);
  });
  test('that is badly encoded is 400', async () => {
    const { status, json } = await brand.call({ url: '/brand/products/%zz' });
    expect([status, json.code]).toEqual([400, 'malformed_request']);
  });
});

describe('every answer', () => {
  test('carries the request id that was sent, if a log can hold it, or one of its own', async () => {
    const withId = async (id: string) =>
      (await service.call({ url: '/health/live', headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await withId('order-4711:retry.2')).toBe('order-4711:retry.2');
    for (const bad of ['', 'a b', 'x'.repeat(129), '{"a":1}', '-leading'])
      expect(await withId(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('gives the events of the call the same id', async () => {
    const { json } = await post({ name: 'Traced' }, { 'x-request-id': 'trace-me-1' });
    for await (const event of service.eventStore.readStream(`product-${json.id}`)) {
      expect(event.metadata.correlationId).toBe('trace-me-1');
      expect(event.metadata.actor).toEqual({ type: 'user', id: brand.userId });
      expect(event.metadata.organizationId).toBe(brand.organizationId);
    }
  });

  test('is not kept by caches, not sniffed and not framed', async () => {
    const { headers } = await brand.call({ url: '/brand/products' });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'access-control-allow-origin': '*',
    });
  });

  test('lets a browser ask first, without a token', async () => {
    const answer = await service.app.inject({
      method: 'OPTIONS',
      url: '/brand/products',
      headers: {
        origin: 'https://brand.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-organization-id',
      },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers['access-control-allow-headers']).toBe('authorization,x-organization-id');
  });
});

test('health tells who is up', async () => {
  expect((await service.call({ url: '/health/live' })).json).toEqual({ status: 'live' });
  const { status, json } = await eventually(
    () => service.call({ url: '/health/ready' }),
    (answer) => answer.json.projector.state !== 'silent',
  );
  // No worker is among these parts, so nobody has heard of a reactor.
  expect([status, json]).toEqual([
    200,
    {
      ...{ status: 'degraded', database: 'up', eventStore: 'up', workflows: 'up' },
      projector: { state: 'following', lagEvents: 0, lagSeconds: 0 },
      reactor: { state: 'silent', lagEvents: 0, lagSeconds: 0, parkedEvents: 0, missingSecrets: 0 },
    },
  ]);
});
