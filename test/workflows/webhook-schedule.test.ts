import { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ensureTimeSkippingServer } from '../../src/embedded/temporal/tools.js';
import type { EventStore } from '../../src/infrastructure/event-store/port.js';
import { createMailer, type Mailer } from '../../src/infrastructure/mailer.js';
import { createSecretAlarm } from '../../src/infrastructure/missing-secrets.js';
import { createEndpointLimiter } from '../../src/infrastructure/webhook-sender/endpoint-limiter.js';
import { resolveName } from '../../src/infrastructure/webhook-sender/resolve-name.js';
import { createWebhookSender, type WebhookSender } from '../../src/infrastructure/webhook-sender/sender.js';
import { secretSealer } from '../../src/modules/webhooks/secrets.js';
import { loadDelivery } from '../../src/modules/webhooks/sending.js';
import { standingOf } from '../../src/modules/webhooks/stops.js';
import { certificateExpiryId } from '../../workflows/certificate-expiry/contract.js';
import { createReactions } from '../../workflows/reactions.js';
import { runReactor } from '../../workflows/reactor.js';
import {
  WEBHOOK_DELIVERY,
  webhookDeliveryId,
  type WebhookDeliveryInput,
} from '../../workflows/webhook-delivery/contract.js';
import { webhookTroubleId } from '../../workflows/one-step/contract.js';
import { createWebhookWorker, createWorker } from '../../workflows/worker.js';
import { address, eventually, messagesTo, workflowBundle } from '../support/brand-story.js';
import { recordHistory } from '../support/histories.js';
import { startReceiver, type Received, type Receiver } from '../support/receiver.js';
import { dataConverter } from '../support/payloads.js';
import { startService, type Brand, type TestService } from '../support/service.js';

// Real parts, but for the clock: the time-skipping server lets half an hour pass in a moment. What the worker takes for now is
// that server's time.
const MINUTES = 60_000;
let environment: TestWorkflowEnvironment;
let service: TestService;
let workers: Worker[];
let running: Promise<unknown>;
let mailer: Mailer;
let brand: Brand;
let receiver: Receiver;
const stopping = new AbortController();
let aheadMs = 0;
const clock = (): number => Date.now() + aheadMs;
/** So many appends to a delivery's stream fail. */
let lostAppends = 0;
/** The UTC days on which the schedule of a delivery was used up. */
const failedOn = new Set<string>();
/** What the receiver answers next; 200 when there is nothing left. */
const answers = new Map<string, number[]>();

beforeAll(async () => {
  const logger = pino({ level: 'silent' });
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { path } = await ensureTimeSkippingServer({ toolsDir: inject('toolsDir'), logger });
  environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
    client: { dataConverter },
  });
  receiver = await startReceiver((received, response) => {
    response.statusCode = answers.get(received.path)?.shift() ?? 200;
    response.end('answer');
  });
  service = await startService({
    environment: { TEMPORAL_ADDRESS: environment.address, ALLOW_LOCAL_WEBHOOKS: 'true' },
  });
  const { config, database, eventStore } = service;
  mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM, database, logger });
  const real = createWebhookSender({ rules: { allowLocal: true }, resolve: resolveName, clock });
  const lookAtTheClock = async (): Promise<void> => {
    aheadMs = (await environment.currentTimeMs()) - Date.now();
  };
  const sender: WebhookSender = {
    send: async (order) => {
      await lookAtTheClock();
      return real.send(order);
    },
  };
  // An attempt begins with a look into the log: that is where it learns how late it is.
  const punctual: EventStore = {
    ...eventStore,
    async *readStream(...read) {
      await lookAtTheClock();
      yield* eventStore.readStream(...read);
    },
    append: async (...appended) => {
      if (lostAppends === 0) return eventStore.append(...appended);
      lostAppends -= 1;
      throw new Error('the event store does not answer');
    },
  };
  const place = {
    connection: environment.nativeConnection,
    namespace: 'default',
    dataConverter,
    queueOf: service.temporal.queueOf,
    bundlePath: await workflowBundle(),
  };
  workers = [
    await createWorker({
      ...place,
      deps: {
        ...{ eventStore, database, mailer, clock },
        ...{ linkKey: config.LINK_KEY, baseUrl: config.BASE_URL, consumerUrl: config.CONSUMER_URL },
      },
    }),
    await createWebhookWorker({
      ...place,
      deps: {
        ...{ eventStore: punctual, database, sender, clock },
        sealer: secretSealer(config.ENCRYPTION_KEY),
        limiter: createEndpointLimiter({ places: 16, clock }),
        secretAlarm: createSecretAlarm({ logger, clock }),
        standingOf: (webhookId) => standingOf(eventStore, webhookId),
        letGo: stopping.signal,
      },
    }),
  ];
  const reactor = runReactor({
    reactions: createReactions({ eventStore, database, clock }),
    ...{ eventStore, database, logger, signal: stopping.signal },
    workflows: new Client({ connection: environment.nativeConnection, dataConverter }).workflow,
    queueOf: service.temporal.queueOf,
  });
  running = Promise.all([...workers.map((worker) => worker.run()), reactor]);
  brand = await service.asBrand();
}, 120_000);

afterAll(async () => {
  stopping.abort();
  for (const worker of workers) worker.shutdown();
  await running;
  mailer.close();
  await service.close();
  await receiver.close();
  await environment.teardown();
});

interface Webhook {
  readonly id: string;
  readonly secret: string;
}

async function webhook(path: string, event = 'batch.created'): Promise<Webhook> {
  const payload = { url: `${receiver.url}${path}`, events: [event] };
  const { status, json, body } = await brand.call({ method: 'POST', url: '/brand/webhooks', payload });
  if (status !== 201) throw new Error(`creating a webhook answered ${status}: ${body}`);
  return json as Webhook;
}

/** Something that all webhooks are told of. */
async function somethingHappens(): Promise<void> {
  const { json } = await brand.call({ method: 'POST', url: '/brand/products', payload: { name: 'Organic tee' } });
  const factory = await brand.call({
    method: 'POST',
    url: '/brand/suppliers/invite',
    payload: { factoryName: 'Knitters', contactEmail: 'knitters@factory.example', country: 'PT', tier: 1 },
  });
  const payload = {
    ...{ productId: (json as { id: string }).id, factoryId: (factory.json as { id: string }).id },
    ...{ poReference: 'PO-7', quantity: 10, unit: 'piece' },
  };
  const batch = await brand.call({ method: 'POST', url: '/brand/batches', payload });
  expect(batch.status).toBe(201);
}

interface Attempt {
  readonly at: number;
  readonly durationMs: number;
  readonly status: number | null;
}
interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly nextAttemptAt: number | null;
  readonly attempts: readonly Attempt[];
}
const deliveryTo = async ({ id }: Webhook, state: string): Promise<Delivery> => {
  const [one] = await eventually(
    async () => (await brand.call({ url: `/brand/webhooks/${id}/deliveries` })).json.data as Delivery[],
    (all) => all.length === 1 && all[0]?.state === state,
  );
  if (one === undefined) throw new Error('there is no delivery');
  return one;
};
async function workflowIdOf({ id }: Webhook): Promise<string> {
  const { rows } = await service.database.query<{ source_event_id: string }>(
    'select source_event_id from service.webhook_deliveries where webhook_id = $1',
    [id],
  );
  return webhookDeliveryId({ webhookId: id, sourceEventId: rows[0]?.source_event_id ?? '' });
}
const attempts = (path: string, count: number): Promise<readonly Received[]> =>
  eventually(
    async () => receiver.at(path),
    (all) => all.length === count,
  );
/** The delivery waits for its next attempt, or is over: this server lets its time run out for whoever is still at work. */
async function idle(hook: Webhook, workflow = '') {
  const handle = environment.client.workflow.getHandle(`${await workflowIdOf(hook)}${workflow}`);
  const { json } = await brand.call({ url: `/brand/webhooks/${hook.id}/deliveries` });
  const made = (json.data as Delivery[] | undefined)?.[0]?.attempts.length ?? 0;
  await eventually(
    () => handle.describe(),
    ({ status, raw: { pendingActivities } }) =>
      status.name !== 'RUNNING' || (pendingActivities ?? []).some(({ attempt }) => (attempt ?? 0) > made),
  );
  return handle;
}
async function pass(hook: Webhook, minutes: number, workflow = ''): Promise<void> {
  await idle(hook, workflow);
  await environment.sleep(minutes * MINUTES);
}
/** Lets time pass until the attempt has come in. */
const attemptWithin = async (hook: Webhook, path: string, count: number, minutes: number, workflow = '') => {
  await pass(hook, minutes, workflow);
  return attempts(path, count);
};
const remove = ({ id }: Webhook) => brand.call({ method: 'DELETE', url: `/brand/webhooks/${id}` });

it('tries again 1, 5 and 30 minutes after the end of the attempt before, then fails and tells the owner once', async () => {
  answers.set('/500', [500, 500, 500, 500]);
  const hook = await webhook('/500');
  const mailsBefore = (await messagesTo(brand.email)).length;
  await somethingHappens();
  await attempts('/500', 1);
  const waiting = await deliveryTo(hook, 'retrying');
  expect(waiting.nextAttemptAt).toBe(endOf(waiting.attempts[0]) + 1 * MINUTES);
  await pass(hook, 0.9);
  expect(receiver.at('/500')).toHaveLength(1);
  await attemptWithin(hook, '/500', 2, 0.2);
  await pass(hook, 4.8);
  expect(receiver.at('/500')).toHaveLength(2);
  await attemptWithin(hook, '/500', 3, 0.4);
  await pass(hook, 29);
  expect(receiver.at('/500')).toHaveLength(3);
  const received = await attemptWithin(hook, '/500', 4, 2);

  const failed = await deliveryTo(hook, 'failed');
  expect(failed.nextAttemptAt).toBeNull();
  const gaps = failed.attempts.slice(1).map(({ at }, index) => at - endOf(failed.attempts[index]));
  for (const [index, minutes] of [1, 5, 30].entries()) {
    // Never early, and a moment late at most.
    expect(gaps[index]).toBeGreaterThanOrEqual(minutes * MINUTES - 50);
    expect(gaps[index]).toBeLessThan(minutes * MINUTES + 5_000);
  }
  expect(new Set(received.map(({ body, deliveryId }) => `${deliveryId} ${body}`)).size).toBe(1);
  expect(new Set(received.map(({ headers }) => headers['x-service-signature'])).size).toBe(1);

  const [mail, ...more] = await eventually(
    async () => (await messagesTo(brand.email)).slice(0, -mailsBefore || undefined),
    (mails) => mails.length > 0,
  );
  expect([mail?.subject, more]).toEqual(['A webhook delivery has failed', []]);
  expect(mail?.text).toContain(hook.id);
  const handle = environment.client.workflow.getHandle(await workflowIdOf(hook));
  await recordHistory('webhook-delivery-first-at-once', handle);
  const { organizationId } = brand;
  const day = dayOf(failed.attempts.at(-1));
  failedOn.add(day);
  const trouble = webhookTroubleId({ organizationId, day, webhookId: hook.id, deliveryId: failed.id });
  await recordHistory('webhook-trouble', environment.client.workflow.getHandle(trouble));
  await remove(hook);
}, 90_000);

it('sends once what it cannot write down at once', async () => {
  const hook = await webhook('/unwritten');
  lostAppends = 4;
  await somethingHappens();
  await eventually(
    async () => lostAppends,
    (left) => left === 0,
  );
  expect((await deliveryTo(hook, 'delivered')).attempts).toMatchObject([{ status: 200 }]);
  expect(receiver.at('/unwritten')).toHaveLength(1);
  await remove(hook);
}, 90_000);

it('fails again on the same day, for two receivers', async () => {
  for (const path of ['/again', '/and-again']) answers.set(path, [500, 500, 500, 500]);
  const hooks = [await webhook('/again'), await webhook('/and-again')] as const;
  await somethingHappens();
  await Promise.all([attempts('/again', 1), attempts('/and-again', 1)]);
  for (const [index, minutes] of [2, 6, 31].entries()) {
    await idle(hooks[1]);
    await attemptWithin(hooks[0], '/again', index + 2, minutes);
    await attempts('/and-again', index + 2);
  }
  for (const hook of hooks) {
    failedOn.add(dayOf((await deliveryTo(hook, 'failed')).attempts.at(-1)));
    await remove(hook);
  }
}, 90_000);

it('goes on where the log says that it stood when the workflow server has lost it', async () => {
  answers.set('/lost', [500]);
  const hook = await webhook('/lost');
  await somethingHappens();
  await attempts('/lost', 1);
  const { id: deliveryId } = await deliveryTo(hook, 'retrying');
  const { workflow } = environment.client;
  await (await idle(hook)).terminate();
  const input: WebhookDeliveryInput = {
    ...{ deliveryId, webhookId: hook.id, organizationId: brand.organizationId },
    ...{ kind: 'scheduled', redeliveryId: null },
  };
  await workflow.start(WEBHOOK_DELIVERY.type, {
    ...{ taskQueue: service.temporal.queueOf(WEBHOOK_DELIVERY.taskQueue), args: [input] },
    workflowId: `${await workflowIdOf(hook)}/again`,
  });
  await pass(hook, 0.5, '/again');
  expect(receiver.at('/lost')).toHaveLength(1);
  await attemptWithin(hook, '/lost', 2, 1, '/again');
  const { attempts: made } = await deliveryTo(hook, 'delivered');
  expect((made[1]?.at ?? 0) - endOf(made[0])).toBeGreaterThanOrEqual(1 * MINUTES - 50);
  await remove(hook);
}, 90_000);

it('sends nothing more after a deletion, though the delivery waits', async () => {
  answers.set('/deleted', [500]);
  const hook = await webhook('/deleted');
  await somethingHappens();
  await attempts('/deleted', 1);
  const { id } = await deliveryTo(hook, 'retrying');
  await remove(hook);
  await pass(hook, 60);
  expect(receiver.at('/deleted')).toHaveLength(1);
  const { json } = await brand.call({ url: `/brand/deliveries/${id}` });
  expect(json).toMatchObject({ state: 'cancelled', nextAttemptAt: null });
}, 90_000);

it('signs with both secrets after a rotation between two attempts; bytes and delivery stay', async () => {
  answers.set('/rotated', [500]);
  const hook = await webhook('/rotated');
  await somethingHappens();
  await attempts('/rotated', 1);
  await deliveryTo(hook, 'retrying');
  const rotated = await brand.call({ method: 'POST', url: `/brand/webhooks/${hook.id}/rotate-secret` });
  expect(rotated.json.secret).not.toBe(hook.secret);
  const [before, after] = await attemptWithin(hook, '/rotated', 2, 2);
  expect(after?.body).toBe(before?.body);
  expect(after?.deliveryId).toBe(before?.deliveryId);
  expect(after?.headers['x-service-signature']).toBe(before?.headers['x-service-signature']);
  expect(before?.headers['x-service-signature-next']).toBeUndefined();
  expect(after?.headers['x-service-signature-next']).toMatch(/^[0-9a-f]{64}$/);
  expect(String(after?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  await deliveryTo(hook, 'delivered');
  await remove(hook);
}, 90_000);

it('sends the next attempt to the new address, and none while the webhook is paused', async () => {
  answers.set('/old', [500, 500]).set('/new', [500]);
  const hook = await webhook('/old');
  await somethingHappens();
  await attempts('/old', 1);
  const { id } = await deliveryTo(hook, 'retrying');
  const change = (payload: object) => brand.call({ method: 'PATCH', url: `/brand/webhooks/${hook.id}`, payload });
  await change({ url: `${receiver.url}/new` });
  await attemptWithin(hook, '/new', 1, 2);
  await deliveryTo(hook, 'retrying');
  await change({ active: false });
  // The API has no part in the time that was skipped: what was stopped has to be written down before it knows of a later time.
  await eventually(
    () => loadDelivery(service, id),
    ({ status }) => status === 'cancelled',
  );
  await change({ active: true });
  await pass(hook, 60);
  expect([receiver.at('/old'), receiver.at('/new')]).toMatchObject([{ length: 1 }, { length: 1 }]);
  expect((await brand.call({ url: `/brand/deliveries/${id}` })).json.state).toBe('cancelled');

  const again = await brand.call({ method: 'POST', url: `/brand/deliveries/${id}/redeliver` });
  expect(again.status).toBe(202);
  await attempts('/new', 2);
  const { attempts: made } = await deliveryTo(hook, 'delivered');
  expect(made.map(({ status }) => status)).toEqual([500, 500, 200]);
  await remove(hook);
}, 90_000);

it('tells of a certificate when its end comes near that the factory has given it last, on its own side', async () => {
  const hook = await webhook('/expiring', 'certificate.expiring');
  const contactEmail = address('mill');
  const payload = { factoryName: 'Mill', contactEmail, country: 'PT', tier: 1 };
  // A brand that has only typed an address would be told nothing.
  const { token } = await service.signUpProven(contactEmail);
  const { json: supplier } = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  expect(supplier).toMatchObject({ state: 'confirmed' });
  const say = async (method: 'POST' | 'PATCH', url: string, said: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, json, body } = await service.call({ method, url, headers, payload: said });
    expect(status, body).toBeLessThan(300);
    return (json as { id: string }).id;
  };
  const DAYS = 24 * 60 * MINUTES;
  const inDays = async (days: number) =>
    new Date((await environment.currentTimeMs()) + days * DAYS).toISOString().slice(0, 10);
  const lookedAt = async (certificateId: string, times: number) => {
    const handle = environment.client.workflow.getHandle(certificateExpiryId(certificateId));
    await eventually(
      async () => (await handle.fetchHistory().catch(() => null))?.events ?? [],
      (events) => events.filter((event) => event.activityTaskCompletedEventAttributes != null).length >= times,
    );
  };

  await service.call({
    ...{ method: 'POST', url: `/supplier/brands/${supplier.id}/accept` },
    headers: { authorization: `Bearer ${token}` },
  });
  const certificate = { type: 'GOTS', number: 'CU 7', validUntil: await inDays(40) };
  const certificateId = await say('POST', '/supplier/certificates', certificate);
  await lookedAt(certificateId, 1);
  const validUntil = await inDays(100);
  await say('PATCH', `/supplier/certificates/${certificateId}`, { validUntil });
  await lookedAt(certificateId, 2);
  await environment.sleep(20 * DAYS);
  expect(receiver.at('/expiring')).toEqual([]);
  await environment.sleep(51 * DAYS);
  const [received] = await attempts('/expiring', 1);
  const { event, timestamp, data } = JSON.parse(received?.body ?? '') as Record<string, string>;
  expect([event, data]).toMatchObject(['certificate.expiring', { certificateId, validUntil }]);
  const daysLeft = (Date.parse(validUntil) - Date.parse(timestamp ?? '')) / DAYS;
  expect(daysLeft).toBeGreaterThan(28);
  expect(daysLeft).toBeLessThanOrEqual(30);
  await remove(hook);
}, 90_000);

const dayOf = (attempt: Attempt | undefined): string => new Date(endOf(attempt)).toISOString().slice(0, 10);
const endOf = (attempt: Attempt | undefined): number => (attempt?.at ?? 0) + (attempt?.durationMs ?? 0);

it('has written to the owner once on each of those days', async () => {
  const about = (await messagesTo(brand.email)).filter(({ subject }) => subject.includes('webhook'));
  expect(about).toHaveLength(failedOn.size);
});
