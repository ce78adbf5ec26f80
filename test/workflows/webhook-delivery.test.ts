import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
import { startReceiver, type Received, type Receiver } from '../support/receiver.js';
import type { Brand } from '../support/service.js';

let service: ServiceWithWorker;
let brand: Brand;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver(({ path }, response) => {
    response.statusCode = path === '/gone' ? 410 : path === '/broken' ? 500 : 200;
    response.end(`answer of ${path}`);
  });
  service = await startServiceWithWorker({ ALLOW_LOCAL_WEBHOOKS: 'true' });
  brand = await service.asBrand();
}, 120_000);
afterAll(async () => {
  await service.close();
  await receiver.close();
});

interface Webhook {
  readonly id: string;
  readonly secret: string;
}

const ALL = ['batch.created', 'batch.submitted', 'dpp.published', 'request.sent', 'certificate.expiring'];

async function webhook(path: string, events = ALL, owner = brand): Promise<Webhook> {
  const payload = { url: `${receiver.url}${path}`, events };
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
  }
  const deliveries = await eventually(
    () => listed({ id, secret }),
    (all) => all.length === 4 && all.every(({ state }) => state === 'delivered'),
  );
  expect(new Set(deliveries.map((one) => one.id))).toEqual(new Set(received.map(({ deliveryId }) => deliveryId)));
});
