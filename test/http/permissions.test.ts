import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionsDocument, type Caller } from '../../scripts/permissions-doc.js';
import { SCOPES } from '../../src/http/access.js';
import type { DeclaredRoute } from '../../src/http/route-rules.js';
import { startService, type Answer, type Brand, type Call, type TestService } from '../support/service.js';

/*
 * Calls every route as every caller, with ids that nobody has and bodies that say nothing, and compares what happens with the
 * printed matrix: whoever passes is refused for the id or the fields, if at all.
 */

let service: TestService;
let brand: Brand;
let document: string;
let routes: readonly DeclaredRoute[];
const tokens = {} as Record<Exclude<Caller, 'nobody'>, string>;
const passwords = {} as Record<string, { email: string; password: string }>;
const keys = {} as Record<(typeof SCOPES)[number], { id: string; key: string }>;

beforeAll(async () => {
  service = await startService();
  document = await readFile(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
  routes = service.app.declaredRoutes();
  brand = await service.asBrand();
  const people = {
    stranger: await service.asBrand(),
    auditor: await service.signUpProven(),
    editor: await service.signUpProven(),
  };
  for (const role of ['auditor', 'editor'] as const) {
    const payload = { email: people[role].email, role };
    await brand.call({ method: 'POST', url: `/organizations/${brand.organizationId}/members`, payload });
  }
  Object.assign(tokens, { owner: brand.token, operator: service.config.ADMIN_TOKEN });
  Object.assign(passwords, { owner: brand, ...people });
  for (const [caller, { token }] of Object.entries(people)) tokens[caller as keyof typeof people] = token;
  for (const scope of SCOPES) {
    const payload = { name: `Robot ${scope}`, scopes: [scope] };
    const { json } = await brand.call({
      method: 'POST',
      url: `/organizations/${brand.organizationId}/api-keys`,
      payload,
    });
    keys[scope] = json as { id: string; key: string };
  }
});
afterAll(() => service.close());

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

/** What a stranger sends has to be well formed: fields are looked at before an id of the path. */
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
  const { email, password } = passwords[caller] ?? {};
  const { json } = await service.call({ method: 'POST', url: '/auth/login', payload: { email, password } });
  return (json as { token: string }).token;
};

const ENDS_SESSIONS = /^\/(auth\/logout|auth\/logout-all|sign-out)$/;

describe('docs/permissions.md', () => {
  test('is what `npm run docs` prints', () => {
    expect(document).toBe(permissionsDocument(routes));
  });

  test('tells what happens to every caller on every route', async () => {
    const matrix = printed();
    const differences: string[] = [];
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const cells = matrix.get(name) ?? {};
      if (route.access.kind === 'public' || route.access.kind === 'link') {
        expect([cells['nobody'], cells['owner']], name).toEqual(
          route.access.kind === 'public' ? ['yes', 'yes'] : ['link', 'link'],
        );
        // The reference page is four megabytes of script.
        if (!route.path.startsWith('/docs')) expect(await call(route, null), name).toBe('yes');
        continue;
      }
      for (const caller of ['nobody', 'stranger', 'auditor', 'editor', 'owner', 'operator'] as const) {
        const mayEnd = ENDS_SESSIONS.test(route.path) && caller !== 'nobody' && caller !== 'operator';
        const token = caller === 'nobody' ? null : mayEnd ? await throwaway(caller) : tokens[caller];
        const outcome = await call(route, token);
        if (outcome !== cells[caller]) differences.push(`${name} as ${caller}: ${outcome}, not ${cells[caller]}`);
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
