import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { replayedDeliveries } from '../../../projections/deliveries/queries.js';
import { deliveryIdOf, deliveryStream, type EventName } from '../../../src/modules/webhooks/events.js';
import { OVERLAP_MS, rotate, secretSealer, secretsOf } from '../../../src/modules/webhooks/secrets.js';
import {
  askRedelivery,
  cancelDelivery,
  createDelivery,
  createEventsOf,
  loadDelivery,
  matchingWebhooks,
  pauseGone,
  recordAttempt,
} from '../../../src/modules/webhooks/sending.js';
import { standingOf } from '../../../src/modules/webhooks/stops.js';
import type { Brand, TestService } from '../../support/service.js';
import { withService } from '../../support/shared-service.js';
import { contextOf, record } from './recording.js';
import { attempt, success } from './stories.js';

/* What the delivering programs ask for, against the real stores. */

let service: TestService;
let brand: Brand;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
});

const register = async (events: readonly EventName[] = ['dpp.published'], as = brand): Promise<string> => {
  const payload = { url: 'https://hooks.example/a', events };
  const { status, json, body } = await as.call({ method: 'POST', url: '/brand/webhooks', payload });
  expect(status, body).toBe(201);
  return (json as { id: string }).id;
};
const patch = (id: string, payload: object, as = brand) =>
  as.call({ method: 'PATCH', url: `/brand/webhooks/${id}`, payload });
const setPlan = (plan: 'free' | 'pro', { organizationId }: Brand) =>
  service.call({
    method: 'PUT',
    url: `/admin/organizations/${organizationId}/plan`,
    headers: { authorization: `Bearer ${service.config.ADMIN_TOKEN}` },
    payload: { plan },
  });

/** Something happens in the log, of no interest to anybody; its place is what counts. */
const something = async ({ organizationId }: Brand): Promise<bigint> => {
  const [event] = await record(service.eventStore, organizationId, `test-${randomUUID()}`, [
    { type: 'SomethingHappened', data: {} },
  ]);
  return event?.position ?? 0n;
};
const order = (webhookId: string, { organizationId }: Brand = brand, sourceEventId: string = randomUUID()) => ({
  ...{ webhookId, organizationId, sourceEventId, held: false },
  event: 'dpp.published' as const,
  timestampMs: 1_000,
  data: { dppId: 'dpp_1', batchId: 'bat_1', productName: 'Tee', qrUrl: 'https://dpp.example/p/1/2' },
});
const deliver = (webhookId: string, now = Date.now(), as = brand) =>
  createDelivery(service, contextOf(as.organizationId, now), order(webhookId, as));
const projected = async (): Promise<void> => {
  const position = await something(brand);
  for (;;) {
    const { rows } = await service.database.query<{ position: number }>('select position from read.checkpoint');
    if (BigInt(rows[0]?.position ?? 0) >= position) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('which webhooks want an event', () => {
  const matching = (fact: { organizationId: string; event: EventName }, position: bigint) =>
    matchingWebhooks({ ...service, eventsOf: createEventsOf(service.eventStore) }, fact, position);

  test('those that were subscribed to it when it happened', async () => {
    const own = await service.asBrand();
    const fact = { organizationId: own.organizationId, event: 'batch.created' as const };
    const before = await something(own);
    const wanting = await register(['batch.created', 'request.sent'], own);
    await register(['dpp.published'], own);
    await register(['batch.created']);
    const at = await something(own);
    expect(await matching(fact, before)).toEqual([]);
    expect(await matching(fact, at)).toEqual([{ webhookId: wanting, held: false }]);

    await patch(wanting, { events: ['request.sent'] }, own);
    expect(await matching(fact, at)).toHaveLength(1);
    expect(await matching(fact, await something(own))).toEqual([]);
  });

  test('held back while paused, by the brand, by a 410 or by the free plan; not made for one that is deleted', async () => {
    const own = await service.asBrand();
    const fact = { organizationId: own.organizationId, event: 'batch.created' as const };
    const webhookId = await register(['batch.created'], own);
    const held = async () => (await matching(fact, await something(own))).map((match) => match.held);

    await patch(webhookId, { active: false }, own);
    expect(await held()).toEqual([true]);
    await patch(webhookId, { active: true }, own);
    expect(await held()).toEqual([false]);
    await pauseGone(service, contextOf(own.organizationId), { webhookId, sentAt: Date.now() + 10 });
    expect(await held()).toEqual([true]);
    await patch(webhookId, { active: true }, own);
    await setPlan('free', own);
    expect(await held()).toEqual([true]);
    await setPlan('pro', own);
    expect(await held()).toEqual([false]);
    await own.call({ method: 'DELETE', url: `/brand/webhooks/${webhookId}` });
    expect(await held()).toEqual([]);
  });
});

describe('a delivery', () => {
  test('made twice for one event is one, with the first bytes', async () => {
    const webhookId = await register();
    const asked = order(webhookId);
    const first = await createDelivery(service, contextOf(brand.organizationId, 5_000), asked);
    const again = await createDelivery(service, contextOf(brand.organizationId, 6_000), { ...asked, timestampMs: 2 });
    expect(again).toEqual(first);
    expect(first).toMatchObject({ deliveryId: deliveryIdOf(webhookId, asked.sourceEventId), createdAt: 5_000 });
    expect(JSON.parse(first.body)).toEqual({
      event: 'dpp.published',
      timestamp: '1970-01-01T00:00:01.000Z',
      data: asked.data,
    });
  });

  test('whose maker died between the row and the event is made by the next one', async () => {
    const webhookId = await register();
    const asked = order(webhookId);
    const deliveryId = deliveryIdOf(webhookId, asked.sourceEventId);
    await service.database.query('insert into service.webhook_deliveries values ($1, $2, $3)', [
      webhookId,
      asked.sourceEventId,
      deliveryId,
    ]);
    await createDelivery(service, contextOf(brand.organizationId), asked);
    expect(await loadDelivery(service, deliveryId)).toMatchObject({ status: 'pending' });
  });

  test('made by ten at once is one', async () => {
    const webhookId = await register();
    const asked = order(webhookId);
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        createDelivery(service, contextOf(brand.organizationId, 5_000 + index), asked),
      ),
    );
    expect(new Set(made.map(({ createdAt }) => createdAt)).size).toBe(1);
    const stored = [];
    for await (const event of service.eventStore.readStream(deliveryStream(made[0]?.deliveryId ?? ''))) {
      stored.push(event.type);
    }
    expect(stored).toEqual(['DeliveryCreated']);
  });

  test('goes through its attempts; what is told twice counts once', async () => {
    const { deliveryId } = await deliver(await register());
    const context = contextOf(brand.organizationId);
    const delivery = { deliveryId, redeliveryId: null };
    await recordAttempt(service, context, delivery, attempt());
    const again = await recordAttempt(service, context, delivery, attempt());
    expect(again).toMatchObject({ status: 'retrying', nextAttemptAt: 62_030 });
    expect(again.attempts).toHaveLength(1);
    const done = await recordAttempt(service, context, delivery, attempt({ attempt: 2, at: 62_030, ...success }));
    expect(done).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    const asked = await askRedelivery(service, context, { deliveryId, redeliveryId: 'r' });
    expect(asked.status).toBe('pending');
    expect((await askRedelivery(service, context, { deliveryId, redeliveryId: 'r' })).redeliveries).toEqual(['r']);
    await cancelDelivery(service, context, { deliveryId, reason: 'deleted', until: Infinity });
    expect(await loadDelivery(service, deliveryId)).toMatchObject({ status: 'cancelled' });
  });

  test('held back in a pause is of the time in which the event happened', async () => {
    const held = { ...order(await register()), held: true };
    const made = await createDelivery(service, contextOf(brand.organizationId, 9_000), held);
    expect(made).toMatchObject({ status: 'cancelled', createdAt: 1_000 });
  });

  test('that nobody made is not found', async () => {
    await expect(loadDelivery(service, 'dlv_none')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('where to send', () => {
  /** What something that has waited since then meets. */
  const targetOf = async (webhookId: string, since: number) => {
    const { stops, ...target } = await standingOf(service.eventStore, webhookId);
    return { ...target, stop: stops.find(({ until }) => since <= until)?.reason ?? null };
  };

  test('to the present address, unless the webhook is paused or was since', async () => {
    const own = await service.asBrand();
    const webhookId = await register(['dpp.published'], own);
    const since = Date.now();
    const target = (from = since) => targetOf(webhookId, from);
    expect(await target()).toEqual({
      ...{ webhookId, organizationId: own.organizationId, url: 'https://hooks.example/a', stop: null },
    });
    await patch(webhookId, { url: 'https://hooks.example/b' }, own);
    expect(await target()).toMatchObject({ url: 'https://hooks.example/b', stop: null });

    await patch(webhookId, { active: false }, own);
    expect(await target()).toMatchObject({ stop: 'paused' });
    await patch(webhookId, { active: true }, own);
    expect(await target()).toMatchObject({ stop: 'paused' });
    expect(await target(Date.now() + 1)).toMatchObject({ stop: null });

    await pauseGone(service, contextOf(own.organizationId, Date.now() + 10), { webhookId, sentAt: Date.now() + 10 });
    expect(await target(Infinity)).toMatchObject({ stop: 'gone' });
    await patch(webhookId, { active: true }, own);

    await setPlan('free', own);
    expect(await target(Date.now() + 60_000)).toMatchObject({ stop: 'plan' });
    await setPlan('pro', own);
    expect(await target(Date.now() + 60_000)).toMatchObject({ stop: null });

    await own.call({ method: 'DELETE', url: `/brand/webhooks/${webhookId}` });
    expect(await target(Infinity)).toMatchObject({ url: '', stop: 'deleted' });
  });

  test('not to a webhook that never was', async () => {
    await expect(standingOf(service.eventStore, 'whk_none')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('not while a receiver has answered 410, until the brand says so', async () => {
    const webhookId = await register();
    for (const _time of [1, 2])
      await pauseGone(service, contextOf(brand.organizationId), { webhookId, sentAt: Date.now() + 10 });
    const { json } = await brand.call({ url: `/brand/webhooks/${webhookId}` });
    expect(json).toMatchObject({ active: false, pausedBy: 'gone' });
    expect(await targetOf(webhookId, Infinity)).toMatchObject({ stop: 'gone' });
  });
});

describe('secrets', () => {
  const deps = () => ({ database: service.database, sealer: secretSealer(service.config.ENCRYPTION_KEY) });

  test('after a rotation the old one and the new one sign for a day, then the new one alone', async () => {
    const webhookId = await register();
    const first = await secretsOf(deps(), webhookId, 0);
    expect(first).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
      next: null,
      between: [],
    });
    const now = 1_000_000;
    const rotated = await rotate(deps(), { webhookId, rotationId: 'one', now });
    expect(await secretsOf(deps(), webhookId, now + OVERLAP_MS - 1)).toEqual({
      secret: first?.secret,
      next: rotated?.secret,
      between: [],
    });
    expect(await secretsOf(deps(), webhookId, now + OVERLAP_MS)).toMatchObject({ secret: rotated?.secret, next: null });
    expect(await rotate(deps(), { webhookId, rotationId: 'one', now: now + 5 })).toEqual(rotated);
  });

  test('sign each for its own day, however often they are rotated in it', async () => {
    const webhookId = await register();
    const first = (await secretsOf(deps(), webhookId, 0))?.secret;
    const hour = 3_600_000;
    const second = (await rotate(deps(), { webhookId, rotationId: 'one', now: hour }))?.secret;
    const third = (await rotate(deps(), { webhookId, rotationId: 'two', now: 2 * hour }))?.secret;
    const at = (time: number) => secretsOf(deps(), webhookId, time);
    expect(await at(3 * hour)).toEqual({ secret: first, between: [second], next: third });
    expect(await at(hour + OVERLAP_MS - 1)).toEqual({ secret: first, between: [second], next: third });
    expect(await at(hour + OVERLAP_MS)).toEqual({ secret: second, between: [], next: third });
    expect(await at(2 * hour + OVERLAP_MS)).toEqual({ secret: third, between: [], next: null });
  });

  test('that are rotated at the same moment all sign', async () => {
    const webhookId = await register();
    const first = (await secretsOf(deps(), webhookId, 0))?.secret;
    const rotated = await Promise.all(
      ['a', 'b', 'c', 'd'].map((rotationId) => rotate(deps(), { webhookId, rotationId, now: 7 })),
    );
    expect(rotated).toHaveLength(4);
    const signing = await secretsOf(deps(), webhookId, 8);
    expect(signing?.secret).toBe(first);
    expect(new Set([signing?.secret, signing?.next, ...(signing?.between ?? [])]).size).toBe(5);
  });

  test('are rotated five times a day: a sixth waits until the first has had its day', async () => {
    const webhookId = await register();
    for (const [now, rotationId] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await rotate(deps(), { webhookId, rotationId, now });
    }
    const sixth = (now: number) => rotate(deps(), { webhookId, rotationId: 'f', now });
    await expect(sixth(10)).rejects.toMatchObject({ code: 'rate_limited', extra: { retryAfterS: 86_400 } });
    expect(await rotate(deps(), { webhookId, rotationId: 'e', now: 10 })).not.toBeNull();
    expect(await sixth(OVERLAP_MS)).toMatchObject({ rotatedAt: OVERLAP_MS });
  });

  test('rest encrypted and go with their webhook', async () => {
    const webhookId = await register();
    const secret = (await secretsOf(deps(), webhookId, 0))?.secret ?? '';
    const { rows } = await service.database.query<{ current: Buffer }>(
      'select current from service.webhook_secrets where webhook_id = $1',
      [webhookId],
    );
    expect(rows[0]?.current.includes(Buffer.from(secret.slice(6)))).toBe(false);
    await brand.call({ method: 'DELETE', url: `/brand/webhooks/${webhookId}` });
    expect(await secretsOf(deps(), webhookId, 0)).toBeNull();
  });

  test('of one webhook do not open as those of another', async () => {
    const [one, two] = [await register(), await register()];
    await service.database.query(
      `update service.webhook_secrets set current = (select current from service.webhook_secrets where webhook_id = $1)
        where webhook_id = $2`,
      [one, two],
    );
    await expect(secretsOf(deps(), two, 0)).rejects.toThrow();
    await service.database.query('delete from service.webhooks where id = $1', [two]);
  });
});

test('a replay takes all deliveries of its time that have ended, in parts, the oldest first', async () => {
  const own = await service.asBrand();
  const webhookId = await register(['dpp.published'], own);
  const context = contextOf(own.organizationId);
  const ids: string[] = [];
  for (const now of [100, 200, 200, 300, 400, 500]) {
    const { deliveryId } = await deliver(webhookId, now, own);
    ids.push(deliveryId);
    const delivery = { deliveryId, redeliveryId: null };
    if (now !== 400) await recordAttempt(service, context, delivery, attempt({ at: now, ...success }));
  }
  await projected();
  const range = { from: 200, to: 500 };
  const found: string[] = [];
  let after: { createdAt: number; id: string } | null = null;
  for (;;) {
    const part: { id: string; createdAt: number }[] = await replayedDeliveries(
      ...([service.database, webhookId, range, null] as const),
      { after, limit: 2 },
    );
    found.push(...part.map(({ id }) => id));
    after = part.at(-1) ?? null;
    if (part.length < 2) break;
  }
  const [, second = '', third = '', fourth = '', , sixth = ''] = ids;
  expect(found).toEqual([...[second, third].sort(), fourth, sixth]);
});
