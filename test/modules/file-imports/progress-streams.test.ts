import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../../support/brand-story.js';
import { startService, type Brand, type TestService } from '../../support/service.js';
import { csvOf, start } from './files.js';

/* Without a worker, so imports stay where they are put. */

let service: TestService;
let brand: Brand;
let origin: string;
beforeAll(async () => {
  service = await startService();
  brand = await service.asBrand();
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterAll(() => service.close());

const queuedImport = (owner = brand): Promise<string> => start(owner, csvOf(3));

interface Watching {
  readonly answer: Response;
  /** All that has been told so far. */
  readonly told: () => string;
  readonly stop: () => void;
}

async function watch(id: string, { headers } = brand): Promise<Watching> {
  const leaving = new AbortController();
  const answer = await fetch(`${origin}/brand/bulk/imports/${id}/events`, { headers, signal: leaving.signal });
  let text = '';
  const read = async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  };
  read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return { answer, told: () => text, stop: () => leaving.abort() };
}

const move = (id: string, done: number) =>
  service.database.query("update service.imports set state = 'running', done = $2 where id = $1", [id, done]);

test('however many watch however many imports, the database is asked twice a second, and each is told of its own', async () => {
  const ids = [await queuedImport(), await queuedImport(), await queuedImport()];
  const watching = await Promise.all(Array.from({ length: 18 }, (_, n) => watch(ids[n % 3] ?? '')));
  await eventually(
    async () => watching.map(({ told }) => told()),
    (all) => all.every((told) => told.includes('"done":0')),
  );
  const queries = vi.spyOn(service.database, 'query');
  await sleep(3_000);
  const looks = queries.mock.calls.filter(([query]) => String(query).includes('from service.imports')).length;
  queries.mockRestore();
  // Half a second lies between two looks, however busy the machine; a late timer makes them fewer.
  expect(looks).toBeGreaterThanOrEqual(1);
  expect(looks).toBeLessThanOrEqual(7);
  for (const [index, id] of ids.entries()) await move(id, index + 1);
  await eventually(
    async () => watching.map(({ told }) => told()),
    (all) =>
      all.every((told, n) => told.includes(`"id":"${ids[n % 3] ?? ''}"`) && told.includes(`"done":${(n % 3) + 1}`)),
  );
  for (const { stop } of watching) stop();
});

test('a caller, and an organization, has twenty open at most; one that ends makes room', async () => {
  const owner = await service.asBrand();
  const id = await queuedImport(owner);
  const watching = await Promise.all(Array.from({ length: 20 }, () => watch(id, owner)));
  expect(watching.map(({ answer }) => answer.status)).toEqual(Array(20).fill(200));
  const { answer } = await watch(id, owner);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
  // Another machine of the same organization finds no room either, another organization does.
  const keys = `/organizations/${owner.organizationId}/api-keys`;
  const key = await owner.call({ method: 'POST', url: keys, payload: { name: 'ERP', scopes: ['read'] } });
  const headers = { ...owner.headers, authorization: `Bearer ${key.json.key as string}` };
  expect((await watch(id, { ...owner, headers })).answer.status).toBe(429);
  const elsewhere = await watch(await queuedImport());
  expect(elsewhere.answer.status).toBe(200);

  for (const { stop } of [...watching, elsewhere]) stop();
  const again = await eventually(
    () => watch(id, owner),
    ({ answer: { status } }) => status === 200,
  );
  again.stop();
});

test('a stream that is under way ends with the stop, and its connection with it', async () => {
  const another = await startService();
  const owner = await another.asBrand();
  await another.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = another.app.server.address() as AddressInfo;
  const events = `http://127.0.0.1:${port}/brand/bulk/imports/${await start(owner, csvOf(3))}/events`;
  const answer = await fetch(events, { headers: owner.headers });
  const whole = answer.text();
  // The API gives calls under way 10 s; a connection that is kept alive would be idle for 72.
  const closed = another.close().then(() => 'closed');
  expect(await whole).toContain('"done":0');
  expect(await Promise.race([closed, sleep(9_000, 'still open')])).toBe('closed');
});
