import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import type { DomainEvent, Recorded } from '../../../src/core/events.js';
import { createEventStore } from '../../../src/infrastructure/event-store/eventstoredb.js';
import type { EventStore } from '../../../src/infrastructure/event-store/port.js';
import { batchStream, type BatchEvent } from '../../../src/modules/batches/events.js';
import { passportStream } from '../../../src/modules/passports/events.js';
import { webhookBody } from '../../../src/modules/webhooks/bodies.js';
import { connectDatabase, type Database } from '../../../src/infrastructure/postgres/database.js';
import { WEBHOOK_BODIES } from '../../../src/modules/webhooks/body-schemas.js';
import { factOf, SOURCE_EVENT_TYPES } from '../../../src/modules/webhooks/facts.js';
import { logger } from '../../projections/read-models.js';
import { passportPublished } from '../../projections/story.js';
import * as story from '../batches/stories.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { withTexts } from '../../support/private-texts.js';
import { record } from './recording.js';

/* From what is recorded to what receivers are told. The event store is the run's, so every test has ids of its own. */

const ORGANIZATION = 'org_1';
const NOW = Date.UTC(2026, 10, 21, 10, 30, 15, 250);

let eventStore: EventStore;
let service: TestDatabase;
let database: Database;
beforeAll(async () => {
  service = await createDatabase({ migrated: true });
  database = connectDatabase({ url: service.url, size: 2, logger, name: 'test-facts' });
  eventStore = withTexts(createEventStore({ url: inject('eventStoreUrl'), logger }), database);
});
afterAll(async () => {
  await Promise.all([eventStore.close(), database.end()]);
  await service.drop();
});

/** The facts of a batch's life, each with the type of the event that it comes from. */
async function factsOf(events: readonly DomainEvent[], stream = batchStream, id = newBatch()) {
  const own = JSON.parse(JSON.stringify(events).replaceAll('bat_1', id)) as DomainEvent[];
  const recorded = await record(eventStore, ORGANIZATION, stream(id), own, NOW);
  const facts = [];
  for (const event of recorded) facts.push({ type: event.type, id: event.id, fact: await factOf(eventStore, event) });
  return { id, facts };
}
const newBatch = () => `bat_${randomBytes(6).toString('hex')}`;

const told = ({ facts }: Awaited<ReturnType<typeof factsOf>>) =>
  facts.flatMap(({ type, fact }) => (fact === null ? [] : [[type, fact.event, fact.data] as const]));

const dataOf = (batchId: string, state: string) => ({
  ...{ batchId, productId: 'prd_1', productName: 'Tee', productSku: 'T-1', factoryId: 'sup_1' },
  ...{ factoryName: 'Knitters', poReference: 'PO-1', quantity: 100, unit: 'piece', state },
});

describe('a batch', () => {
  test('is told of when it is created, under the id and the time of the event', async () => {
    const { id, facts } = await factsOf([story.created]);
    expect(facts).toEqual([
      {
        type: 'BatchCreated',
        id: facts[0]?.id,
        fact: {
          organizationId: ORGANIZATION,
          event: 'batch.created',
          sourceEventId: facts[0]?.id,
          timestampMs: NOW,
          data: dataOf(id, 'draft'),
        },
      },
    ]);
  });

  test('that carries a preliminary passport is published from the start and has no factory', async () => {
    const { facts } = await factsOf([story.preliminary, story.scored(2)]);
    expect(told({ id: '', facts })).toMatchObject([
      ['BatchCreated', 'batch.created', { state: 'published', factoryId: null, factoryName: null, quantity: 1 }],
    ]);
  });

  test('is told of as submitted with the score of that very answer, a later one notwithstanding', async () => {
    const { id, facts } = await factsOf([
      ...story.inReview,
      story.changesRequested('call-3', 'again'),
      story.submitted('call-4', story.tier1),
      story.scored(4.5),
      story.scored(9),
    ]);
    const submissions = told({ id, facts }).filter(([, event]) => event === 'batch.submitted');
    expect(submissions).toEqual([
      ['ProductionDataSubmitted', 'batch.submitted', { ...dataOf(id, 'submitted'), climateChangePerUnit: 3 }],
      ['ProductionDataSubmitted', 'batch.submitted', { ...dataOf(id, 'submitted'), climateChangePerUnit: 4.5 }],
    ]);
  });

  test('without a usable score says null', async () => {
    const outcome = await factsOf([
      story.created,
      story.requestSent('call-1', [story.tier1]),
      story.submitted('call-2', story.tier1),
      story.scored(null),
    ]);
    expect(told(outcome).at(-1)?.[2]).toMatchObject({ climateChangePerUnit: null });
  });

  test('is not told of again when a sub-supplier answers', async () => {
    const outcome = await factsOf([
      ...story.inReview.slice(0, 2),
      story.submitted('call-2', story.spinner),
      story.scored(3),
    ]);
    expect(told(outcome).map(([, event]) => event)).toEqual(['batch.created']);
  });
});

describe('a request', () => {
  test('is told of when its first mail was taken: not for reminders, mails after changes, or mails that bounced', async () => {
    const outcome = await factsOf([
      story.created,
      story.requestSent('call-1', [story.tier1, story.spinner]),
      story.bounced('request', 0),
      story.emailed('request', 0),
      story.emailed('reminder_1', 0),
      story.submitted('call-2', story.tier1),
      story.scored(3),
      story.changesRequested('call-3', 'again'),
      story.emailed('changes_requested', 1),
    ]);
    expect(told(outcome).filter(([, event]) => event === 'request.sent')).toEqual([
      [
        'RequestEmailed',
        'request.sent',
        { requestId: 'req_1', batchId: outcome.id, supplierId: 'sup_1', factoryName: 'Knitters', tier: 1 },
      ],
    ]);
  });
});

describe('a passport', () => {
  test('is told of when it is published, and with its first data again at every new version', async () => {
    const dppId = `dpp_${randomBytes(6).toString('hex')}`;
    const batchId = newBatch();
    const first = passportPublished(dppId, { batchId }) as Extract<DomainEvent, { type: string }>;
    const { content } = first.data as { content: object };
    const [, republished] = await record(eventStore, ORGANIZATION, passportStream(dppId), [
      first,
      {
        type: 'PassportRepublished',
        data: {
          ...{ dppId, organizationId: ORGANIZATION, version: 2, contentHash: '1'.repeat(64), publishedAt: NOW },
          content: { ...content, productName: 'Renamed' },
        },
      },
    ]);
    const published: BatchEvent = {
      type: 'BatchPublished',
      data: { batchId, organizationId: ORGANIZATION, ...story.passport, dppId },
    };
    const { facts } = await factsOf([story.created, published], batchStream, batchId);
    const qrUrl = `https://dpp.example/p/4006381333931/S-${dppId}`;
    expect(facts.at(-1)?.fact).toMatchObject({
      event: 'dpp.published',
      data: { dppId, batchId, productName: 'Product', qrUrl },
    });
    expect(await factOf(eventStore, republished as Recorded)).toMatchObject({
      event: 'dpp.published',
      data: { dppId, batchId, productName: 'Renamed', qrUrl },
    });
  });
});

test('a certificate that expires is told of as it was noticed', async () => {
  const data = {
    ...{ certificateId: 'cer_1', supplierId: 'sup_1', factoryName: 'Knitters' },
    ...{ type: 'GOTS', number: 'G-1', validUntil: '2026-12-21' },
  };
  const { facts } = await factsOf(
    [{ type: 'CertificateExpiryNoticed', data: { ...data, organizationId: ORGANIZATION, noticedAt: 1 } }],
    (id) => `factory-${id}`,
  );
  expect(facts[0]?.fact).toMatchObject({ event: 'certificate.expiring', data });
  expect(Object.keys(facts[0]?.fact?.data ?? {})).toEqual(Object.keys(data));
});

test('every recorded event that tells something is among the ones that are looked at', async () => {
  const outcome = await factsOf([...story.inReview, story.emailed('request', 0), story.withdrawn]);
  for (const [type] of told(outcome)) expect(SOURCE_EVENT_TYPES).toContain(type);
});

test('the body is JSON of exactly event, timestamp and data, the same text every time', () => {
  const body = webhookBody('webhook.test', NOW, { webhookId: 'whk_ü"\u2028' });
  expect(body).toBe(
    '{"event":"webhook.test","timestamp":"2026-11-21T10:30:15.250Z","data":{"webhookId":"whk_ü\\"\u2028"}}',
  );
});

describe('the bodies in the documents', () => {
  // Ids as they look, and the same in every run.
  const idOf = (prefix: string, last: number) => `${prefix}_019aa5f3-6c00-7000-8000-00000000000${last}`;
  const [dppId, batchId] = [idOf('dpp', 1), idOf('bat', 2)];
  const renamed = (event: DomainEvent): DomainEvent =>
    JSON.parse(
      JSON.stringify(event)
        .replaceAll('bat_1', batchId)
        .replaceAll('"prd_1"', `"${idOf('prd', 3)}"`)
        .replaceAll('"sup_1"', `"${idOf('sup', 4)}"`)
        .replaceAll('"req_1"', `"${idOf('req', 5)}"`),
    ) as DomainEvent;

  test('are what is made of recorded events, and as their schemas say', async () => {
    const passport = passportPublished(dppId, { batchId }) as DomainEvent;
    const [published] = await record(eventStore, ORGANIZATION, passportStream(dppId), [passport], NOW);
    expect(published?.type).toBe('PassportPublished');
    const recorded = await record(
      eventStore,
      ORGANIZATION,
      batchStream(batchId),
      [
        ...[story.created, story.requestSent('call-1', [story.tier1]), story.emailed('request', 0)],
        ...[story.submitted('call-2', story.tier1), story.scored(2.337)],
        { type: 'BatchPublished', data: { batchId, organizationId: ORGANIZATION, ...story.passport, dppId } },
      ].map(renamed),
      NOW,
    );
    const certificate = {
      ...{ certificateId: idOf('cer', 6), supplierId: idOf('sup', 4), factoryName: 'Knitters' },
      ...{ type: 'GOTS', number: 'CU-1047218', validUntil: '2026-12-21' },
    };
    recorded.push(
      ...(await record(
        eventStore,
        ORGANIZATION,
        `factory-${randomBytes(6).toString('hex')}`,
        [{ type: 'CertificateExpiryNoticed', data: certificate }],
        NOW,
      )),
    );
    const bodies: Record<string, unknown> = {};
    for (const event of recorded) {
      const fact = await factOf(eventStore, event);
      if (fact !== null) bodies[fact.event] = JSON.parse(webhookBody(fact.event, fact.timestampMs, fact.data));
    }
    bodies['webhook.test'] = JSON.parse(webhookBody('webhook.test', NOW, { webhookId: idOf('whk', 7) }));

    expect(Object.keys(bodies).sort()).toEqual(WEBHOOK_BODIES.map(({ event }) => event).sort());
    for (const { event, body } of WEBHOOK_BODIES) {
      const strict = z.strictObject({ ...body.shape, data: body.shape.data.strict() });
      expect(strict.parse(bodies[event]), event).toEqual(bodies[event]);
    }
    await expect(`${JSON.stringify(bodies, null, 2)}\n`).toMatchFileSnapshot('../../../docs/webhook-bodies.json');
  });
});
