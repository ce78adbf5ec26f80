import { randomUUID } from 'node:crypto';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Recorded } from '../../src/core/events.js';
import { createSecretAlarm } from '../../src/infrastructure/missing-secrets.js';
import { createEndpointLimiter } from '../../src/infrastructure/webhook-sender/endpoint-limiter.js';
import { resolveName } from '../../src/infrastructure/webhook-sender/resolve-name.js';
import { createWebhookSender } from '../../src/infrastructure/webhook-sender/sender.js';
import { secretSealer } from '../../src/modules/webhooks/secrets.js';
import { createDelivery, loadDelivery, pauseGone, recordAttempt } from '../../src/modules/webhooks/sending.js';
import { standingOf } from '../../src/modules/webhooks/stops.js';
import {
  createWebhookDeliveryActivities,
  type WebhookDeliveryDependencies,
} from '../../workflows/webhook-delivery/activities.js';
import { WEBHOOK_DELIVERY, webhookDeliveryId } from '../../workflows/webhook-delivery/contract.js';
import { WEBHOOK_ENDING } from '../../workflows/webhook-ending/contract.js';
import { createWebhookReactions } from '../../workflows/webhook-reactions.js';
import { createWebhookWorker } from '../../workflows/worker.js';
import { contextOf } from '../modules/webhooks/recording.js';
import { attempt } from '../modules/webhooks/stories.js';
import { createNamespace, eventually, workflowBundle } from '../support/brand-story.js';
import { recordHistory } from '../support/histories.js';
import { startReceiver } from '../support/receiver.js';
import { startService, type Brand, type TestService } from '../support/service.js';

// Everything is real but for the reactor: it would have all that waits here sent.
const MANY = 1_050;
/** `PENDING_ACTIVITY_STATE_SCHEDULED`: no worker has it. */
const WAITS = 1;
const PLACES = 4;
const WAITING = 24;

let service: TestService;
let brand: Brand;
let worker: Worker;
let running: Promise<void>;
let native: NativeConnection;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  service = await startService({
    environment: { TEMPORAL_NAMESPACE: await createNamespace(), ALLOW_LOCAL_WEBHOOKS: 'true' },
  });
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = service.config;
  [native, connection] = [await NativeConnection.connect({ address }), await Connection.connect({ address })];
  client = new Client({ connection, namespace, dataConverter: service.temporal.dataConverter });
  brand = await service.asBrand();
  await startWorker();
}, 120_000);

afterAll(async () => {
  await stopWorker();
  await Promise.all([native.close(), connection.close()]);
  await service.close();
});

function dependencies(): WebhookDeliveryDependencies {
  const { eventStore, database, config } = service;
  const sending = { clock: Date.now, rules: { allowLocal: true }, resolve: resolveName };
  return {
    ...{ eventStore, database, clock: Date.now, sealer: secretSealer(config.ENCRYPTION_KEY) },
    sender: createWebhookSender(sending),
    limiter: createEndpointLimiter({ places: 1, clock: Date.now }),
    secretAlarm: createSecretAlarm({ logger: pino({ level: 'silent' }), clock: Date.now }),
    standingOf: (webhookId) => standingOf(eventStore, webhookId),
    letGo: new AbortController().signal,
  };
}

async function startWorker(): Promise<void> {
  const place = {
    ...service.temporal,
    connection: native,
    bundlePath: await workflowBundle(),
  };
  worker = await createWebhookWorker({ ...place, deps: dependencies() });
  running = worker.run();
}

/** The same work with few places, so that few deliveries would fill it. */
async function startSmallWorker(places: number): Promise<void> {
  worker = await Worker.create({
    ...service.temporal,
    connection: native,
    workflowBundle: { codePath: await workflowBundle() },
    taskQueue: service.temporal.queueOf(WEBHOOK_DELIVERY.taskQueue),
    activities: createWebhookDeliveryActivities(dependencies()),
    maxConcurrentActivityTaskExecutions: places,
    maxConcurrentLocalActivityExecutions: places,
    maxConcurrentWorkflowTaskExecutions: places,
    maxCachedWorkflows: places,
  });
  running = worker.run();
}

async function stopWorker(): Promise<void> {
  worker.shutdown();
  await running;
}

/** Starts what the first event of the stream that `isIt` leads to, as the reactor does. */
async function reactTo(stream: string, isIt: (event: Recorded) => boolean): Promise<readonly WorkflowHandle[]> {
  const reactions = createWebhookReactions({ ...service, clock: Date.now });
  for await (const event of service.eventStore.readStream(stream)) {
    if (!isIt(event)) continue;
    const led = (await reactions[event.type]?.(event)) ?? [];
    const starts = led.flatMap((one) =>
      one.kind === 'start' && one.workflow.type === WEBHOOK_ENDING.type ? [one] : [],
    );
    return Promise.all(
      starts.map(({ workflow: { type, taskQueue }, workflowId, input }) =>
        client.workflow.start(type, { taskQueue: service.temporal.queueOf(taskQueue), workflowId, args: [input] }),
      ),
    );
  }
  throw new Error(`there is no such event in ${stream}`);
}
const ofType = (type: string) => (event: Recorded) => event.type === type;
const isPause = ({ data }: Recorded) => (data as { changes?: { active?: boolean } }).changes?.active === false;
const isFall = ({ type, data }: Recorded) =>
  type === 'OrganizationPlanChanged' && (data as { plan: string }).plan === 'free';
const end = async (handles: readonly WorkflowHandle[]) => Promise.all(handles.map((handle) => handle.result()));

async function register(as = brand, url = 'https://hooks.example/a'): Promise<string> {
  const payload = { url, events: ['dpp.published'] };
  return ((await as.call({ method: 'POST', url: '/brand/webhooks', payload })).json as { id: string }).id;
}
async function deliver(webhookId: string, as = brand): Promise<string> {
  const { deliveryId } = await createDelivery(service, contextOf(as.organizationId), {
    ...{ webhookId, organizationId: as.organizationId, sourceEventId: randomUUID(), held: false },
    event: 'dpp.published',
    timestampMs: 1_000,
    data: { dppId: 'dpp_1', batchId: 'bat_1', productName: 'Tee', qrUrl: 'https://dpp.example/p/1/2' },
  });
  return deliveryId;
}
async function deliverMany(webhookId: string, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let left = count;
  const work = async (): Promise<void> => {
    while (left-- > 0) ids.push(await deliver(webhookId));
  };
  await Promise.all(Array.from({ length: 32 }, work));
  return ids;
}
const fail = (deliveryId: string, as = brand) =>
  recordAttempt(service, contextOf(as.organizationId), { deliveryId, redeliveryId: null }, attempt());

/** Its workflow, as the reactor starts it. */
const send = (webhookId: string, deliveryId: string): Promise<WorkflowHandle> =>
  client.workflow.start(WEBHOOK_DELIVERY.type, {
    taskQueue: service.temporal.queueOf(WEBHOOK_DELIVERY.taskQueue),
    workflowId: webhookDeliveryId({ webhookId, sourceEventId: deliveryId }),
    args: [{ deliveryId, webhookId, organizationId: brand.organizationId, kind: 'scheduled', redeliveryId: null }],
  });

const change = (webhookId: string, payload: object) =>
  brand.call({ method: 'PATCH', url: `/brand/webhooks/${webhookId}`, payload });
const setPlan = (plan: 'free' | 'pro', { organizationId }: Brand) =>
  service.call({
    method: 'PUT',
    url: `/admin/organizations/${organizationId}/plan`,
    headers: { authorization: `Bearer ${service.config.ADMIN_TOKEN}` },
    payload: { plan },
  });

/** As the list shows it. */
async function countIn(webhookId: string, state: string, as = brand): Promise<number> {
  let count = 0;
  let cursor = '';
  do {
    const { json } = await as.call({ url: `/brand/webhooks/${webhookId}/deliveries?state=${state}${cursor}` });
    const { data, nextCursor } = json as { data: { state: string }[]; nextCursor?: string };
    for (const one of data) expect(one).toMatchObject({ state });
    count += data.length;
    cursor = nextCursor === undefined ? '' : `&cursor=${nextCursor}`;
  } while (cursor !== '');
  return count;
}
const shown = async (id: string, as = brand) =>
  (await as.call({ url: `/brand/deliveries/${id}` })).json as { state: string; nextAttemptAt: number | null };
/** As it is written down, and has come into the lists. */
async function writtenAsCancelled(webhookId: string): Promise<number> {
  const { rows } = await service.database.query<{ n: number }>(
    `select count(*)::int as n from read.deliveries where webhook_id = $1 and state = 'cancelled'`,
    [webhookId],
  );
  return rows[0]?.n ?? 0;
}
const secretsKept = async (webhookId: string): Promise<number> =>
  (await service.database.query('select 1 from service.webhook_secrets where webhook_id = $1', [webhookId])).rows
    .length;

it(`shows ${MANY} as cancelled the moment a pause is answered, and writes each down, whoever is killed`, async () => {
  const webhookId = await register();
  const waiting = await deliverMany(webhookId, MANY);
  const [asked = '', retrying = ''] = waiting;
  await fail(retrying);
  await brand.call({ method: 'POST', url: `/brand/webhooks/${webhookId}/test` });

  await change(webhookId, { active: false });
  expect(await countIn(webhookId, 'cancelled')).toBe(MANY);
  // The test is sent to a paused webhook too.
  expect([await countIn(webhookId, 'pending'), await countIn(webhookId, 'retrying')]).toEqual([1, 0]);
  expect(await shown(retrying)).toMatchObject({ state: 'cancelled', nextAttemptAt: null });

  // The way back brings nothing back; what is asked for from now on is a matter of its own.
  await change(webhookId, { active: true });
  const payload = { from: Date.now() - 3_600_000, to: Date.now() };
  const replay = await brand.call({ method: 'POST', url: `/brand/webhooks/${webhookId}/replay`, payload });
  expect(replay.json).toEqual({ count: MANY });
  const again = await brand.call({ method: 'POST', url: `/brand/deliveries/${asked}/redeliver` });
  expect([again.status, again.json]).toMatchObject([202, { state: 'pending' }]);
  const later = await deliver(webhookId);

  const handles = await reactTo(`webhook-${webhookId}`, isPause);
  await eventually(
    () => writtenAsCancelled(webhookId),
    (count) => count > 0,
  );
  await stopWorker();
  expect(await writtenAsCancelled(webhookId)).toBeLessThan(MANY);
  await startWorker();
  await end(handles);
  await eventually(
    () => writtenAsCancelled(webhookId),
    (count) => count === MANY - 1,
  );
  for (const id of [asked, later]) expect(await shown(id)).toMatchObject({ state: 'pending' });
  expect(await countIn(webhookId, 'cancelled')).toBe(MANY - 1);
}, 180_000);

it('ends what waited when the plan fell, and not what was asked for after the return', async () => {
  const own = await service.asBrand();
  const webhooks = [await register(own), await register(own)];
  const [one = '', other = ''] = webhooks;
  const waiting = [await deliver(one, own), await deliver(other, own)];
  await fail(waiting[0] ?? '', own);
  await setPlan('free', own);
  for (const id of waiting) expect(await shown(id, own)).toMatchObject({ state: 'cancelled' });
  await setPlan('pro', own);
  const later = await deliver(one, own);
  await end(await reactTo(`organization-${own.organizationId}`, isFall));
  for (const id of waiting) expect(await loadDelivery(service, id)).toMatchObject({ status: 'cancelled' });
  expect(await loadDelivery(service, later)).toMatchObject({ status: 'pending' });
});

it('ends what waited for a receiver that answered 410, and for no other', async () => {
  const [gone, other] = [await register(), await register()];
  const waiting = [await deliver(gone), await deliver(gone)];
  const elsewhere = await deliver(other);
  for (const _time of [1, 2])
    await pauseGone(service, contextOf(brand.organizationId), { webhookId: gone, sentAt: Date.now() + 10 });
  for (const id of waiting) expect(await shown(id)).toMatchObject({ state: 'cancelled' });
  await end(await reactTo(`webhook-${gone}`, ofType('WebhookPaused')));
  for (const id of waiting) expect(await loadDelivery(service, id)).toMatchObject({ status: 'cancelled' });
  expect(await loadDelivery(service, elsewhere)).toMatchObject({ status: 'pending' });
});

it('ends what waited for a deleted webhook, and takes its secret along when the deletion died in the middle', async () => {
  const webhookId = await register();
  const waiting = await deliver(webhookId);
  const { database } = service;
  const before = await database.query<{ row: object }>('select * from service.webhook_secrets where webhook_id = $1', [
    webhookId,
  ]);
  await brand.call({ method: 'DELETE', url: `/brand/webhooks/${webhookId}` });
  expect(await shown(waiting)).toMatchObject({ state: 'cancelled' });
  // What a process leaves behind that is killed between the event and the tables.
  const { current } = before.rows[0] as unknown as { current: Buffer };
  await database.query('insert into service.webhook_secrets (webhook_id, current) values ($1, $2)', [
    webhookId,
    current,
  ]);
  await database.query('insert into service.webhooks (id, organization_id) values ($1, $2)', [
    webhookId,
    brand.organizationId,
  ]);
  expect(await secretsKept(webhookId)).toBe(1);
  const handles = await reactTo(`webhook-${webhookId}`, ofType('WebhookDeleted'));
  await end(handles);
  for (const handle of handles) await recordHistory('webhook-ending', handle);
  expect(await secretsKept(webhookId)).toBe(0);
  expect(await loadDelivery(service, waiting)).toMatchObject({ status: 'cancelled' });
});

it(`sends a new delivery at once while ${WAITING} wait for a retry and the worker has ${PLACES} places`, async () => {
  const receiver = await startReceiver();
  const [later, now] = [await register(brand, `${receiver.url}/later`), await register(brand, `${receiver.url}/now`)];
  await stopWorker();
  await startSmallWorker(PLACES);
  const waiting = await deliverMany(later, WAITING);
  const handles = await Promise.all(
    waiting.map(async (deliveryId) => {
      const at = Date.now();
      const failed = attempt({ at, nextAttemptAt: at + 30 * 60_000 });
      await recordAttempt(service, contextOf(brand.organizationId), { deliveryId, redeliveryId: null }, failed);
      return send(later, deliveryId);
    }),
  );
  await send(now, await deliver(now));
  await eventually(
    async () => receiver.at('/now'),
    (all) => all.length > 0,
  );
  // The server keeps the time of each: the worker has looked at it and given its place back.
  for (const handle of handles) {
    await eventually(
      () => handle.describe(),
      ({ raw }) =>
        raw.pendingActivities?.some((one) => Number(one.state) === WAITS && Number(one.attempt) > 1) === true,
    );
  }
  expect(receiver.at('/later')).toEqual([]);
  await brand.call({ method: 'DELETE', url: `/brand/webhooks/${later}` });
  await receiver.close();
}, 120_000);
