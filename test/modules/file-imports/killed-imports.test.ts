import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServiceWithWorker, type ServiceWithWorker } from '../../support/brand-story.js';
import type { Brand } from '../../support/service.js';
import { announceLeftImports } from '../../../src/modules/file-imports/announce.js';
import { startApi } from './api-process.js';
import { largeFiles } from './file-topics/large-files.js';
import { importOf, over, start, upload } from './files.js';

// Four parts of 25: enough for two kills in the middle.
const ROWS = 100;

let service: ServiceWithWorker;
let large: Brand;
let undisturbed: Story;

beforeAll(async () => {
  service = await startServiceWithWorker();
  large = await service.asBrand();
  const brand = await service.asBrand();
  undisturbed = await storyOf(brand, await over(brand, await start(brand, catalogue())));
}, 180_000);
afterAll(() => service.close());

/** With keys and without, with mistakes, and with rows that name the product of a row before them. */
function catalogue(): string {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const key = index % 10 === 3 ? '' : index % 10 === 7 ? `K-${index - 7}` : `K-${index}`;
    const composition = index % 25 === 11 ? '90 % cotton' : '95 % organic cotton, 5 % elastane';
    return `${key};Shirt ${index};${composition};0,2`;
  });
  return `external_id;name;composition;weight_kg\n${rows.join('\n')}\n`;
}

/** What an import has left behind, without the ids. */
type Story = Awaited<ReturnType<typeof storyOf>>;

async function storyOf(
  brand: Brand,
  run: {
    state: string;
    outcomes: object;
    report: { rows: { row: number; outcome: string; errors: object[]; warnings: object[] }[] };
  },
) {
  const events: Record<string, number> = {};
  for await (const event of service.eventStore.readAll({ after: null })) {
    if (event.metadata.organizationId !== brand.organizationId || /^Organization/.test(event.type)) continue;
    events[event.type] = (events[event.type] ?? 0) + 1;
  }
  const listed = (await brand.call({ url: '/brand/products' })).json.data as {
    name: string;
    externalId: string | null;
  }[];
  const passports = (await brand.call({ url: '/brand/dpps' })).json.data as object[];
  return {
    state: run.state,
    outcomes: run.outcomes,
    rows: run.report.rows.map(({ row, outcome, errors, warnings }) => ({ row, outcome, errors, warnings })),
    products: listed.map(({ name, externalId }) => `${externalId ?? '-'} ${name}`).sort(),
    passports: passports.length,
    events,
  };
}

const begun = (brand: Brand, id: string) =>
  expect.poll(async () => (await importOf(brand, id)).done, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0);

/** Another import takes its place when the worker was quicker than its end. The worker runs again afterwards. */
async function killedInTheMiddle() {
  for (let tries = 0; tries < 5; tries++) {
    const brand = await service.asBrand();
    const id = await start(brand, catalogue());
    await begun(brand, id);
    await service.worker().kill('SIGKILL');
    const stopped = (await importOf(brand, id)).done as number;
    await service.startWorker();
    if (stopped < ROWS) return { brand, id, stopped };
  }
  throw new Error('no worker could be killed in the middle of an import');
}

describe('an import ends by itself, and as if nothing had happened, when', () => {
  it('its worker is killed in the middle of it, and killed again', async () => {
    const { brand, id, stopped } = await killedInTheMiddle();
    await expect.poll(async () => (await importOf(brand, id)).done, { timeout: 60_000 }).toBeGreaterThan(stopped);
    await service.worker().kill('SIGKILL');
    await service.startWorker();
    expect(await storyOf(brand, await over(brand, id))).toEqual(undisturbed);
  }, 180_000);

  it('the event store is gone for 10 s: one that has begun, and one that is asked for meanwhile and never again', async () => {
    const [brand, other] = [await service.asBrand(), await service.asBrand()];
    const { json: file } = await upload(other, catalogue());
    const id = await start(brand, catalogue());
    await begun(brand, id);
    await service.killEventStore();
    const url = `/brand/bulk/files/${file.id}/commit`;
    const [asked] = await Promise.all([other.call({ method: 'POST', url, payload: {} }), sleep(10_000)]);
    await service.restartEventStore();
    expect([asked.status, asked.json.code]).toEqual([503, 'event_store_unavailable']);
    expect(await importOf(other, file.id)).toMatchObject({ state: 'queued', done: 0 });
    await announceLeftImports(service, Date.now() + 61_000);
    expect(await storyOf(brand, await over(brand, id))).toEqual(undisturbed);
    expect(await storyOf(other, await over(other, file.id))).toEqual(undisturbed);
  }, 180_000);

  it('the API was killed the moment that it was asked for it', async () => {
    const brand = await service.asBrand();
    const { json: file } = await upload(brand, catalogue());
    const { api, url } = await startApi(service, tmpdir());
    const path = `/brand/bulk/files/${file.id}/commit`;
    const headers = { ...brand.headers, 'content-type': 'application/json' };
    let isAnswered = false;
    const asked = fetch(url + path, { method: 'POST', headers, body: '{}' }).then(
      ({ status }) => expect(status).toBe(202),
      () => null,
    );
    void asked.finally(() => void (isAnswered = true));
    const isThere = async () => (await brand.call({ url: `/brand/bulk/imports/${file.id}` })).status === 200;
    while (!isAnswered && !(await isThere()));
    await api.kill('SIGKILL');
    await asked;
    expect((await brand.call({ method: 'POST', url: path, payload: {} })).json).toEqual({ importId: file.id });
    expect(await storyOf(brand, await over(brand, file.id))).toEqual(undisturbed);
  }, 180_000);

  it('the database refuses everybody for 10 s', async () => {
    const brand = await service.asBrand();
    const id = await start(brand, catalogue());
    await begun(brand, id);
    await service.closeDatabaseFor(10_000);
    expect(await storyOf(brand, await over(brand, id))).toEqual(undisturbed);
  }, 180_000);
});

largeFiles({ service: () => service, brand: () => large });
