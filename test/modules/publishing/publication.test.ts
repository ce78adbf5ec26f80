import { beforeEach, describe, expect, it } from 'vitest';
import { commandContext } from '../../../src/core/context.js';
import type { EventStore } from '../../../src/infrastructure/event-store/port.js';
import { passportIdOf } from '../../../src/modules/passports/index.js';
import { bringUpToDate, publishBatch } from '../../../src/modules/publishing/handlers.js';
import { preliminaryBatchId, publishPreliminaryBatch } from '../../../src/modules/publishing/preliminary.js';
import {
  batch,
  EXAMPLE_A,
  invite,
  product,
  requestMailsTo,
  tokenIn,
  type ServiceWithWorker,
} from '../../support/brand-story.js';
import type { Brand } from '../../support/service.js';
import { withWorker } from '../../support/shared-service.js';

let service: ServiceWithWorker;
let brand: Brand;

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
}, 120_000);

const contextOf = () =>
  commandContext({
    organizationId: brand.organizationId,
    actor: { type: 'user', id: brand.userId },
    correlationId: 'publication',
    now: Date.now(),
  });

const depsWith = (changed: Partial<EventStore>) => ({
  database: service.database,
  eventStore: { ...service.eventStore, ...changed },
  consumerUrl: service.config.CONSUMER_URL,
});

/** A batch whose factory has answered. */
async function submittedBatch(): Promise<{ batchId: string; productId: string; supplierId: string }> {
  const factory = await invite(brand);
  const productId = await product(brand);
  const batchId = await batch(brand, productId, factory);
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  const [mail] = await requestMailsTo(factory.email);
  const url = `/factory/requests/${tokenIn(mail)}/submit`;
  expect((await service.call({ method: 'POST', url, payload: EXAMPLE_A })).status).toBe(200);
  return { batchId, productId, supplierId: factory.id };
}

describe('a publication that died between the passport and the batch', () => {
  /** Its page is out, and the batch does not say so. */
  async function halfPublished(): Promise<{ readonly batchId: string; readonly page: string }> {
    const { batchId } = await submittedBatch();
    const qrUrls: string[] = [];
    const append: EventStore['append'] = async (stream, expected, events) => {
      if (events.some(({ type }) => type === 'BatchPublished')) throw new Error('killed');
      qrUrls.push(
        ...events.flatMap(({ type, data }) =>
          type === 'PassportPublished' ? [(data as { qrUrl: string }).qrUrl] : [],
        ),
      );
      return service.eventStore.append(stream, expected, events);
    };
    await expect(publishBatch(depsWith({ append }), contextOf(), batchId)).rejects.toThrow('killed');
    const { json } = await brand.call({ url: `/brand/batches/${batchId}` });
    expect(json.state).toBe('submitted');
    return { batchId, page: new URL(qrUrls[0] ?? '').pathname };
  }

  it('is not sent back to the factory, and says that it is published', async () => {
    const { batchId, page } = await halfPublished();
    const url = `/brand/batches/${batchId}/request-changes`;
    const refused = await brand.call({ method: 'POST', url, payload: { notes: 'No.' } });
    expect([refused.status, refused.json.state]).toEqual([409, 'published']);
    const { json } = await brand.call({ url: `/brand/batches/${batchId}` });
    expect([json.state, new URL(json.dpp.qrUrl as string).pathname]).toEqual(['published', page]);
    expect((await service.call({ url: page })).status).toBe(200);
  });

  it('answers the passport that is out when it is asked for again', async () => {
    const { batchId, page } = await halfPublished();
    const { status, json } = await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/publish` });
    expect([status, new URL(json.qrUrl as string).pathname]).toEqual([200, page]);
    expect((await brand.call({ url: `/brand/batches/${batchId}` })).json.state).toBe('published');
  });
});

describe('what a publication reads', () => {
  let reads: string[];
  beforeEach(() => {
    reads = [];
  });
  const counted = () =>
    depsWith({
      readStream: (stream, options) => {
        reads.push(stream);
        return service.eventStore.readStream(stream, options);
      },
    });

  it('is each stream once, from the batch down to the supplier', async () => {
    const { batchId, productId, supplierId } = await submittedBatch();
    await publishBatch(counted(), contextOf(), batchId);
    expect(reads).toEqual([`batch-${batchId}`, `product-${productId}`, `supplier-${supplierId}`]);
  });

  it('is each stream once when the product has changed', async () => {
    const { batchId, productId, supplierId } = await submittedBatch();
    await publishBatch(depsWith({}), contextOf(), batchId);
    expect(await bringUpToDate(counted(), contextOf(), batchId)).toBe(true);
    expect(reads.toSorted()).toEqual(
      [
        `batch-${batchId}`,
        `passport-${passportIdOf(batchId)}`,
        `product-${productId}`,
        `supplier-${supplierId}`,
      ].toSorted(),
    );
  });

  it('is the product alone for a passport on its own data, which asked for again is found', async () => {
    const productId = await product(brand);
    const first = await publishPreliminaryBatch(counted(), contextOf(), productId);
    expect(reads).toEqual([`product-${productId}`]);
    reads = [];
    expect(await publishPreliminaryBatch(counted(), contextOf(), productId)).toEqual(first);
    expect(reads).toEqual([`product-${productId}`, `batch-${preliminaryBatchId(productId)}`]);
  });
});
