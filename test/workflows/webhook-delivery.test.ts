import { createHmac } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webhookDeliveryId } from '../../workflows/webhook-delivery/contract.js';
import { webhookReplayId } from '../../workflows/webhook-replay/contract.js';
import {
  batch,
  EXAMPLE_A,
  eventually,
  invite,
  product,
  requestMailsTo,
  startServiceWithWorker,
  tokenIn,
  type ServiceWithWorker,
} from '../support/brand-story.js';
import { recordHistory } from '../support/histories.js';
import { startHostileReceiver, WHOLE_ANSWER, type Misdeed } from '../support/hostile-receiver.js';
import { startReceiver, type Received, type Receiver } from '../support/receiver.js';
import type { Brand } from '../support/service.js';

let service: ServiceWithWorker;
let brand: Brand;
let receiver: Receiver;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  receiver = await startReceiver(({ path, deliveryId }, response) => {
    if (path === '/silent') return;
    if (path === '/silent-once' && receiver.at(path).filter((one) => one.deliveryId === deliveryId).length === 1)
      return;
    response.statusCode = path === '/gone' ? 410 : path === '/broken' ? 500 : 200;
    response.end(`answer of ${path}`);
  });
  service = await startServiceWithWorker({ ALLOW_LOCAL_WEBHOOKS: 'true' });
  brand = await service.asBrand();
  connection = await Connection.connect({ address: service.config.TEMPORAL_ADDRESS });
  client = new Client({ ...service.temporal, connection });
}, 120_000);
afterAll(async () => {
  await connection.close();
  await service.close();
  await receiver.close();
});

interface Webhook {
  readonly id: string;
  readonly secret: string;
}

/** `PENDING_ACTIVITY_STATE_SCHEDULED`: no worker has it. */
const WAITS = 1;

const ALL = ['batch.created', 'batch.submitted', 'dpp.published', 'request.sent', 'certificate.expiring'];

async function webhook(path: string, events = ALL, owner = brand): Promise<Webhook> {
  const payload = { url: path.startsWith('http') ? path : `${receiver.url}${path}`, events };
  const { status, json, body } = await owner.call({ method: 'POST', url: '/brand/webhooks', payload });
  if (status !== 201) throw new Error(`creating a webhook answered ${status}: ${body}`);
  return json as Webhook;
}

const receivedAt = (path: string, count: number): Promise<readonly Received[]> =>
  eventually(
    async () => receiver.at(path),
    (all) => all.length >= count,
  );

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  readonly nextAttemptAt: number | null;
  readonly attempts: readonly {
    readonly at: number;
    readonly durationMs: number;
    readonly status: number | null;
    readonly error: string | null;
    readonly answer: string | null;
  }[];
}

const delivery = async (id: string): Promise<Delivery> =>
  (await brand.call({ url: `/brand/deliveries/${id}` })).json as Delivery;
const deliveryIn = (id: string, state: string): Promise<Delivery> =>
  eventually(
    () => delivery(id),
    (one) => one.state === state,
  );
const listed = async ({ id }: Webhook): Promise<readonly Delivery[]> =>
  (await brand.call({ url: `/brand/webhooks/${id}/deliveries` })).json.data as Delivery[];

async function workflowIdOf(deliveryId: string, webhookId: string): Promise<string> {
  const { rows } = await service.database.query<{ id: string }>(
    'select source_event_id as id from service.webhook_deliveries where delivery_id = $1',
    [deliveryId],
  );
  return webhookDeliveryId({ webhookId, sourceEventId: rows[0]?.id ?? '' });
}
/** What the server had to hand out for it. */
async function stepsOf(workflowId: string): Promise<{ tasks: number; activities: number }> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const count = (has: (event: NonNullable<typeof events>[number]) => unknown): number =>
    events?.filter((event) => Boolean(has(event))).length ?? 0;
  return {
    tasks: count((event) => event.workflowTaskStartedEventAttributes),
    activities: count((event) => event.activityTaskScheduledEventAttributes),
  };
}
const record = (name: string, workflowId: string) => recordHistory(name, client.workflow.getHandle(workflowId));

function expectSigned({ headers, body, deliveryId }: Received, secret: string): void {
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  expect(headers['x-service-signature']).toBe(digest);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${deliveryId}.${String(headers['webhook-timestamp'])}.${body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(content).digest('base64')}`);
}

it('tells a receiver of a batch from its creation to its passport, each event once and signed', async () => {
  const { id, secret } = await webhook('/all');
  const factory = await invite(brand);
  const batchId = await batch(brand, await product(brand), factory);
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  const [mail] = await requestMailsTo(factory.email);
  const link = `/factory/requests/${tokenIn(mail)}/submit`;
  await service.call({ method: 'POST', url: link, payload: EXAMPLE_A });
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/publish` });

  const received = await receivedAt('/all', 4);
  expect(received.map(({ headers }) => headers['x-service-event']).sort()).toEqual(
    ['batch.created', 'batch.submitted', 'dpp.published', 'request.sent'].sort(),
  );
  for (const one of received) {
    expectSigned(one, secret);
    const { event, timestamp, data } = JSON.parse(one.body) as { event: string; timestamp: string; data: object };
    expect(event).toBe(one.headers['x-service-event']);
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect(data).toMatchObject({ batchId });
    const { state, attempts } = await deliveryIn(one.deliveryId, 'delivered');
    expect([state, attempts]).toMatchObject(['delivered', [{ status: 200, error: null, answer: 'answer of /all' }]]);
    const workflowId = await workflowIdOf(one.deliveryId, id);
    expect(await stepsOf(workflowId)).toEqual({ tasks: 1, activities: 0 });
    await record('webhook-delivery-at-once', workflowId);
  }
  const deliveries = await eventually(
    () => listed({ id, secret }),
    (all) => all.length === 4 && all.every(({ state }) => state === 'delivered'),
  );
  expect(new Set(deliveries.map((one) => one.id))).toEqual(new Set(received.map(({ deliveryId }) => deliveryId)));
  await brand.call({ method: 'DELETE', url: `/brand/webhooks/${id}` });
});

it('pauses a webhook whose receiver answers 410, and keeps what happens meanwhile for a replay', async () => {
  const hook = await webhook('/gone', ['batch.created']);
  const factory = await invite(brand);
  const productId = await product(brand);
  await batch(brand, productId, factory);
  await receivedAt('/gone', 1);
  const paused = await eventually(
    async () => (await brand.call({ url: `/brand/webhooks/${hook.id}` })).json as { active: boolean; pausedBy: string },
    ({ active }) => !active,
  );
  expect(paused.pausedBy).toBe('gone');
  const [stopped] = await eventually(
    () => listed(hook),
    ([one]) => one?.state === 'cancelled',
  );
  expect(stopped).toMatchObject({ nextAttemptAt: null, attempts: [{ status: 410, answer: 'answer of /gone' }] });

  await batch(brand, productId, factory);
  const held = await eventually(
    () => listed(hook),
    (all) => all.length === 2,
  );
  expect(held.map(({ state, attempts }) => [state, attempts.length])).toEqual([
    ['cancelled', 0],
    ['cancelled', 1],
  ]);
  expect(receiver.at('/gone')).toHaveLength(1);

  const test = await brand.call({ method: 'POST', url: `/brand/webhooks/${hook.id}/test` });
  expect(test.status).toBe(202);
  const [, tried] = await receivedAt('/gone', 2);
  expect(JSON.parse(tried?.body ?? '')).toMatchObject({ event: 'webhook.test', data: { webhookId: hook.id } });
  expect((await deliveryIn(test.json.deliveryId as string, 'failed')).attempts).toHaveLength(1);

  const url = `/brand/webhooks/${hook.id}`;
  await brand.call({ method: 'PATCH', url, payload: { active: true, url: `${receiver.url}/again` } });
  const payload = { from: Date.now() - 60_000, to: Date.now() };
  const replayed = await brand.call({ method: 'POST', url: `${url}/replay`, payload });
  expect([replayed.status, replayed.json]).toEqual([202, { count: 2 }]);
  const again = await receivedAt('/again', 2);
  expect(new Set(again.map(({ deliveryId }) => deliveryId))).toEqual(new Set(held.map(({ id }) => id)));
  for (const one of again) expectSigned(one, hook.secret);
  for (const { id } of held) await deliveryIn(id, 'delivered');
  for await (const { type, data } of service.eventStore.readStream(`webhook-${hook.id}`)) {
    if (type === 'WebhookReplayAsked') await record('webhook-replay', webhookReplayId(data as { replayId: string }));
  }
  await record('webhook-delivery-gone-at-once', await workflowIdOf(stopped?.id ?? '', hook.id));
  // The same bytes as before.
  expect(again.find(({ deliveryId }) => deliveryId === stopped?.id)?.body).toBe(receiver.at('/gone')[0]?.body);
  await brand.call({ method: 'DELETE', url });
});

it('sends a delivery once more when asked, and no schedule begins anew', async () => {
  const hook = await webhook('/broken', ['batch.created']);
  await batch(brand, await product(brand), await invite(brand));
  const [first] = await receivedAt('/broken', 1);
  const id = first?.deliveryId ?? '';
  await deliveryIn(id, 'retrying');
  const url = `/brand/webhooks/${hook.id}`;
  // A pause ends what waits; whoever asks again gets one attempt.
  await brand.call({ method: 'PATCH', url, payload: { active: false } });
  await brand.call({ method: 'PATCH', url, payload: { active: true } });
  await deliveryIn(id, 'cancelled');
  expect((await brand.call({ method: 'POST', url: `/brand/deliveries/${id}/redeliver` })).status).toBe(202);
  const [, second] = await receivedAt('/broken', 2);
  expect(second).toMatchObject({ deliveryId: id, body: first?.body });
  const failed = await deliveryIn(id, 'failed');
  expect([failed.nextAttemptAt, failed.attempts.length]).toEqual([null, 2]);
  await brand.call({ method: 'DELETE', url });
});

/** As after a restore of a database that is older than the webhook. */
async function loseSecret({ id }: Webhook): Promise<() => Promise<unknown>> {
  const { database } = service;
  await database.query(`update service.webhooks set created_at = now() - interval '1 hour' where id = $1`, [id]);
  const { rows } = await database.query<{ current: Buffer }>(
    'delete from service.webhook_secrets where webhook_id = $1 returning current',
    [id],
  );
  return () =>
    database.query('insert into service.webhook_secrets (webhook_id, current) values ($1, $2)', [id, rows[0]?.current]);
}

const missingSecrets = async (): Promise<number> =>
  (await service.call({ url: '/health/ready' })).json.reactor.missingSecrets as number;

it('keeps what is to be sent while the secret of a webhook is lost, says so once, and sends it when it is back', async () => {
  const [restored, rotated] = [
    await webhook('/restored', ['batch.created']),
    await webhook('/rotated', ['batch.created']),
  ];
  const restore = await loseSecret(restored);
  await loseSecret(rotated);
  const factory = await invite(brand);
  const productId = await product(brand);
  for (let batches = 0; batches < 2; batches += 1) await batch(brand, productId, factory);

  const alarms = ({ id }: Webhook): number =>
    service
      .worker()
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":50') && line.includes(id)).length;
  await eventually(
    async () => [alarms(restored), alarms(rotated)],
    ([first = 0, second = 0]) => first > 0 && second > 0,
  );
  expect(await missingSecrets()).toBe(2);
  const waiting = await eventually(
    () => listed(restored),
    (all) => all.length === 2,
  );
  expect(waiting).toMatchObject([{ state: 'pending' }, { state: 'pending' }]);

  await restore();
  const anew = await brand.call({ method: 'POST', url: `/brand/webhooks/${rotated.id}/rotate-secret` });
  expect(anew.status).toBe(200);
  for (const one of await receivedAt('/restored', 2)) expectSigned(one, restored.secret);
  for (const one of await receivedAt('/rotated', 2)) expectSigned(one, anew.json.secret as string);
  for (const { id } of waiting) {
    expect((await deliveryIn(id, 'delivered')).attempts).toMatchObject([{ status: 200 }]);
  }
  expect([alarms(restored), alarms(rotated), await missingSecrets()]).toEqual([1, 1, 0]);
});

it('lets a receiver that never answers delay nobody else, and holds no place for what waits', async () => {
  const dead = await webhook('/silent', ['batch.created']);
  const good = await webhook('/quick', ['batch.created']);
  const [factory, productId] = [await invite(brand), await product(brand)];
  const BATCHES = 24;
  await Promise.all(Array.from({ length: BATCHES }, () => batch(brand, productId, factory)));
  await receivedAt('/quick', BATCHES);
  // The silent one has far to go, and never had more than its first places.
  const silent = receiver.at('/silent');
  expect(silent.length).toBeLessThan(BATCHES);
  for (const { at } of silent) {
    expect(silent.filter((other) => other.at <= at && other.at > at - 9_900).length).toBeLessThanOrEqual(8);
  }
  const retrying = await eventually(
    async () => (await listed(dead)).find(({ state }) => state === 'retrying'),
    (one) => one !== undefined,
  );
  expect(retrying?.attempts).toMatchObject([{ status: null, error: 'no answer within 10 s', answer: null }]);

  const waiting = await workflowIdOf(retrying?.id ?? '', dead.id);
  const { status } = await eventually(
    () => client.workflow.getHandle(waiting).describe(),
    ({ raw }) =>
      raw.pendingActivities?.some(({ state, attempt }) => Number(state) === WAITS && Number(attempt) > 1) === true,
  );
  expect(status.name).toBe('RUNNING');
  for (const { id } of [dead, good]) await brand.call({ method: 'DELETE', url: `/brand/webhooks/${id}` });
});

it('writes down an attempt whatever the receiver does to the connection, and gives its place to the next', async () => {
  const hostile = await startHostileReceiver();
  const places = [
    'at_once',
    0,
    WHOLE_ANSWER.indexOf('200 OK'),
    WHOLE_ANSWER.indexOf('Type'),
    WHOLE_ANSWER.indexOf('lo'),
  ];
  const kinds: readonly Misdeed[] = ['upgrades', 'half_closes', 'says_continue_for_ever'];
  const hooks: { readonly hook: Webhook; readonly misdeed: Misdeed }[] = [];
  for (const misdeed of kinds) {
    for (const place of places as (number | 'at_once')[]) {
      hooks.push({ misdeed, hook: await webhook(hostile.url(misdeed, place), ['batch.created']) });
    }
  }
  // More than an endpoint has places at first: each needs the one that another has given back.
  const TESTS = 12;
  const [upgrading] = hooks;
  const testing = { method: 'POST', url: `/brand/webhooks/${upgrading?.hook.id}/test` } as const;
  for (let n = 0; n < TESTS; n += 1) await brand.call(testing);
  await batch(brand, await product(brand), await invite(brand));
  const deliveries = await eventually(
    async () => (await Promise.all(hooks.map(({ hook }) => listed(hook)))).flat(),
    (all) => all.length === hooks.length + TESTS && all.every(({ attempts }) => attempts.length > 0),
    25_000,
  );
  for (const { attempts } of deliveries) {
    expect(attempts).toMatchObject([{ error: expect.any(String) as string }]);
    expect(attempts[0]?.durationMs).toBeLessThan(12_000);
  }
  for (const { hook } of hooks) await brand.call({ method: 'DELETE', url: `/brand/webhooks/${hook.id}` });
  await hostile.close();
});

it('stops in time while a receiver does not answer, and makes that attempt again', async () => {
  const hook = await webhook('/silent-once', ['batch.created']);
  await batch(brand, await product(brand), await invite(brand));
  const received = await receivedAt('/silent-once', 1);
  const { deliveryId } = received.at(-1) ?? {};
  const worker = service.worker();
  await worker.stop();
  expect([worker.child.exitCode, worker.child.signalCode]).toEqual([0, null]);
  await service.startWorker();
  const again = await receivedAt('/silent-once', 2);
  expect(again.at(-1)).toMatchObject({ deliveryId, body: received.at(-1)?.body });
  const { attempts } = await deliveryIn(deliveryId ?? '', 'delivered');
  expect(attempts).toHaveLength(1);
  await brand.call({ method: 'DELETE', url: `/brand/webhooks/${hook.id}` });
});
