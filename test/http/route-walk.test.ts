import { METHODS, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reaches } from '../../src/http/access.js';
import type { DeclaredRoute } from '../../src/http/route-rules.js';
import { startService, type Brand, type Call, type SignedUp, type TestService } from '../support/service.js';

/*
 * Walks the whole table of routes, over a socket: ids that are none, methods that a path does not have, and what is wrong with a
 * body said to nobody who has no business with it.
 */

interface Answered {
  readonly status: number;
  readonly allow: string[];
  readonly code: string | null;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

let service: TestService;
let address: string;
let routes: readonly DeclaredRoute[];
let owner: Brand;
let free: Brand;
const people = {} as Record<'stranger' | 'auditor' | 'editor', SignedUp>;
let readKey: string;

beforeAll(async () => {
  // The walk makes more calls a second than one key may.
  service = await startService({ environment: { API_KEY_CALLS_PER_SECOND: '10000' } });
  address = await service.app.listen({ host: '127.0.0.1', port: 0 });
  routes = service.app.declaredRoutes();
  [owner, free] = [await service.asBrand(), await service.asBrand({ plan: 'free' })];
  const ofOwner = `/organizations/${owner.organizationId}`;
  people.stranger = await service.signUpProven();
  for (const role of ['auditor', 'editor'] as const) {
    people[role] = await service.signUpProven();
    await owner.call({ method: 'POST', url: `${ofOwner}/members`, payload: { email: people[role].email, role } });
  }
  const payload = { name: 'Robot', scopes: ['read'] };
  readKey = ((await owner.call({ method: 'POST', url: `${ofOwner}/api-keys`, payload })).json as { key: string }).key;
});
afterAll(() => service.close());

const ask = (method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const call = request(`${address}${path}`, { method, headers: { ...length, ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => {
        const isJson = /json/.test(String(answer.headers['content-type'])) && text !== '';
        resolve({
          status: answer.statusCode ?? 0,
          allow: String(answer.headers.allow ?? '')
            .split(', ')
            .filter((one) => one !== ''),
          code: isJson ? ((JSON.parse(text) as { code?: string }).code ?? null) : null,
        });
      });
      answer.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });

/** Not over the socket: an answer to a large body comes before the body is sent. */
const inject = async (method: string, url: string, { headers = {}, body }: Sent) => {
  const call = { method: method as NonNullable<Call['method']>, url, headers };
  const { status, json } = await service.call(body === undefined ? call : { ...call, payload: body });
  return { status, code: (json as { code?: string } | undefined)?.code ?? null };
};

/** What lets the call through to where the id is looked up. */
const passOf = ({ access }: DeclaredRoute): Record<string, string> => {
  switch (access.kind) {
    case 'page':
      return { cookie: `session=${owner.token}`, accept: 'text/html' };
    case 'operator':
      return { authorization: `Bearer ${service.config.ADMIN_TOKEN}` };
    default:
      return owner.headers;
  }
};

const paramsOf = (path: string): string[] => path.match(/:\w+/g) ?? [];

/** An id that nobody has in the place of each parameter, but for those that are told. */
const filled = (path: string, known: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/:\w+/g, (name) => known[name] ?? 'x_nobody');

/** A word of a path may stand where another route has a parameter. */
const covers = (path: string, other: string): boolean => {
  const [words, others] = [path.split('/'), other.split('/')];
  return words.length === others.length && words.every((word, index) => word.startsWith(':') || word === others[index]);
};

const isOfOrganization = (path: string) => path.startsWith('/organizations/:id');

describe('an id that nobody has', () => {
  const ODD = {
    '5,000 letters': 'x'.repeat(5_000),
    '5,000 digits': '9'.repeat(5_000),
    '5,000 encoded letters': '%C3%A9'.repeat(833),
    '5,000 encoded NULs': '%00'.repeat(1_666),
    '5,000 dots': '.'.repeat(5_000),
    nothing: '',
  };

  test.for(Object.entries(ODD))('of %s is not found on any route, for any parameter', async ([, odd]) => {
    const failures: string[] = [];
    const walked = routes.filter(({ path }) => paramsOf(path).length > 0);
    expect(walked.length).toBeGreaterThan(60);
    for (const route of walked) {
      for (const param of paramsOf(route.path)) {
        const known = isOfOrganization(route.path) ? { ':id': owner.organizationId } : {};
        const path = filled(route.path, { ...known, [param]: odd });
        const { status } = await ask(route.method, path, { headers: passOf(route) });
        // Fields, the kind of a body, and that one is no member, are told before an id is looked up.
        const isTold = status === 404 || (route.method !== 'GET' && [403, 415, 422].includes(status));
        if (!isTold) failures.push(`${route.method} ${route.path} (${param}): ${status}`);
      }
    }
    expect(failures).toEqual([]);
  });

  test('is told to nobody without a token', async () => {
    const { status, code } = await ask('GET', `/brand/products/${ODD['5,000 letters']}`);
    expect([status, code]).toEqual([401, 'unauthenticated']);
  });
});

describe('a method that a path does not have', () => {
  /** Node answers it by itself, as it asks for a tunnel. */
  const walkedMethods = METHODS.filter((method) => method !== 'CONNECT' && method !== 'OPTIONS');
  const bodies: readonly Sent[] = [
    {},
    { headers: { 'content-type': 'application/json' }, body: '{' },
    { headers: { 'content-type': 'no type' }, body: 'x' },
  ];

  test('is 405 with what the path takes, whoever calls and whatever the body', async () => {
    const failures: string[] = [];
    const paths = [...new Set(routes.map(({ path }) => path))];
    for (const path of paths) {
      const has = [...new Set(routes.filter((route) => covers(route.path, path)).map(({ method }) => method))];
      if (has.includes('GET')) has.push('HEAD');
      for (const method of walkedMethods.filter((one) => !has.includes(one))) {
        for (const sent of ['POST', 'QUERY', 'PROPFIND'].includes(method) ? bodies : [{}]) {
          const { status, allow } = await ask(method, filled(path), sent);
          const isRight = status === 405 && allow.toSorted().join() === has.toSorted().join();
          if (!isRight) failures.push(`${method} ${path}: ${status}, Allow: ${allow.join()}`);
        }
      }
    }
    expect(failures).toEqual([]);
  });

  test('is 404 where there is no path', async () => {
    for (const path of ['/', '/nothing', '/brand', `/nothing/${'x'.repeat(5_000)}`]) {
      for (const method of walkedMethods) {
        for (const sent of bodies) {
          if (method === 'HEAD' || method === 'GET') continue;
          expect((await ask(method, path, sent)).status, `${method} ${path.slice(0, 40)}`).toBe(404);
        }
      }
      const { status, code } = await ask('GET', path);
      expect([status, code], path.slice(0, 40)).toEqual([404, 'route_not_found']);
    }
  });

  test('is no fault of ours when HTTP knows no such method', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1', () => {
        socket.write('BREW /brand/products HTTP/1.1\r\nHost: localhost\r\n\r\n');
      });
      socket.setEncoding('utf8').on('data', resolve).on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('may be asked for by OPTIONS, by a browser or not', async () => {
    const origin = { origin: 'https://brand.example' };
    for (const headers of [{}, origin, { ...origin, 'access-control-request-method': 'PUT' }]) {
      for (const path of ['/brand/products', '/nothing']) {
        expect((await ask('OPTIONS', path, { headers })).status).toBe(204);
      }
    }
  });
});

describe('what is wrong with a call', () => {
  const BAD: readonly Sent[] = [
    { headers: { 'content-type': 'application/json' }, body: '{' },
    { headers: { 'content-type': 'application/json' }, body: '[]' },
    { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: 'x'.repeat(300), name: '\0' }) },
    { headers: { 'content-type': 'text/plain' }, body: 'x' },
    { headers: { 'content-type': 'application/json' }, body: ' '.repeat(1024 * 1024 + 1) },
  ];
  const BAD_QUERY = '?limit=-1&cursor=%00';

  /** As `headers` say, every bad call to the route that `wanted` does not answer. */
  const told = async (route: DeclaredRoute, headers: Readonly<Record<string, string>>, wanted: string) => {
    const path = `${filled(route.path, isOfOrganization(route.path) ? { ':id': owner.organizationId } : {})}${BAD_QUERY}`;
    const sent = route.method === 'GET' ? [{}] : BAD;
    const answers = await Promise.all(
      sent.map(async (one) => inject(route.method, path, { ...one, headers: { ...one.headers, ...headers } })),
    );
    return answers.flatMap(({ status, code }) =>
      `${status} ${code}` === wanted ? [] : [`${route.method} ${route.path}: ${status} ${code}, not ${wanted}`],
    );
  };

  const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
  const inOwners = (person: { token: string }) => ({
    ...bearer(person),
    'x-organization-id': owner.organizationId,
  });

  test('is not told to who may not make it', async () => {
    const failures: string[] = [];
    const expectAll = async (walked: readonly DeclaredRoute[], headers: Record<string, string>, wanted: string) => {
      expect(walked.length, wanted).toBeGreaterThan(2);
      for (const route of walked) failures.push(...(await told(route, headers, wanted)));
    };
    const members = routes.flatMap((route) =>
      route.access.kind === 'member' ? [{ ...route, access: route.access }] : [],
    );
    const ofBrand = members.filter(({ access }) => access.named.in === 'header');
    const closed = routes.filter(({ access }) => ['account', 'member', 'operator'].includes(access.kind));
    await expectAll(closed, {}, '401 unauthenticated');
    await expectAll(ofBrand, bearer(owner), '400 organization_header_missing');
    await expectAll(ofBrand, inOwners(people.stranger), '403 not_a_member');
    for (const role of ['auditor', 'editor'] as const) {
      const beyond = members.filter(({ access }) => !reaches(role, access.role));
      await expectAll(beyond, inOwners(people[role]), '403 role_required');
    }
    const onPro = members.filter(({ access }) => access.plan === 'pro');
    await expectAll(onPro, free.headers, '403 plan_required');
    const beyondKey = ofBrand.filter(({ access }) => access.named.in === 'header' && access.named.scope !== 'read');
    await expectAll(beyondKey, inOwners({ token: readKey }), '403 scope_required');
    const ofOperator = routes.filter(({ access }) => access.kind === 'operator');
    for (const route of ofOperator) failures.push(...(await told(route, bearer(owner), '403 operator_required')));
    expect(failures).toEqual([]);
  });

  test('is not told to a stranger to the organization of the path, whether there is one or not', async () => {
    const failures: string[] = [];
    const walked = routes.filter(({ path }) => isOfOrganization(path) && path !== '/organizations/:id');
    expect(walked.length).toBeGreaterThan(6);
    let bad = 0;
    for (const { method, path } of walked) {
      for (const sent of method === 'GET' ? [{}] : BAD) {
        const as = async (person: SignedUp, organizationId: string) => {
          const url = `${filled(path, { ':id': organizationId })}${BAD_QUERY}`;
          return inject(method, url, { ...sent, headers: { ...sent.headers, ...bearer(person) } });
        };
        const isBad = [400, 413, 415, 422].includes((await as(owner, owner.organizationId)).status);
        if (isBad) bad++;
        const wanted = isBad ? '403 not_a_member' : '404 not_found';
        for (const organizationId of [owner.organizationId, 'org_nobody']) {
          const { status, code } = await as(people.stranger, organizationId);
          if (`${status} ${code}` !== wanted) failures.push(`${method} ${path}: ${status} ${code}, not ${wanted}`);
        }
      }
    }
    expect(bad).toBeGreaterThan(15);
    expect(failures).toEqual([]);
  });
});
