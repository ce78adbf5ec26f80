import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../../src/http/app.js';
import { startService, type TestService } from '../../support/service.js';

const CALLS = 12;

let service: TestService;
let otherApp: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  service = await startService({ environment: { AUTH_CALLS_PER_MINUTE: String(CALLS) } });
  const { config, database, eventStore, workflows } = service;
  const projected = { waitFor: () => Promise.resolve(true), close: () => Promise.resolve() };
  const logger = pino({ level: 'silent' });
  otherApp = await buildApp({ config, logger, database, eventStore, workflows, projected, clock: Date.now });
});
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
    await service.database.query("update service.auth_calls set window_ends_at = now() - interval '1 second'");
    expect((await call('10.0.0.3', { url: '/sign-in' })).status).toBe(200);
  });

  test('rest as a hash', async () => {
    await call('10.0.0.4', { url: '/sign-in' });
    const { rows } = await service.database.query<{ row: string }>(
      'select row_to_json(c)::text as row from service.auth_calls c',
    );
    for (const { row } of rows) expect(row).not.toContain('10.0.0.');
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
