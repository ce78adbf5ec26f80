import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../src/embedded/ports.js';
import { startProgram, waitFor } from './support/program.js';
import { startService, type TestService } from './support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('the API ends calls under way, then itself, and its log tells no secret', { timeout: 60_000 }, async () => {
  const brand = await service.asBrand();
  const port = await findFreePort();
  const api = startProgram({ file: 'src/main.ts', env: { ...service.environment, PORT: String(port) } });
  await waitFor(api, () => api.output().includes('"ready"'));
  const base = `http://127.0.0.1:${port}`;
  await fetch(`${base}/f/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA?lang=de`, { headers: { accept: 'text/html' } });
  const login = JSON.stringify({ email: brand.email, password: brand.password });
  const underWay = fetch(`${base}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': 'last-call' },
    body: login,
  });
  await waitFor(api, async () => (await fetch(`${base}/health/live`)).ok);
  const began = Date.now();
  api.child.kill('SIGTERM');
  const [code] = (await once(api.child, 'exit')) as [number | null];
  expect(code, api.output()).toBe(0);
  expect(Date.now() - began).toBeLessThan(8_000);
  expect((await underWay).status).toBe(200);

  const log = api.output();
  expect(log).toContain('"requestId":"last-call"');
  expect(log).toContain('"path":"/f/[token]"');
  for (const secret of [brand.email, brand.password, brand.token, 'AAAAAAAA', 'lang=de', service.config.ADMIN_TOKEN]) {
    expect(log).not.toContain(secret);
  }
});
