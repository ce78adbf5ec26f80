import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ensureTimeSkippingServer } from '../../src/embedded/temporal/tools.js';
import { createMailer, type Mailer } from '../../src/infrastructure/mailer.js';
import { batchLifecycleId } from '../../workflows/batch-lifecycle/contract.js';
import { createWorker } from '../../workflows/worker.js';
import { recordHistory } from '../support/histories.js';
import { startService, type Brand, type Call, type TestService } from '../support/service.js';
import { dataConverter } from '../support/payloads.js';
import {
  address,
  batch,
  EXAMPLE_A,
  eventually,
  invite,
  messagesTo,
  product,
  requestMailsTo,
  tokenIn,
  workflowBundle,
  type Message,
} from '../support/brand-story.js';

// Real parts, but for the clock: the time-skipping server lets weeks pass in a moment.
let environment: TestWorkflowEnvironment;
let service: TestService;
let worker: Worker;
let running: Promise<void>;
let mailer: Mailer;
let brand: Brand;

beforeAll(async () => {
  const logger = pino({ level: 'silent' });
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { path } = await ensureTimeSkippingServer({ toolsDir: inject('toolsDir'), logger });
  environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
    client: { dataConverter },
  });
  service = await startService({ environment: { TEMPORAL_ADDRESS: environment.address } });
  const { config, database, eventStore } = service;
  mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM, database, logger });
  worker = await createWorker({
    connection: environment.nativeConnection,
    namespace: 'default',
    dataConverter,
    queueOf: service.temporal.queueOf,
    bundlePath: await workflowBundle(),
    deps: {
      ...{ eventStore, database, mailer, clock: Date.now },
      ...{ linkKey: config.LINK_KEY, baseUrl: config.BASE_URL, consumerUrl: config.CONSUMER_URL },
    },
  });
  running = worker.run();
  brand = await service.asBrand();
}, 120_000);

afterAll(async () => {
  worker.shutdown();
  await running;
  mailer.close();
  await service.close();
  await environment.teardown();
});

const subjects = (mails: readonly Message[]) => mails.map(({ subject }) => subject);
const countOf = async (email: string, count: number) =>
  eventually(
    async () => (await messagesTo(email)).filter(({ links }) => links.some((link) => link.includes('/f/'))),
    (mails) => mails.length === count,
  );
const requestsOf = async (batchId: string) =>
  (await brand.call({ url: `/brand/batches/${batchId}` })).json.requests as { tier: number; state: string }[];

it('reminds the silent after 7 and 14 days, then tells the brand, and stops', async () => {
  const factory = await invite(brand, 'knitters', 1);
  const [spinner, dyer] = [await invite(brand, 'spinners', 3), await invite(brand, 'dyers', 2)];
  const batchId = await batch(brand, await product(brand, [spinner, dyer]), factory);
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  const [request] = await requestMailsTo(spinner.email);
  const answer = await service.call({
    method: 'POST',
    url: `/factory/requests/${tokenIn(request)}/submit`,
    payload: { countries: { spinning: 'TR' } },
  });
  expect(answer.status).toBe(200);
  await countOf(factory.email, 1);

  await environment.sleep('6 days');
  expect(await countOf(factory.email, 1)).toHaveLength(1);
  await environment.sleep('2 days');
  expect(subjects(await countOf(factory.email, 2))[0]).toMatch(/lembrete/i);
  await countOf(dyer.email, 2);

  await environment.sleep('5 days');
  expect(await countOf(factory.email, 2)).toHaveLength(2);
  const toldBefore = await messagesTo(brand.email);
  await environment.sleep('2 days');
  await countOf(factory.email, 3);
  await countOf(dyer.email, 3);
  const [told] = await eventually(
    () => messagesTo(brand.email),
    (mails) => mails.length === toldBefore.length + 1,
  );
  expect(told?.text).toContain('knitters');
  expect(told?.text).toContain('dyers');
  expect(told?.text).not.toContain('spinners');

  await environment.sleep('60 days');
  expect(await countOf(factory.email, 3)).toHaveLength(3);
  expect(await messagesTo(brand.email)).toHaveLength(toldBefore.length + 1);
  // Who has answered was never reminded.
  expect(await countOf(spinner.email, 1)).toHaveLength(1);
  await recordHistory('batch-lifecycle-reminded', environment.client.workflow.getHandle(batchLifecycleId(batchId)));
  expect(await requestsOf(batchId)).toMatchObject([{ state: 'emailed' }, { state: 'submitted' }, { state: 'emailed' }]);
}, 90_000);

it('begins to count anew when changes are asked for', async () => {
  const factory = await invite(brand, 'weavers', 1);
  const batchId = await batch(brand, await product(brand), factory);
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  const [request] = await requestMailsTo(factory.email);
  await environment.sleep('6 days');
  await service.call({
    method: 'POST',
    url: `/factory/requests/${tokenIn(request)}/submit`,
    payload: EXAMPLE_A,
  });
  await environment.sleep('30 days');
  expect(await countOf(factory.email, 1)).toHaveLength(1);

  const notes = 'Count again';
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/request-changes`, payload: { notes } });
  await countOf(factory.email, 2);
  await environment.sleep('6 days');
  expect(await countOf(factory.email, 2)).toHaveLength(2);
  await environment.sleep('2 days');
  expect(subjects(await countOf(factory.email, 3))[0]).toMatch(/lembrete/i);
}, 90_000);

it('mails as much of a large request as may go out in a day, and the rest when there is room; reminders too', async () => {
  const owner = await service.signUp();
  const organizationId = await service.organization(owner);
  const headers = { authorization: `Bearer ${owner.token}`, 'x-organization-id': organizationId };
  const call = (options: Call) => service.call({ ...options, headers });
  const free: Brand = { ...owner, organizationId, headers, call };
  // Named by an import, so that nobody has been mailed yet.
  const rows = Array.from({ length: 24 }, (_, row) => ({ name: 'Tee', supplierEmail: address(`spinner-${row}`) }));
  await call({ method: 'POST', url: '/brand/bulk/commit', payload: { mode: 'create', rows } });
  const spinners = (await call({ url: '/brand/suppliers' })).json.data as { id: string; contactEmail: string }[];
  const factory = await invite(free, 'knitters', 1);
  const productId = await product(
    free,
    spinners.map(({ id, contactEmail }) => ({ id, email: contactEmail })),
  );
  const batchId = await batch(free, productId, factory);
  const sent = await call({ method: 'POST', url: `/brand/batches/${batchId}/send-request`, payload: {} });
  expect([sent.status, sent.json.requests?.length], sent.body).toEqual([200, 25]);

  const requests = async () =>
    (await call({ url: `/brand/batches/${batchId}` })).json.requests as { tier: number; state: string }[];
  const mailed = (count: number) =>
    eventually(
      async () => (await requests()).filter(({ state }) => state === 'emailed').length,
      (found) => found === count,
    );
  const counted = async () => {
    const { rows: found } = await service.database.query<{ kind: string; count: number }>(
      `select coalesce(substring(message_id from '[.](request|reminder_1)[.]'), 'invitation') as kind, count(*)::int as count
         from service.third_party_mails where sender = $1 and counted_at > now() - interval '1 day' group by 1`,
      [owner.userId],
    );
    return Object.fromEntries(found.map(({ kind, count }) => [kind, count]));
  };
  await mailed(19);
  expect(await counted()).toEqual({ invitation: 1, request: 19 });
  expect((await requests())[0]).toMatchObject({ tier: 1, state: 'emailed' });
  // A reminder would be one more mail to each, and none of them may go out.
  const again = await call({ method: 'POST', url: `/brand/batches/${batchId}/send-request`, payload: {} });
  expect([again.status, again.json.code]).toEqual([429, 'mail_limit']);

  // The database's clock is nobody's to skip.
  const dayPasses = async () => {
    await service.database.query(
      "update service.third_party_mails set counted_at = counted_at - interval '1 day' where sender = $1",
      [owner.userId],
    );
    await environment.sleep('25 hours');
  };
  await dayPasses();
  await mailed(25);
  expect(await counted()).toEqual({ request: 6 });
  for (const { contactEmail } of spinners) expect(await countOf(contactEmail, 1)).toHaveLength(1);

  await environment.sleep('6 days');
  await eventually(counted, ({ reminder_1: reminders }) => reminders === 14);
  await dayPasses();
  await eventually(counted, ({ reminder_1: reminders }) => reminders === 11);
  for (const { contactEmail } of spinners) expect(await countOf(contactEmail, 2)).toHaveLength(2);
}, 120_000);
