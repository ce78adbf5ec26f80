import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandContext } from '../../src/core/context.js';
import { factoryLinkToken } from '../../src/infrastructure/links.js';
import { sendRequest } from '../../src/modules/batches/handlers.js';
import { startService, type Brand, type TestService } from '../support/service.js';

/*
 * Walks every route of the interface. A new route that needs an id or a body which is not known here fails the walk by its name.
 */

interface Route {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly takesBody: boolean;
}

let service: TestService;
let owner: Brand;
let stranger: Brand;
let routes: readonly Route[];
/** A record of the owner for each parameter, by the path in front of it. */
let records: Readonly<Record<string, string>>;

const MATERIALS = [
  { materialType: 'cotton_organic', percentage: 95, originCountry: 'IN' },
  { materialType: 'elastane', percentage: 5, originCountry: null },
];

/** Its id is the hash of a header row, the same for everybody: a stranger saves a mapping of its own under it. */
const SHARED_ID = 'PUT /brand/bulk/mappings/{fileType}';

/** A body that would be taken if the id were the caller's. */
const BODIES: Readonly<Record<string, object>> = {
  'PUT /brand/products/{id}': { name: 'Taken over' },
  'POST /brand/products/{id}/publish': {},
  'POST /brand/batches/{id}/send-request': { notes: 'Please hurry' },
  'POST /brand/batches/{id}/publish': {},
  'POST /brand/batches/{id}/request-changes': { notes: 'Please check the weight' },
  'POST /organizations/{id}/members': { email: 'new@example.com', role: 'editor' },
  'POST /organizations/{id}/api-keys': { name: 'Robot', scopes: ['read'] },
  'PATCH /organizations/{id}/members/{userId}': { role: 'auditor' },
  'PATCH /brand/webhooks/{id}': { active: false },
  'POST /brand/bulk/files/{id}/commit': {},
  'POST /brand/bulk/files/{id}/validate': {},
  'PUT /brand/bulk/mappings/{fileType}': { mapping: { Name: 'name' } },
  'POST /brand/proposals/{id}/accept': {},
  'POST /brand/proposals/{id}/decline': {},
  'POST /brand/webhooks/{id}/replay': { from: '2026-01-01', to: '2026-01-02' },
};

beforeAll(async () => {
  service = await startService();
  [owner, stranger] = [await service.asBrand(), await service.asBrand()];
  const made = async (url: string, payload: object) => {
    const { status, json, body } = await owner.call({ method: 'POST', url, payload });
    expect(status, `${url}: ${body}`).toBeLessThan(300);
    return json as { id: string; dppId: string; deliveryId: string };
  };
  const product = await made('/brand/products', { name: 'T-shirt', materials: MATERIALS });
  const supplier = await made('/brand/suppliers/invite', {
    factoryName: 'Fiação do Norte',
    contactEmail: 'norte@example.com',
    country: 'PT',
    tier: 1,
  });
  const batch = await made('/brand/batches', {
    productId: product.id,
    factoryId: supplier.id,
    poReference: 'PO-1',
    quantity: 100,
    unit: 'piece',
  });
  const proposal = await proposed(batch.id);
  const { dppId } = await made(`/brand/products/${product.id}/publish`, {});
  const webhook = await made('/brand/webhooks', { url: 'https://hooks.example/passports', events: ['dpp.published'] });
  const { deliveryId } = await made(`/brand/webhooks/${webhook.id}/test`, {});
  const boundary = 'a-boundary';
  const uploaded = await owner.call({
    method: 'POST',
    url: '/brand/bulk/files',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\nShirt\r\n--${boundary}--\r\n`,
  });
  const { id: fileId, fileType } = uploaded.json as { id: string; fileType: string };
  await owner.call({
    method: 'POST',
    url: `/brand/bulk/files/${fileId}/commit`,
    payload: { mapping: { name: 'name' } },
  });
  records = {
    '/brand/bulk/files': fileId,
    '/brand/bulk/imports': fileId,
    '/brand/bulk/mappings': fileType,
    '/brand/products': product.id,
    '/brand/suppliers': supplier.id,
    '/brand/batches': batch.id,
    '/brand/proposals': proposal.id,
    '/brand/dpps/by-product': product.id,
    '/brand/qr': dppId,
    '/brand/webhooks': webhook.id,
    '/brand/deliveries': deliveryId,
    '/organizations': owner.organizationId,
  };

  const { json } = await service.call({ url: '/openapi.json' });
  routes = Object.entries(json.paths as Record<string, Record<string, { requestBody?: object }>>).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, { requestBody }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase() as Route['method'],
        path,
        takesBody: requestBody !== undefined,
      })),
  );
});
afterAll(() => service.close());

const PROPOSAL = { materialType: 'elastane', name: 'Filatura', contactEmail: 'filatura@example.com' };

/** A proposal of the batch's factory; the request is made without the worker that would mail it. */
async function proposed(batchId: string): Promise<{ id: string }> {
  const { LINK_KEY: linkKey } = service.config;
  const { organizationId } = owner;
  const actor = { type: 'user', id: owner.userId } as const;
  const context = commandContext({ organizationId, actor, correlationId: 'walk', now: Date.now() });
  const order = { batchId, callId: 'walk', notes: null };
  const { state } = await sendRequest({ ...service, linkKey }, context, order);
  const token = factoryLinkToken(linkKey, state.requests[0]?.id ?? '');
  const url = `/factory/requests/${token}/proposals`;
  const { status, json, body } = await service.call({ method: 'POST', url, payload: PROPOSAL });
  expect(status, body).toBe(201);
  return json as { id: string };
}

const withId = ({ name, path }: Route, id?: string): string => {
  const [before = ''] = path.split('/{', 1);
  const known = records[before];
  if (known === undefined) throw new Error(`${name}: the walk has no record for "${before}/{...}"`);
  return path.replace(/\{[^}]+\}/, id ?? known).replace(/\{[^}]+\}/, owner.userId);
};

const bodyOf = ({ name, takesBody }: Route) => {
  if (!takesBody) return {};
  const payload = BODIES[name];
  if (payload === undefined) throw new Error(`${name}: the walk has no body for it`);
  return { payload };
};

const eventsOfOwner = async () => {
  let count = 0;
  for await (const event of service.eventStore.readAll({ after: null })) {
    if (event.metadata.organizationId === owner.organizationId) count++;
  }
  return count;
};

describe("another organization's ids", () => {
  test('are not found on every route, exactly as ids that nobody has, and change nothing', async () => {
    const before = await eventsOfOwner();
    const walked = routes.filter(({ name, path }) => /^\/(brand|organizations)\/.*\{/.test(path) && name !== SHARED_ID);
    expect(walked.length).toBeGreaterThanOrEqual(12);
    for (const route of walked) {
      const own = withId(route);
      const foreign = await stranger.call({ method: route.method, url: own, ...bodyOf(route) });
      const unknown = await stranger.call({ method: route.method, url: withId(route, 'prd_nobody'), ...bodyOf(route) });
      expect([foreign.status, foreign.json.code], route.name).toEqual([404, 'not_found']);
      expect([unknown.status, unknown.json.code], route.name).toEqual([404, 'not_found']);
      const shape = (problem: object) => Object.keys(problem).sort();
      expect(shape(foreign.json as object), route.name).toEqual(shape(unknown.json as object));
    }
    expect(await eventsOfOwner()).toBe(before);
  });

  test('are not found inside bodies, with the field that named them', async () => {
    const mine = await stranger.call({ method: 'POST', url: '/brand/products', payload: { name: 'Mine' } });
    const batch = {
      productId: mine.json.id as string,
      factoryId: records['/brand/suppliers'],
      poReference: 'P',
      quantity: 1,
      unit: 'piece',
    };
    const bodies: readonly (readonly [string, string, object])[] = [
      ['/brand/batches', 'factoryId', batch],
      ['/brand/batches', 'productId', { ...batch, productId: records['/brand/products'] }],
      [
        '/brand/products',
        'materials.0.supplierIds.0',
        { name: 'A', materials: [{ ...MATERIALS[0], percentage: 100, supplierIds: [records['/brand/suppliers']] }] },
      ],
    ];
    for (const [url, path, payload] of bodies) {
      const { status, json } = await stranger.call({ method: 'POST', url, payload });
      expect([status, json.code], url).toEqual([404, 'not_found']);
      expect(
        json.errors.map((error: { path: string }) => error.path),
        url,
      ).toContain(path);
    }
  });

  test('show nothing in lists, filtered or not', async () => {
    const empty = await service.asBrand();
    for (const url of [
      '/brand/products',
      '/brand/suppliers',
      '/brand/batches',
      '/brand/proposals',
      '/brand/dpps',
      '/brand/webhooks',
      '/brand/bulk/imports',
      `/brand/batches?productId=${records['/brand/products']}`,
    ]) {
      expect((await empty.call({ url })).json, url).toEqual({ data: [] });
    }
  });

  test("in the header are 403, whatever the route and whoever's id is in the path", async () => {
    for (const route of routes.filter(({ path }) => path.startsWith('/brand'))) {
      const url = route.path.includes('{') ? withId(route) : route.path;
      const headers = { ...stranger.headers, 'x-organization-id': owner.organizationId };
      const { status, json } = await service.call({ method: route.method, url, headers });
      expect([status, json.code], route.name).toEqual([403, 'not_a_member']);
    }
  });
});

describe('every route that is not open', () => {
  test('answers 401 without a token, and 400 below /brand without the organization', async () => {
    const closed = routes.filter(({ path }) =>
      /^\/(brand|organizations|admin|auth\/(logout|sessions|password$))/.test(path),
    );
    for (const { name, method, path } of closed) {
      const url = path.replaceAll(/\{[^}]+\}/g, 'x');
      const bare = await service.call({ method, url });
      expect([bare.status, bare.json.code], name).toEqual([401, 'unauthenticated']);
      if (!path.startsWith('/brand')) continue;
      const { status, json } = await service.call({
        method,
        url,
        headers: { authorization: owner.headers.authorization },
      });
      expect([status, json.code], name).toEqual([400, 'organization_header_missing']);
    }
  });

  test('of the operator refuses the owner', async () => {
    for (const { name, method, path } of routes.filter(({ path }) => path.startsWith('/admin'))) {
      const { status } = await owner.call({ method, url: path.replace(/\{[^}]+\}/, owner.organizationId) });
      expect(status, name).toBe(403);
    }
  });
});

test('tokens of links that were changed by one character are not found', async () => {
  const token = 'A'.repeat(43);
  for (const { method, path } of service.app.declaredRoutes().filter(({ path }) => path.includes(':token'))) {
    const name = `${method} ${path}`;
    const headers: Record<string, string> = { accept: 'application/json' };
    const payload = path.endsWith('/proposals')
      ? PROPOSAL
      : path.startsWith('/factory')
        ? { productWeightKg: 0.2 }
        : 'action=submit';
    if (typeof payload === 'string') headers['content-type'] = 'application/x-www-form-urlencoded';
    const { status } = await service.call({
      method: method as Route['method'],
      url: path.replace(':token', token),
      headers,
      ...(method === 'GET' ? {} : { payload }),
    });
    expect(status, name).toBe(404);
  }
});
