import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../../src/app.js';
import type { Config } from '../../../src/infrastructure/config.js';
import { startService, type Brand, type TestService } from '../../support/service.js';

const CALLS = 12;
const KEY_CALLS = 10;

let service: TestService;
type App = Awaited<ReturnType<typeof buildApp>>;
let otherApp: App;
beforeAll(async () => {
  const environment = { AUTH_CALLS_PER_MINUTE: String(CALLS), API_KEY_CALLS_PER_SECOND: String(KEY_CALLS) };
  service = await startService({ environment });
  otherApp = await anotherApp(service.config);
});

function anotherApp(config: Config): Promise<App> {
  const { database, eventStore, workflows } = service;
  const projected = { waitFor: () => Promise.resolve(true), close: () => Promise.resolve() };
  const logger = pino({ level: 'silent' });
  return buildApp({ config, logger, database, eventStore, workflows, projected, clock: Date.now });
}
afterAll(async () => {
  await otherApp.close();
  await service.close();
});

const login = { method: 'POST', url: '/auth/login', payload: { email: 'a@example.com', password: 'x' } } as const;

describe('auth calls of a socket address', () => {
  const call = (remoteAddress: string, options: { url: string; method?: 'GET' | 'POST'; payload?: object } = login) =>
    service.call({ ...options, remoteAddress, headers: { 'x-forwarded-for': '203.0.113.9' } });

  test('are counted over all processes and all auth routes, pages too', async () => {
    for (let round = 0; round < CALLS / 3; round++) {
      expect((await call('10.0.0.1', { url: '/sign-in' })).status).toBe(200);
      expect((await call('10.0.0.1', { ...login, payload: {} })).status).toBe(422);
      const there = await otherApp.inject({ url: '/magic-link?token=x', remoteAddress: '10.0.0.1' });
      expect(there.statusCode).toBe(401);
    }
    const here = await call('10.0.0.1');
    expect([here.status, here.json.code]).toEqual([429, 'rate_limited']);
    expect(Number(here.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(here.headers['retry-after'])).toBeLessThanOrEqual(60);
    const there = await otherApp.inject({ ...login, remoteAddress: '10.0.0.1' });
    expect(there.statusCode).toBe(429);
    const joining = await call('10.0.0.1', { method: 'POST', url: `/join/${'A'.repeat(43)}`, payload: {} });
    expect(joining.status).toBe(429);
    expect((await call('10.0.0.1', { url: '/health/live' })).status).toBe(200);
    expect((await call('10.0.0.2', { url: '/sign-in' })).status).toBe(200);
  });

  test('are free again in the next minute', async () => {
    for (let round = 0; round < CALLS; round++) await call('10.0.0.3', { url: '/sign-in' });
    await service.database.query("update service.call_counts set window_ends_at = now() - interval '1 second'");
    expect((await call('10.0.0.3', { url: '/sign-in' })).status).toBe(200);
  });

  test('rest as a hash', async () => {
    await call('10.0.0.4', { url: '/sign-in' });
    const { rows } = await service.database.query<{ row: string }>(
      'select row_to_json(c)::text as row from service.call_counts c',
    );
    for (const { row } of rows) expect(row).not.toContain('10.0.0.');
  });
});

describe('the address of a caller', () => {
  const isFree = async (app: App, remoteAddress: string, forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded };
    return (await app.inject({ url: '/sign-in', remoteAddress, headers })).statusCode === 200;
  };
  const useUp = async (app: App, remoteAddress: string, forwarded: string) => {
    for (let round = 0; round < CALLS; round++) await isFree(app, remoteAddress, forwarded);
  };

  test('is what the last of so many proxies says, whatever stood in the header before', async () => {
    const app = await anotherApp({ ...service.config, TRUST_PROXY: 1 });
    await useUp(app, '10.2.0.1', '203.0.113.1');
    expect(await isFree(app, '10.2.0.2', '203.0.113.1')).toBe(false);
    expect(await isFree(app, '10.2.0.2', '198.51.100.7, 203.0.113.1')).toBe(false);
    expect(await isFree(app, '10.2.0.1', '203.0.113.2')).toBe(true);
    await app.close();
  });

  test('is what a proxy of the named networks says, and its own for anybody else', async () => {
    const app = await anotherApp({ ...service.config, TRUST_PROXY: ['10.3.0.0/16', 'loopback'] });
    await useUp(app, '10.3.0.1', '203.0.113.3');
    expect(await isFree(app, '127.0.0.1', '203.0.113.3, 10.3.9.9')).toBe(false);
    expect(await isFree(app, '10.3.0.1', '203.0.113.4')).toBe(true);
    await useUp(app, '192.0.2.1', '203.0.113.5');
    expect(await isFree(app, '192.0.2.1', '203.0.113.6')).toBe(false);
    expect(await isFree(app, '10.3.0.1', '203.0.113.5')).toBe(true);
    await app.close();
  });
});

describe('calls of an API key', () => {
  const keyOf = async (brand: Brand) => {
    const url = `/organizations/${brand.organizationId}/api-keys`;
    const { json } = await brand.call({ method: 'POST', url, payload: { name: 'ERP', scopes: ['read'] } });
    const headers = { authorization: `Bearer ${json.key as string}`, 'x-organization-id': brand.organizationId };
    return (app: App) => app.inject({ url: '/brand/products', headers });
  };

  test('are counted over all processes, and told with every answer', async () => {
    const brand = await service.asBrand();
    const [call, ofAnother] = [await keyOf(brand), await keyOf(brand)];
    const first = await call(service.app);
    expect([first.statusCode, first.headers]).toMatchObject([
      200,
      {
        ...{ 'ratelimit-policy': `${KEY_CALLS};w=1`, 'ratelimit-limit': `${KEY_CALLS}`, 'ratelimit-reset': '1' },
        'ratelimit-remaining': `${KEY_CALLS - 1}`,
      },
    ]);
    // A second that lasts, so that it is known how many fit into it.
    await service.database.query(
      "update service.call_counts set window_ends_at = now() + interval '100 seconds' where window_ends_at < now() + interval '1 second'",
    );
    const apps = Array.from({ length: 2 * KEY_CALLS }, (_, n) => (n % 2 === 0 ? service.app : otherApp));
    const answers = await Promise.all(apps.map(call));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(KEY_CALLS - 1);
    expect(refused).toHaveLength(KEY_CALLS + 1);
    for (const { headers, json } of refused) {
      expect(json()).toMatchObject({ code: 'rate_limited', retryAfterS: 100 });
      expect(headers).toMatchObject({ 'retry-after': '100', 'ratelimit-remaining': '0', 'ratelimit-reset': '100' });
    }
    expect((await ofAnother(service.app)).statusCode).toBe(200);
    expect((await brand.call({ url: '/brand/products' })).headers).not.toHaveProperty('ratelimit-limit');
  });

  test('are let in again when Retry-After says so', async () => {
    const call = await keyOf(await service.asBrand());
    let answer = await call(service.app);
    while (answer.statusCode === 200) answer = await call(service.app);
    expect(answer.headers['retry-after']).toBe('1');
    await new Promise((resolve) => setTimeout(resolve, 1_010));
    expect((await call(service.app)).statusCode).toBe(200);
  });
});

test('a flood of sign-ins leaves other requests answered, and ends in refusals that say when to come back', async () => {
  const brand = await service.asBrand();
  let open = 0;
  // From many addresses, so that only the hashing itself is in the way.
  const flood = Array.from({ length: 120 }, (_, n) => {
    open++;
    const payload = { email: `flood${n}@example.com`, password: 'not the password' };
    return service
      .call({ ...login, payload, remoteAddress: `10.1.${n % 200}.1` })
      .finally(() => open--)
      .then(({ status, headers }) => ({ status, retryAfter: headers['retry-after'] }));
  });
  for (let round = 0; round < 5; round++) expect((await brand.call({ url: '/brand/products' })).status).toBe(200);
  expect(open).toBeGreaterThan(50);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 429);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect(refused.map(({ retryAfter }) => Number(retryAfter))).toEqual(refused.map(() => 1));
});
