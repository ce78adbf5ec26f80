import { expect, it } from 'vitest';
import { commandContext } from '../../src/core/context.js';
import { publishPassport } from '../../src/modules/passports/handlers.js';
import {
  batch,
  EXAMPLE_A,
  invite,
  product,
  requestMailsTo,
  tokenIn,
  type ServiceWithWorker,
} from '../support/brand-story.js';
import type { Brand } from '../support/service.js';
import { withWorker } from '../support/shared-service.js';

let service: ServiceWithWorker;
let brand: Brand;

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
}, 120_000);

/** A submitted batch whose publication died between the passport and the batch. */
async function halfPublished(): Promise<{ readonly batchId: string; readonly page: string }> {
  const factory = await invite(brand);
  const productId = await product(brand);
  const batchId = await batch(brand, productId, factory);
  await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/send-request` });
  const [mail] = await requestMailsTo(factory.email);
  const url = `/factory/requests/${tokenIn(mail)}/submit`;
  expect((await service.call({ method: 'POST', url, payload: EXAMPLE_A })).status).toBe(200);
  const context = commandContext({
    organizationId: brand.organizationId,
    actor: { type: 'user', id: brand.userId },
    correlationId: 'interrupted',
    now: Date.now(),
  });
  const deps = { ...service, consumerUrl: service.config.CONSUMER_URL };
  const { qrUrl } = await publishPassport(deps, context, { batchId, productId });
  const { json } = await brand.call({ url: `/brand/batches/${batchId}` });
  expect(json.state).toBe('submitted');
  return { batchId, page: new URL(qrUrl).pathname };
}

it('a batch whose passport the public sees is not sent back to the factory, and says that it is published', async () => {
  const { batchId, page } = await halfPublished();
  const call = { method: 'POST' as const, url: `/brand/batches/${batchId}/request-changes`, payload: { notes: 'No.' } };
  const refused = await brand.call(call);
  expect([refused.status, refused.json.state]).toEqual([409, 'published']);
  const { json } = await brand.call({ url: `/brand/batches/${batchId}` });
  expect([json.state, new URL(json.dpp.qrUrl as string).pathname]).toEqual(['published', page]);
  expect((await service.call({ url: page })).status).toBe(200);
});

it('publishing it again answers the passport that is out', async () => {
  const { batchId, page } = await halfPublished();
  const { status, json } = await brand.call({ method: 'POST', url: `/brand/batches/${batchId}/publish` });
  expect([status, new URL(json.qrUrl as string).pathname]).toEqual([200, page]);
  expect((await brand.call({ url: `/brand/batches/${batchId}` })).json.state).toBe('published');
});
