import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyAll } from '../../../src/infrastructure/event-store/verify.js';
import { findFreePort } from '../../../src/embedded/ports.js';
import { startProgram, waitFor } from '../../support/program.js';
import { startService, type Brand, type TestService } from '../../support/service.js';
import { eventsOf, summary, tee, unique, type Imported } from './rows.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const ROWS = 25;

/** Sends a commit to an API process of its own and kills that with -9 once some of its rows are written; all of them never are. */
async function killAmidst(brand: Brand, rows: readonly object[], headers: Record<string, string>): Promise<void> {
  const port = await findFreePort();
  const api = startProgram({ file: 'src/main.ts', env: { ...service.environment, PORT: String(port) } });
  await waitFor(api, () => api.output().includes('"ready"'), 60_000);
  const answer = fetch(`http://127.0.0.1:${port}/brand/bulk/commit`, {
    method: 'POST',
    headers: { ...brand.headers, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ mode: 'create', rows }),
  }).then(
    () => 'answered',
    () => 'cut off',
  );
  const published = async () =>
    (await eventsOf(service, brand)).filter(({ type }) => type === 'PassportPublished').length;
  while ((await published()) < 2) await sleep(5);
  await api.kill('SIGKILL');
  expect(await answer).toBe('cut off');
}

async function sendAgain(brand: Brand, rows: readonly object[], headers: Record<string, string>): Promise<Imported> {
  for (;;) {
    const { status, json, body } = await brand.call({
      ...{ method: 'POST', url: '/brand/bulk/commit', headers, payload: { mode: 'create', rows } },
    });
    if (status === 200) return json as Imported;
    expect(json.code, body).toBe('idempotency_key_in_use');
    await sleep(50);
  }
}

/** What an undisturbed import of `ROWS` rows leaves: one of each for each row, and nothing else. */
async function expectOneOfEach(brand: Brand): Promise<void> {
  const counts = new Map<string, number>();
  for (const { type, metadata } of await eventsOf(service, brand)) {
    if (metadata.import !== undefined) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  const each = [
    'ProductCreated',
    'BatchCreated',
    'BatchScored',
    'ProductPassportIssued',
    'PassportPublished',
    'BatchPublished',
  ];
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(each.map((type) => [type, ROWS])));
  expect((await brand.call({ url: '/brand/products' })).json.data).toHaveLength(ROWS);
  expect((await brand.call({ url: '/brand/dpps' })).json.data).toHaveLength(ROWS);
  expect((await verifyAll(service.eventStore)).problems).toEqual([]);
}

test(
  'a commit whose API is killed between two rows is finished by the same rows sent again',
  { timeout: 120_000 },
  async () => {
    const brand = await service.asBrand();
    const rows = Array.from({ length: ROWS }, () => tee());
    await killAmidst(brand, rows, {});
    const { rows: outcomes, summary: counts } = await sendAgain(brand, rows, {});
    expect(outcomes.every(({ dppId }) => dppId !== undefined)).toBe(true);
    expect((counts['create'] ?? 0) + (counts['skipped'] ?? 0)).toBe(ROWS);
    await expectOneOfEach(brand);
  },
);

test(
  'under its Idempotency-Key it answers as if nothing had happened, keyless rows too',
  { timeout: 120_000 },
  async () => {
    const brand = await service.asBrand();
    const rows = Array.from({ length: ROWS }, (_, index) => tee(index % 2 === 0 ? {} : { externalId: undefined }));
    const headers = { 'idempotency-key': unique('killed') };
    await killAmidst(brand, rows, headers);
    const answer = await sendAgain(brand, rows, headers);
    expect(answer.summary).toEqual(summary({ create: ROWS, passports: ROWS }));
    expect(answer.rows.every(({ warnings }) => warnings.length === 0)).toBe(true);
    await expectOneOfEach(brand);
  },
);
