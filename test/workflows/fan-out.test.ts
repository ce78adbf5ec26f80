import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { batchLifecycleId } from '../../workflows/batch-lifecycle/contract.js';
import { recordHistory } from '../support/histories.js';
import type { Brand } from '../support/service.js';
import {
  batch,
  eventually,
  invite,
  messagesTo,
  product,
  requestMailsTo,
  startServiceWithWorker,
  type Invited,
  type ServiceWithWorker,
} from '../support/brand-story.js';

let service: ServiceWithWorker;
let brand: Brand;
let factory: Invited;
let subSuppliers: readonly Invited[];

const SUB_SUPPLIERS = 30;

beforeAll(async () => {
  service = await startServiceWithWorker();
  brand = await service.asBrand();
  factory = await invite(brand, 'knitters', 1);
  subSuppliers = await Promise.all(
    Array.from({ length: SUB_SUPPLIERS }, (_, index) => invite(brand, `spinners${index}`, 3)),
  );
}, 120_000);
afterAll(() => service.close());

interface Request {
  readonly supplierId: string;
  readonly state: string;
  readonly sentAt: number | null;
}

const sendRequest = async (batchId: string) => {
  const answer = await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  expect(answer.status).toBe(200);
};
const requestsOf = async (batchId: string): Promise<readonly Request[]> =>
  (await brand.call({ url: `/brand/batches/${batchId}` })).json.requests as Request[];

const requestMails = async (email: string, productName: string) =>
  (await messagesTo(email)).filter(
    ({ subject, links }) => subject.includes(productName) && links.some((link) => link.includes('/f/')),
  );

const sentSoFar = async (): Promise<number> => {
  const { rows } = await service.database.query<{ sent: number }>(
    `select count(*)::int as sent from service.sent_mails where message_id like 'req_%'`,
  );
  return rows[0]?.sent ?? 0;
};

// Before the first mail, in the middle, and near the end.
const KILLED_AFTER = [0, 12, 26];
/** Mails that can be between the mail server's answer and our commit at one moment: one for each connection. */
const IN_FLIGHT = 4;

it('gives each factory its mail when the worker is killed with -9, again and again', async () => {
  const name = 'Killed tee';
  const batchId = await batch(brand, await product(brand, subSuppliers, name), factory);
  const before = await sentSoFar();
  await sendRequest(batchId);
  for (const mails of KILLED_AFTER) {
    while ((await sentSoFar()) < before + mails) await sleep(5);
    await service.worker().kill('SIGKILL');
    await service.startWorker();
  }

  const requests = await eventually(
    () => requestsOf(batchId),
    (all) => all.every(({ state }) => state === 'emailed'),
    60_000,
  );
  expect(requests).toHaveLength(SUB_SUPPLIERS + 1);
  const mails = await Promise.all([factory, ...subSuppliers].map(({ email }) => requestMails(email, name)));
  for (const own of mails) {
    expect(own.length).toBeGreaterThan(0);
    // Who got two (SMTP cannot rule it out) got one mail twice, and a mail program shows it once.
    expect(new Set(own.map(({ messageId }) => messageId)).size).toBe(1);
  }
  const repeats = mails.flat().length - mails.length;
  expect(repeats).toBeLessThanOrEqual(KILLED_AFTER.length * IN_FLIGHT);
}, 120_000);

it('lets a bouncing address fail alone, after a bounded number of tries', async () => {
  const bouncing = await invite(brand, 'bounce', 3);
  const good = await invite(brand, 'weavers', 3);
  const batchId = await batch(brand, await product(brand, [bouncing, good], 'Bounce tee'), factory);
  await sendRequest(batchId);
  await requestMailsTo(good.email);
  await eventually(
    () => requestsOf(batchId),
    (all) => all.filter(({ state }) => state === 'emailed').length === 2,
    // The others are out while the bouncing one is still being tried.
    5_000,
  );
  const requests = await eventually(
    () => requestsOf(batchId),
    (all) => all.some(({ state }) => state === 'failed'),
    30_000,
  );
  expect(requests.find(({ supplierId }) => supplierId === bouncing.id)).toMatchObject({
    state: 'failed',
    sentAt: null,
  });
  expect(requests.filter(({ state }) => state === 'emailed')).toHaveLength(2);

  const connection = await Connection.connect({ address: service.config.TEMPORAL_ADDRESS });
  const client = new Client({ ...service.temporal, connection });
  await recordHistory('batch-lifecycle-bounced', client.workflow.getHandle(batchLifecycleId(batchId)));
  await connection.close();

  // The batch goes on without it.
  const again = await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  expect(again.json.state).toBe('sent');
}, 60_000);

it('names a mail after its request, its kind and its round', async () => {
  const [message] = await requestMailsTo(factory.email);
  expect(message?.messageId).toMatch(/^<?req_[0-9a-f-]+\.request\.0@/);
});
