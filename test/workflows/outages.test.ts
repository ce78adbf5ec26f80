import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { findFreePort } from '../../src/embedded/ports.js';
import { startTemporal, type RunningTemporal } from '../../src/embedded/temporal/start-temporal.js';
import { ensureTemporalCli } from '../../src/embedded/temporal/tools.js';
import type { Brand } from '../support/service.js';
import {
  batch,
  EXAMPLE_A,
  eventually,
  invite,
  messagesTo,
  product,
  requestMailsTo,
  startServiceWithWorker,
  tokenIn,
  type Invited,
  type ServiceWithWorker,
} from '../support/brand-story.js';

// A Temporal server of the file's own: it is stopped, and its database deleted.
const logger = pino({ level: 'silent' });
let folder: string;
let port: number;
let temporal: RunningTemporal;
let service: ServiceWithWorker;
let brand: Brand;
let factory: Invited;

const start = async (): Promise<void> => {
  const { path } = await ensureTemporalCli({ toolsDir: inject('toolsDir'), logger });
  temporal = await startTemporal({ cliPath: path, dataDir: join(folder, 'temporal'), port, logger });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passport-outages-'));
  port = await findFreePort();
  await start();
  service = await startServiceWithWorker(
    { TEMPORAL_ADDRESS: `127.0.0.1:${port}`, TEMPORAL_NAMESPACE: 'default' },
    { callLimitMs: 5_000 },
  );
  brand = await service.asBrand();
  factory = await invite(brand, 'knitters', 1);
}, 120_000);

afterAll(async () => {
  await service.close();
  await temporal.stop();
  await rm(folder, { recursive: true, force: true });
});

const act = (batchId: string, call: string, payload: object = {}) =>
  brand.call({ method: 'POST', url: `/brand/batches/${batchId}/${call}`, payload });
const read = async (batchId: string) => (await brand.call({ url: `/brand/batches/${batchId}` })).json;
const requestMails = async () =>
  (await messagesTo(factory.email)).filter(({ links }) => links.some((link) => link.includes('/f/')));

it('answers 503 in a bounded time while the workflow server is down; the same call later completes it, once', async () => {
  const batchId = await batch(brand, await product(brand), factory);
  await temporal.stop();
  const askedAt = Date.now();
  const down = await act(batchId, 'send-request');
  expect(down).toMatchObject({ status: 503, json: { code: 'workflow_unavailable' } });
  expect(Number(down.headers['retry-after'])).toBeGreaterThan(0);
  expect(Date.now() - askedAt).toBeLessThan(7_000);
  expect(await read(batchId)).toMatchObject({ state: 'draft', requests: [] });

  await start();
  const sent = await eventually(
    () => act(batchId, 'send-request'),
    ({ status }) => status !== 503,
    60_000,
  );
  expect(sent).toMatchObject({ status: 200, json: { state: 'sent', requests: [{ tier: 1 }] } });
  await requestMailsTo(factory.email);
  expect(await requestMails()).toHaveLength(1);
}, 90_000);

it("goes on from the batch's stream when the workflow server has lost everything", async () => {
  const weavers = await invite(brand, 'weavers', 1);
  const productId = await product(brand);
  const [first, second] = [await batch(brand, productId, weavers), await batch(brand, productId, weavers)];
  for (const batchId of [first, second]) await act(batchId, 'send-request');
  const mails = await eventually(
    async () => (await messagesTo(weavers.email)).filter(({ links }) => links.some((link) => link.includes('/f/'))),
    (all) => all.length === 2,
  );
  for (const mail of mails) {
    const url = `/factory/requests/${tokenIn(mail)}/submit`;
    expect(await service.call({ method: 'POST', url, payload: EXAMPLE_A })).toMatchObject({ status: 200 });
  }

  await temporal.stop();
  await rm(join(folder, 'temporal'), { recursive: true });
  await start();

  const published = await eventually(
    () => act(first, 'publish'),
    ({ status }) => status !== 503,
    60_000,
  );
  expect(published.status).toBe(200);
  expect(await read(first)).toMatchObject({ state: 'published', dpp: { id: published.json.dppId } });

  const changes = await act(second, 'request-changes', { notes: 'Count again' });
  expect(changes).toMatchObject({ status: 200, json: { state: 'sent' } });
  await requestMailsTo(weavers.email, /alterações/);
  // Mails that were out before are not sent again.
  expect((await messagesTo(weavers.email)).filter(({ links }) => links.some((l) => l.includes('/f/')))).toHaveLength(3);
}, 90_000);
