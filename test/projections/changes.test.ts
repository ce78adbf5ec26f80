import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allRows, createReadModels, empty, recorded, writeBatch, type ReadModels } from './read-models.js';
import { batchCreated, productCreated, STORY, supplierInvited } from './story.js';

const events = recorded(STORY);

describe('what events come to in the read models', () => {
  let models: ReadModels;
  let expected: Record<string, unknown[]>;

  beforeAll(async () => {
    models = await createReadModels();
    for (const event of events) await writeBatch(models.database, [event]);
    expected = await allRows(models.database);
  });
  beforeEach(() => empty(models.database));
  afterAll(() => models.drop());

  it('holds the rows that the story tells, with their counts', () => {
    expect(expected).toMatchObject({
      organizations: [{ id: 'org_1', name: 'Brand', plan: 'pro', created_at: 1_000 }],
      products: [
        {
          id: 'prd_1',
          name: 'New',
          sku: null,
          gtin: '1',
          weight_kg: null,
          subcategory: 'tshirts',
          ecommerce_url: 'https://shop.example/"quoted"/\\',
          care_instructions: 'Wash at 30.\nDo not bleach.',
          material_count: 0,
          batch_count: 2,
          passport_count: 1,
          created_at: 1_007,
        },
      ],
      suppliers: [
        { id: 'sup_1', state: 'confirmed', batch_count: 1 },
        { id: 'sup_2', state: 'invited', batch_count: 1, tier: 2 },
        { id: 'sup_3', state: 'invited', batch_count: 0, factory_name: 'New name', country: null, tier: 3 },
      ],
      batches: [
        { id: 'bat_1', state: 'published' },
        { id: 'bat_3', state: 'draft', factory_id: null },
      ],
      requests: [
        { id: 'req_1_bat_1', state: 'submitted', opened_at: 77 },
        { id: 'req_2_bat_1', state: 'failed', opened_at: null },
      ],
      supplier_batches: [
        { supplier_id: 'sup_1', batch_id: 'bat_1', role: 'factory' },
        { supplier_id: 'sup_2', batch_id: 'bat_1', role: 'sub_supplier' },
      ],
      passports: [{ id: 'dpp_1', gtin14: '04006381333931', version: 2, published_at: 5_000, co2_per_unit: 2.5 }],
      webhooks: [
        { id: 'whk_1', url: 'https://hooks.example/new', events: 'request.sent', active: false, gone: false },
        { id: 'whk_2', events: 'batch.created dpp.published', active: false, gone: true },
      ],
      deliveries: [
        { id: 'dlv_1', webhook_id: 'whk_1', event: 'dpp.published', state: 'failed', next_attempt_at: null },
        { id: 'dlv_2', state: 'cancelled', next_attempt_at: null, created_at: 200 },
        { id: 'dlv_3', state: 'pending', next_attempt_at: 700 },
        { id: 'dlv_4', state: 'cancelled', next_attempt_at: null },
        // What was sent stays known when the webhook is no more.
        { id: 'dlv_5', webhook_id: 'whk_3', state: 'pending', next_attempt_at: 800 },
      ],
      delivery_attempts: [
        { delivery_id: 'dlv_1', attempt: 1, at: 1_000, duration_ms: 30, status: 500, answer: 'oops "\\\n' },
        { delivery_id: 'dlv_1', attempt: 2, at: 2_000 },
        { delivery_id: 'dlv_2', attempt: 1, error: 'answered 500' },
      ],
    });
  });

  it('applies each event twice and changes nothing by the second time', async () => {
    for (const event of events) {
      await writeBatch(models.database, [event]);
      await writeBatch(models.database, [event]);
    }
    expect(await allRows(models.database)).toEqual(expected);
  });

  it('applies each event twice in one batch and changes nothing by the second time', async () => {
    await writeBatch(
      models.database,
      events.flatMap((event) => [event, event]),
    );
    expect(await allRows(models.database)).toEqual(expected);
  });

  it('hears the whole story again and ends where it was', async () => {
    await writeBatch(models.database, events);
    await writeBatch(models.database, events);
    expect(await allRows(models.database)).toEqual(expected);
    for (const event of events) await writeBatch(models.database, [event]);
    expect(await allRows(models.database)).toEqual(expected);
  });

  it('comes to the same however the events are cut into batches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: events.length, maxLength: events.length }), async (cuts) => {
        await empty(models.database);
        let batch: typeof events = [];
        for (const [index, event] of events.entries()) {
          batch.push(event);
          if (cuts[index] === true) {
            await writeBatch(models.database, batch);
            batch = [];
          }
        }
        await writeBatch(models.database, batch);
        expect(await allRows(models.database)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('counts a batch that comes and goes in one batch of events as none', async () => {
    const withdrawn = { batchId: 'bat_9', organizationId: 'org_1', productId: 'prd_1' };
    await writeBatch(
      models.database,
      recorded([
        supplierInvited('sup_1'),
        productCreated('prd_1'),
        batchCreated('bat_9'),
        { type: 'BatchWithdrawn', data: withdrawn },
      ]),
    );
    expect(await allRows(models.database)).toMatchObject({
      products: [{ batch_count: 0 }],
      suppliers: [{ batch_count: 0 }],
      batches: [],
      supplier_batches: [],
    });
  });

  it('stores a fact whose text Postgres cannot hold, without the character', async () => {
    const [event] = recorded([productCreated('prd_1')]);
    const name = 'a\0b\ud800c\u0001d';
    await writeBatch(models.database, event === undefined ? [] : [{ ...event, data: { ...event.data, name } }]);
    expect(await allRows(models.database)).toMatchObject({ products: [{ name: 'ab\ufffdc\u0001d' }] });
  });
});
