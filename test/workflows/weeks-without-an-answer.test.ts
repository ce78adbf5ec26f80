import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ensureTimeSkippingServer } from '../../src/embedded/temporal/tools.js';
import { createMailer, type Mailer } from '../../src/infrastructure/mailer.js';
import { batchLifecycleId } from '../../workflows/batch-lifecycle/contract.js';
import { createWorker } from '../../workflows/worker.js';
import { recordHistory } from '../support/histories.js';
import { startService, type Brand, type TestService } from '../support/service.js';
import {
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
  });
  service = await startService({ environment: { TEMPORAL_ADDRESS: environment.address } });
  const { config, database, eventStore } = service;
  mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM, database, logger });
  worker = await createWorker({
    connection: environment.nativeConnection,
    namespace: 'default',
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
