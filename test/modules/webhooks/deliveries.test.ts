import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EventName } from '../../../src/modules/webhooks/events.js';
import { createDelivery, recordAttempt } from '../../../src/modules/webhooks/sending.js';
import type { Brand, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';
import { contextOf } from './recording.js';
import { attempt, success } from './stories.js';

/* What the interface says of deliveries. The attempts are recorded as the delivering program records them. */

const DAY_MS = 24 * 3_600_000;

let service: TestService;
let brand: Brand;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

const problem = ({ status, json }: Awaited<ReturnType<Brand['call']>>) => [status, (json as { code: string }).code];
const register = async (as = brand): Promise<string> => {
  const payload = { url: 'https://hooks.example/a', events: ['dpp.published', 'batch.created'] };
  return ((await as.call({ method: 'POST', url: '/brand/webhooks', payload })).json as { id: string }).id;
};
const post = (url: string, payload?: object, headers: Record<string, string> = {}) =>
  brand.call({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) });
const patch = (id: string, payload: object) => brand.call({ method: 'PATCH', url: `/brand/webhooks/${id}`, payload });
const read = (id: string) => brand.call({ url: `/brand/deliveries/${id}` });

const DATA = {
  'dpp.published': { dppId: 'dpp_1', batchId: 'bat_1', productName: 'Tee', qrUrl: 'https://dpp.example/p/1/2' },
  'request.sent': { requestId: 'req_1', batchId: 'bat_1', supplierId: 'sup_1', factoryName: 'Knitters', tier: 1 },
};

async function deliver(
  webhookId: string,
  more: {
    now?: number;
    event?: EventName & keyof typeof DATA;
    held?: boolean;
    outcome?: 'ok' | 'retry' | 'failed';
  } = {},
): Promise<string> {
  const { now = Date.now(), event = 'dpp.published', outcome } = more;
  const context = contextOf(brand.organizationId, now);
  const { deliveryId } = await createDelivery(service, context, {
    ...{ webhookId, organizationId: brand.organizationId, sourceEventId: randomUUID(), timestampMs: now },
    ...{ event, data: DATA[event], held: more.held ?? false },
  });
  const made = { at: now + 10, nextAttemptAt: outcome === 'failed' ? null : now + 60_040 };
  if (outcome !== undefined) {
    const delivery = { deliveryId, redeliveryId: null };
    await recordAttempt(service, context, delivery, attempt({ ...made, ...(outcome === 'ok' ? success : {}) }));
  }
  return deliveryId;
}

/** Waits for the read models by a call that writes behind everything so far. */
const projected = () => register();

describe('GET /brand/deliveries/:id', () => {
  test('answers the delivery with its attempts', async () => {
    const webhookId = await register();
    const id = await deliver(webhookId, { now: 1_000_000, outcome: 'retry' });
    expect((await read(id)).json).toEqual({
      id,
      event: 'dpp.published',
      webhookId,
      state: 'retrying',
      createdAt: 1_000_000,
      nextAttemptAt: 1_060_040,
      attempts: [{ at: 1_000_010, durationMs: 30, status: 500, error: 'answered 500', answer: 'oops' }],
    });
  });

  test('outlives the webhook, whose deletion ends what waits', async () => {
    const webhookId = await register();
    const done = await deliver(webhookId, { outcome: 'ok' });
    const waiting = [await deliver(webhookId), await deliver(webhookId, { outcome: 'retry' })];
    await projected();
    expect((await brand.call({ method: 'DELETE', url: `/brand/webhooks/${webhookId}` })).status).toBe(200);
    expect((await read(done)).json).toMatchObject({ state: 'delivered' });
    for (const id of waiting) {
      expect((await read(id)).json).toMatchObject({ webhookId, state: 'cancelled', nextAttemptAt: null });
    }
    expect(problem(await post(`/brand/deliveries/${done}/redeliver`))).toEqual([409, 'webhook_deleted']);
  });
});

describe('GET /brand/webhooks/:id/deliveries', () => {
  test('lists newest first, filtered by state, event and time, page by page, each item as its detail', async () => {
    const webhookId = await register();
    const at = (index: number) => Date.UTC(2026, 0, 1 + index);
    const ids = [
      await deliver(webhookId, { now: at(0), outcome: 'ok' }),
      await deliver(webhookId, { now: at(1), outcome: 'failed' }),
      await deliver(webhookId, { now: at(2), event: 'request.sent', outcome: 'ok' }),
      await deliver(webhookId, { now: at(3), event: 'request.sent', held: true }),
      await deliver(webhookId, { now: at(4) }),
      await deliver(webhookId, { now: at(5), outcome: 'retry' }),
    ];
    await deliver(await register());
    await projected();
    const url = `/brand/webhooks/${webhookId}/deliveries`;
    const found = async (query: string) => {
      const { status, json, body } = await brand.call({ url: `${url}${query}` });
      expect(status, body).toBe(200);
      return (json as { data: { id: string }[] }).data.map(({ id }) => ids.indexOf(id));
    };
    expect(await found('')).toEqual([5, 4, 3, 2, 1, 0]);
    expect(await found('?state=delivered')).toEqual([2, 0]);
    expect(await found('?state=failed')).toEqual([1]);
    expect(await found('?state=cancelled')).toEqual([3]);
    expect(await found('?state=pending')).toEqual([4]);
    expect(await found('?state=retrying')).toEqual([5]);
    expect(await found('?event=request.sent')).toEqual([3, 2]);
    expect(await found('?event=request.sent&state=delivered')).toEqual([2]);
    expect(await found('?event=certificate.expiring')).toEqual([]);
    expect(await found(`?from=2026-01-02&to=2026-01-04T00:00:00Z`)).toEqual([3, 2, 1]);
    expect(await found(`?from=${at(1)}&to=${at(3) - 1}&state=delivered`)).toEqual([2]);
    expect(await found(`?from=${at(4)}&to=${at(2)}`)).toEqual([]);

    const paged: number[] = [];
    let cursor = '';
    do {
      const { json } = await brand.call({ url: `${url}?limit=4${cursor}` });
      const page = json as { data: { id: string }[]; nextCursor?: string };
      paged.push(...page.data.map(({ id }) => ids.indexOf(id)));
      cursor = page.nextCursor === undefined ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(paged).toEqual([5, 4, 3, 2, 1, 0]);

    const { json } = await brand.call({ url });
    for (const item of (json as { data: { id: string }[] }).data) expect((await read(item.id)).json).toEqual(item);
  });

  test.each(['state=lost', 'event=dpp.burned', 'from=yesterday', 'to=-1', 'limit=0', 'limit=1001', 'cursor=%00'])(
    'refuses ?%s',
    async (query) => {
      const webhookId = await register();
      const answer = await brand.call({ url: `/brand/webhooks/${webhookId}/deliveries?${query}` });
      expect(problem(answer), answer.body).toEqual([422, 'invalid_input']);
      await brand.call({ method: 'DELETE', url: `/brand/webhooks/${webhookId}` });
    },
  );
});

describe('POST /brand/webhooks/:id/test', () => {
  test('makes a delivery of webhook.test, also while paused, under its key one', async () => {
    const webhookId = await register();
    await patch(webhookId, { active: false });
    const key = { 'idempotency-key': randomUUID() };
    const { status, json } = await post(`/brand/webhooks/${webhookId}/test`, undefined, key);
    expect(status).toBe(202);
    const { deliveryId } = json as { deliveryId: string };
    expect(Object.keys(json as object)).toEqual(['deliveryId']);
    expect((await read(deliveryId)).json).toMatchObject({ event: 'webhook.test', webhookId, state: 'pending' });
    expect((await post(`/brand/webhooks/${webhookId}/test`, undefined, key)).json).toEqual(json);
    const bodies: object[] = [];
    for await (const event of service.eventStore.readStream(`delivery-${deliveryId}`)) {
      bodies.push(JSON.parse((event.data as { body: string }).body) as object);
    }
    expect(bodies).toMatchObject([{ event: 'webhook.test', data: { webhookId } }]);
    expect((await post(`/brand/webhooks/${webhookId}/test`)).json).not.toEqual(json);
  });
});

describe('POST /brand/deliveries/:id/redeliver', () => {
  test('makes an ended delivery pending, whatever its end was; 409 until that attempt is made', async () => {
    const webhookId = await register();
    for (const id of [
      await deliver(webhookId, { outcome: 'ok' }),
      await deliver(webhookId, { outcome: 'failed' }),
      await deliver(webhookId, { held: true }),
    ]) {
      const { status, json } = await post(`/brand/deliveries/${id}/redeliver`);
      expect(status).toBe(202);
      expect(json).toMatchObject({ id, state: 'pending', nextAttemptAt: expect.any(Number) as number });
      const again = await post(`/brand/deliveries/${id}/redeliver`);
      expect(problem(again)).toEqual([409, 'delivery_under_way']);
      expect(again.json).toMatchObject({ state: 'pending' });
    }
  });

  test('asked twice at once is one attempt', async () => {
    const id = await deliver(await register(), { outcome: 'ok' });
    const answers = await Promise.all([1, 2, 3].map(() => post(`/brand/deliveries/${id}/redeliver`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  });

  test('is refused while attempts are to come and while the webhook is paused', async () => {
    const webhookId = await register();
    const waiting = await deliver(webhookId, { outcome: 'retry' });
    expect(problem(await post(`/brand/deliveries/${waiting}/redeliver`))).toEqual([409, 'delivery_under_way']);
    await patch(webhookId, { active: false });
    const done = await deliver(webhookId, { outcome: 'ok' });
    expect(problem(await post(`/brand/deliveries/${done}/redeliver`))).toEqual([409, 'webhook_paused']);
    await patch(webhookId, { active: true });
    expect((await post(`/brand/deliveries/${done}/redeliver`)).status).toBe(202);
  });
});

describe('a pause', () => {
  test('ends what waits as cancelled', async () => {
    const webhookId = await register();
    const waiting: string[] = [];
    for (let made = 0; made < 12; made++)
      waiting.push(await deliver(webhookId, made % 2 === 0 ? {} : { outcome: 'retry' }));
    await projected();
    await patch(webhookId, { active: false });
    for (const id of waiting) expect((await read(id)).json).toMatchObject({ state: 'cancelled', nextAttemptAt: null });
  });
});

describe('POST /brand/webhooks/:id/replay', () => {
  const replay = (id: string, payload: object, headers: Record<string, string> = {}) =>
    post(`/brand/webhooks/${id}/replay`, payload, headers);
  const asked = async (webhookId: string) => {
    const found: object[] = [];
    for await (const event of service.eventStore.readStream(`webhook-${webhookId}`)) {
      if (event.type === 'WebhookReplayAsked') found.push(event.data);
    }
    return found;
  };

  test('counts what it sends again: all of its time that has ended, held back or not, but no tests', async () => {
    const webhookId = await register();
    const day = Date.UTC(2026, 5, 1);
    await deliver(webhookId, { now: day, outcome: 'ok' });
    await deliver(webhookId, { now: day + DAY_MS, outcome: 'failed' });
    await deliver(webhookId, { now: day + 2 * DAY_MS, held: true });
    await deliver(webhookId, { now: day + 2 * DAY_MS, outcome: 'retry' });
    await deliver(webhookId, { now: day + 3 * DAY_MS, outcome: 'ok' });
    await post(`/brand/webhooks/${webhookId}/test`);
    const key = { 'idempotency-key': randomUUID() };
    const range = { from: '2026-06-01T00:00:00+00:00', to: day + 2 * DAY_MS };
    const { status, json } = await replay(webhookId, range, key);
    expect([status, json]).toEqual([202, { count: 3 }]);
    expect((await replay(webhookId, range, key)).json).toEqual({ count: 3 });
    expect(await asked(webhookId)).toMatchObject([{ from: day, to: day + 2 * DAY_MS }]);
  });

  test('that ends in the future ends now', async () => {
    const webhookId = await register();
    const before = Date.now();
    await replay(webhookId, { from: before - DAY_MS, to: before + DAY_MS });
    const [{ to }] = (await asked(webhookId)) as [{ to: number }];
    expect(to).toBeGreaterThanOrEqual(before);
    expect(to).toBeLessThanOrEqual(Date.now());
  });

  test('is refused while the webhook is paused', async () => {
    const webhookId = await register();
    await patch(webhookId, { active: false });
    expect(problem(await replay(webhookId, { from: 0, to: 1 }))).toEqual([409, 'webhook_paused']);
  });

  test('takes 30 days and not a millisecond more', async () => {
    const webhookId = await register();
    expect((await replay(webhookId, { from: 5, to: 5 + 30 * DAY_MS })).status).toBe(202);
    const answer = await replay(webhookId, { from: 5, to: 6 + 30 * DAY_MS });
    expect(problem(answer)).toEqual([422, 'invalid_input']);
    expect((answer.json as { errors: object[] }).errors).toMatchObject([{ path: 'to' }]);
  });

  test.each([
    [{}],
    [{ from: 1 }],
    [{ from: 2, to: 1 }],
    [{ from: -1, to: 1 }],
    [{ from: 0.5, to: 1 }],
    [{ from: null, to: 1 }],
    [{ from: 'yesterday', to: 'today' }],
    [{ from: '2026-02-30', to: '2026-03-01' }],
    [{ from: 0, to: 9e15 }],
    [{ from: '0', to: '99999999999999999' }],
  ])('refuses %j', async (payload) => {
    const answer = await replay('whk_any', payload);
    expect(problem(answer), answer.body).toEqual([422, 'invalid_input']);
  });
});
