import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { permissionsDocument, type Caller } from '../../scripts/permissions-doc.js';
import { SCOPES } from '../../src/http/access.js';
import type { DeclaredRoute } from '../../src/http/route-rules.js';
import { multipart, REAL_CALLS, type Stage } from '../support/real-calls.js';
import { type Answer, type Brand, type Call, type SignedUp, type TestService } from '../support/service.js';
import { withService } from '../support/shared-service.js';

/*
 * Calls every route as every caller, with ids that nobody has and bodies that say nothing, and compares what happens with the
 * printed matrix: whoever passes is refused for the id or the fields, if at all.
 */

let service: TestService;
let brand: Brand;
let document: string;
let routes: readonly DeclaredRoute[];
const tokens = {} as Record<Exclude<Caller, 'nobody'>, string>;
const people = {} as Record<Person, SignedUp>;
let records: Stage['records'];
const keys = {} as Record<(typeof SCOPES)[number], { id: string; key: string }>;

withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  document = await readFile(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
  routes = service.app.declaredRoutes();
  brand = await service.asBrand();
  Object.assign(people, {
    owner: brand,
    stranger: await service.asBrand(),
    auditor: await service.signUpProven(),
    editor: await service.signUpProven(),
  });
  for (const role of ['auditor', 'editor'] as const) {
    const payload = { email: people[role].email, role };
    await brand.call({ method: 'POST', url: `/organizations/${brand.organizationId}/members`, payload });
  }
  tokens.operator = service.config.ADMIN_TOKEN;
  for (const [caller, { token }] of Object.entries(people)) tokens[caller as Person] = token;
  for (const scope of SCOPES) {
    const payload = { name: `Robot ${scope}`, scopes: [scope] };
    const { json } = await brand.call({
      method: 'POST',
      url: `/organizations/${brand.organizationId}/api-keys`,
      payload,
    });
    keys[scope] = json as { id: string; key: string };
  }
  records = await makeRecords();
});

type Person = 'stranger' | 'auditor' | 'editor' | 'owner';

/** What real calls stand on. */
async function makeRecords(): Promise<Stage['records']> {
  const materials = [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'IN' }];
  const product = await make('/brand/products', { name: 'T-shirt', materials });
  const invited = { factoryName: 'Mill', contactEmail: 'mill@example.com', country: 'PT', tier: 1 };
  const supplier = await make('/brand/suppliers/invite', invited);
  const ordered = { productId: product, factoryId: supplier, poReference: 'PO-1', quantity: 5 };
  const batch = await make('/brand/batches', ordered);
  const published = await brand.call({ method: 'POST', url: `/brand/products/${product}/publish`, payload: {} });
  const { dppId, qrUrl } = published.json as { dppId: string; qrUrl: string };
  const webhook = await make('/brand/webhooks', { url: 'https://hooks.example/a', events: ['dpp.published'] });
  const tested = await brand.call({ method: 'POST', url: `/brand/webhooks/${webhook}/test` });
  const { id: file, fileType } = await upload();
  const mapping = { mapping: { name: 'name' } };
  await brand.call({ method: 'POST', url: `/brand/bulk/files/${file}/commit`, payload: mapping });
  await brand.call({ method: 'PUT', url: `/brand/bulk/mappings/${fileType}`, payload: mapping });
  const { deliveryId } = tested.json as { deliveryId: string };
  const made = { product, supplier, batch, webhook, file, fileType };
  return { ...made, passport: dppId, delivery: deliveryId, page: new URL(qrUrl).pathname };
}

async function make(url: string, payload: object): Promise<string> {
  const { status, json, body } = await brand.call({ method: 'POST', url, payload });
  expect(status, `${url}: ${body}`).toBeLessThan(300);
  return (json as { id: string }).id;
}

async function upload(): Promise<{ readonly id: string; readonly fileType: string }> {
  const file = multipart({ file: 'name\r\nShirt' }, 'a.csv');
  const { json } = await brand.call({ method: 'POST', url: '/brand/bulk/files', ...file });
  return json as { id: string; fileType: string };
}

/** The printed cells of a route: who calls -> what happens. */
function printed(): Map<string, Readonly<Record<string, string>>> {
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head, , ...body] = document.split('\n').filter((line) => line.startsWith('|'));
  const columns = cellsOf(head ?? '');
  return new Map(
    body.map((line) => {
      const cells = cellsOf(line);
      return [
        (cells[0] ?? '').replaceAll('`', ''),
        Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
      ];
    }),
  );
}

const urlOf = ({ path }: DeclaredRoute) =>
  path.replace('/organizations/:id', `/organizations/${brand.organizationId}`).replaceAll(/:\w+/g, 'x_nobody');

const REFUSED = ['unauthenticated', 'not_a_member', 'role_required', 'scope_required', 'operator_required'];

/** `yes`, or the status with which the caller was turned away for being who it is. */
function outcomeOf({ status, json, headers }: Answer): string {
  if (status === 303 && String(headers.location).startsWith('/sign-in?next=')) return '303';
  if (REFUSED.includes(json?.code as string)) return String(status);
  if (status >= 500 && status !== 503) return String(status);
  if (status === 404 && String(json?.detail).startsWith('There is no organization')) return '404';
  return 'yes';
}

/** What a stranger sends has to be well formed: a faulty call is refused before an id of the path is looked up. */
const WELL_FORMED: Readonly<Record<string, object>> = {
  'POST /organizations/:id/members': { email: 'new@example.com', role: 'editor' },
  'PATCH /organizations/:id/members/:userId': { role: 'owner' },
  'POST /organizations/:id/api-keys': { name: 'Robot', scopes: ['read'] },
};

const call = async (route: DeclaredRoute, token: string | null): Promise<string> => {
  const body = token === tokens.stranger ? WELL_FORMED[`${route.method} ${route.path}`] : undefined;
  const auth: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  if (token !== null && route.access.kind === 'page') auth['cookie'] = `session=${token}`;
  const isGet = route.method === 'GET';
  return outcomeOf(
    await service.call({
      method: route.method as NonNullable<Call['method']>,
      url: urlOf(route),
      headers: { 'x-organization-id': brand.organizationId, ...auth },
      ...(isGet || route.access.kind === 'page' ? {} : { payload: body ?? {} }),
    }),
  );
};

/** A session that may be ended. */
const throwaway = async (caller: string): Promise<string> => {
  const { email, password } = people[caller as Person];
  const { json } = await service.call({ method: 'POST', url: '/auth/login', payload: { email, password } });
  return (json as { token: string }).token;
};

/** How the document says that nobody is turned away. */
const passing = (name: string) => (name in REAL_CALLS ? 'yes' : 'passes');

const ENDS_SESSIONS = /^\/(auth\/logout|auth\/logout-all|sign-out)$/;

describe('docs/permissions.md', () => {
  test('is what `npm run docs` prints', () => {
    expect(document).toBe(permissionsDocument(routes, new Set(Object.keys(REAL_CALLS))));
  });

  test('lets everybody in whom it says it lets in, to the end of a real call', async () => {
    const matrix = printed();
    const failures: string[] = [];
    const unknown = Object.keys(REAL_CALLS).filter((name) => !matrix.has(name));
    expect(unknown).toEqual([]);
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const real = REAL_CALLS[name];
      if (real === undefined) continue;
      const { kind } = route.access;
      const callers =
        kind === 'public' ? (['nobody'] as const) : kind === 'operator' ? (['operator'] as const) : PEOPLE;
      for (const caller of callers.filter((one) => matrix.get(name)?.[one] === 'yes')) {
        const who = caller === 'nobody' || caller === 'operator' ? 'owner' : caller;
        // Its sessions may have been ended by the calls before.
        const person = { ...people[who], token: tokens[who] };
        const bearer = { authorization: `Bearer ${caller === 'operator' ? tokens.operator : person.token}` };
        const options = await real({
          ...{ caller: person, organizationId: brand.organizationId, records, adminToken: tokens.operator, make },
          upload: async () => (await upload()).id,
          call: service.call,
          keep: async (path, payload) => {
            const url = `/supplier/${path}`;
            const { json } = await service.call({ method: 'POST', url, headers: bearer, payload });
            return (json as { id: string }).id;
          },
        });
        const auth: Record<string, string> =
          caller === 'nobody' ? {} : kind === 'page' ? { cookie: `session=${person.token}` } : bearer;
        const { status, headers, body } = await service.call({
          ...options,
          method: route.method as NonNullable<Call['method']>,
          headers: { 'x-organization-id': brand.organizationId, ...options.headers, ...auth },
        });
        const isTurnedAway = status >= 400 || String(headers.location).startsWith('/sign-in');
        if (isTurnedAway) failures.push(`${name} as ${caller}: ${status} ${body.slice(0, 200)}`);
      }
    }
    expect(failures).toEqual([]);
  });

  test('tells what happens to every caller on every route', async () => {
    const matrix = printed();
    const differences: string[] = [];
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const cells = matrix.get(name) ?? {};
      if (route.access.kind === 'public' || route.access.kind === 'link') {
        expect([cells['nobody'], cells['owner']], name).toEqual(
          route.access.kind === 'public' ? [passing(name), passing(name)] : ['link', 'link'],
        );
        expect(await call(route, null), name).toBe('yes');
        continue;
      }
      for (const caller of ['nobody', 'stranger', 'auditor', 'editor', 'owner', 'operator'] as const) {
        const mayEnd = ENDS_SESSIONS.test(route.path) && caller !== 'nobody' && caller !== 'operator';
        const token = caller === 'nobody' ? null : mayEnd ? await throwaway(caller) : tokens[caller];
        const outcome = await call(route, token);
        const wanted = cells[caller] === passing(name) ? 'yes' : cells[caller];
        if (outcome !== wanted) differences.push(`${name} as ${caller}: ${outcome}, not ${wanted}`);
        if (mayEnd && route.path === '/auth/logout-all') tokens[caller] = await throwaway(caller);
      }
    }
    expect(differences).toEqual([]);
  });

  test('tells which scope of an API key every route takes', async () => {
    const matrix = printed();
    const differences: string[] = [];
    for (const route of routes) {
      if (route.access.kind === 'public' || route.access.kind === 'link' || route.access.kind === 'page') continue;
      const name = `${route.method} ${route.path}`;
      const expected = matrix.get(name)?.['API key'];
      for (const scope of SCOPES) {
        const wanted = expected === '-' ? '401' : expected === scope ? 'yes' : '403';
        const outcome = await call(route, keys[scope].key);
        if (outcome !== wanted) differences.push(`${name} with ${scope}: ${outcome}, not ${wanted}`);
      }
    }
    expect(differences).toEqual([]);
  });
});

describe('the cookie of a browser', () => {
  const FOREIGN = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };

  test('sends no form of another site: every page that takes one refuses it', async () => {
    const forms = routes.filter(({ access, method }) => access.kind === 'page' && method !== 'GET');
    expect(forms.length).toBeGreaterThanOrEqual(5);
    for (const route of forms) {
      const { status, json } = await service.call({
        ...{ method: route.method as NonNullable<Call['method']>, url: urlOf(route) },
        headers: { cookie: `session=${tokens.owner}`, accept: 'application/json', ...FOREIGN },
      });
      expect([status, json.code], `${route.method} ${route.path}`).toEqual([403, 'origin_refused']);
    }
  });

  test('takes the cookie on pages alone: of the API on the two reads that a page leads to', async () => {
    const taken: string[] = [];
    for (const route of routes) {
      if (['public', 'link', 'page'].includes(route.access.kind)) continue;
      const { status } = await service.call({
        ...{ method: route.method as NonNullable<Call['method']>, url: urlOf(route) },
        headers: { cookie: `session=${tokens.owner}`, accept: 'text/html', 'x-organization-id': brand.organizationId },
      });
      if (status !== 401 && status !== 303) taken.push(`${route.method} ${route.path}`);
    }
    expect(taken.sort()).toEqual(['GET /supplier/certificates/:id/file', 'GET /supplier/requests/:id']);
  });
});

const PEOPLE = ['stranger', 'auditor', 'editor', 'owner'] as const;

describe('the declarations', () => {
  const ofBrand = () => routes.filter(({ path }) => path.startsWith('/brand'));

  test('let an auditor call every GET below /brand and the check of an import, and nothing else', () => {
    const open = ofBrand().filter(({ access }) => access.kind === 'member' && access.role === 'auditor');
    expect(open.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /brand/bulk/validate',
    ]);
    expect(ofBrand().filter((route) => route.method === 'GET' && !open.includes(route))).toEqual([]);
  });

  test('ask an API key for `read` on every GET below /brand, and never elsewhere', () => {
    for (const { method, path, access } of ofBrand()) {
      const named = access.kind === 'member' ? access.named : null;
      if (named?.in !== 'header') throw new Error(`${method} ${path} is not an organization's`);
      expect(named.scope === 'read', `${method} ${path}`).toBe(method === 'GET');
      if (path.startsWith('/brand/bulk') && method !== 'GET') expect(named.scope, path).toBe('import');
      if (/^\/brand\/(webhooks|deliveries)/.test(path) && method !== 'GET') expect(named.scope, path).toBe('webhooks');
    }
  });
});
