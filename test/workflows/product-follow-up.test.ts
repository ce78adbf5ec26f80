import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { commandContext } from '../../src/core/context.js';
import { execute } from '../../src/infrastructure/command-handler.js';
import { batchDecider } from '../../src/modules/batches/decider.js';
import { batchStream } from '../../src/modules/batches/events.js';
import { deleteProduct, updateProduct } from '../../src/modules/products/handlers.js';
import type { Brand } from '../support/service.js';
import {
  batch,
  eventually,
  invite,
  product,
  requestMailsTo,
  tokenIn,
  type ServiceWithWorker,
} from '../support/brand-story.js';
import { withWorker } from '../support/shared-service.js';

let service: ServiceWithWorker;
let brand: Brand;

withWorker.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
}, 120_000);

/** A call that died right after its append: the event is there, and nothing that follows from it. */
const interrupted = () =>
  commandContext({
    organizationId: brand.organizationId,
    actor: { type: 'user', id: brand.userId },
    correlationId: 'interrupted',
    now: Date.now(),
  });

const passports = async (productId: string) =>
  (await brand.call({ url: `/brand/dpps/by-product/${productId}` })).json.data as {
    qrUrl: string;
    version: number;
    co2PerUnit: number;
  }[];

it('re-publishes the passport of a product whose call died after the append', async () => {
  const productId = await product(brand);
  const { json } = await brand.call({ method: 'POST', url: `/brand/products/${productId}/publish` });
  const [before] = await passports(productId);
  await updateProduct(service, interrupted(), productId, { weightKg: 0.36 });
  const [after] = await eventually(
    () => passports(productId),
    ([passport]) => passport?.version === 2,
  );
  expect(after?.qrUrl).toBe(json.qrUrl);
  expect(after?.co2PerUnit).toBeGreaterThan(before?.co2PerUnit ?? Infinity);
});

it('withdraws the open batches of a deleted product whose call died after the append', async () => {
  const factory = await invite(brand);
  const productId = await product(brand);
  const batches = [await batch(brand, productId, factory), await batch(brand, productId, factory)];
  await deleteProduct(service, interrupted(), productId);
  for (const id of batches) {
    await eventually(
      async () => (await brand.call({ url: `/brand/batches/${id}` })).status,
      (status) => status === 404,
    );
  }
});

it('answers 410 on the link of a batch whose product has been deleted', async () => {
  const factory = await invite(brand);
  const productId = await product(brand);
  const id = await batch(brand, productId, factory);
  await brand.call({ method: 'POST', url: `/brand/batches/${id}/send-request`, payload: {} });
  const [mail] = await requestMailsTo(factory.email);
  const link = `/factory/requests/${tokenIn(mail)}`;
  expect((await service.call({ url: link })).status).toBe(200);

  await brand.call({ method: 'DELETE', url: `/brand/products/${productId}` });
  const { status, json } = await service.call({ url: link });
  expect([status, json.code]).toEqual([410, 'link_withdrawn']);
  expect((await brand.call({ url: `/brand/batches/${id}` })).status).toBe(404);
  const listed = await brand.call({ url: '/brand/batches' });
  expect((listed.json.data as { id: string }[]).map((one) => one.id)).not.toContain(id);
});

it('withdraws a batch that the read models do not show yet when its product is deleted, however late they are', async () => {
  const factory = await invite(brand);
  const productId = await product(brand);
  const held = await service.database.connect();
  let id: string;
  try {
    // The projector cannot move its checkpoint as long as somebody else holds its row.
    await held.query('begin; select position from read.checkpoint for update');
    id = await batch(brand, productId, factory);
    await deleteProduct(service, interrupted(), productId);
    await sleep(12_000);
    expect((await brand.call({ url: `/brand/batches/${id}` })).status).toBe(200);
  } finally {
    await held.query('rollback');
    held.release();
  }
  await eventually(
    async () => (await brand.call({ url: `/brand/batches/${id}` })).status,
    (status) => status === 404,
    40_000,
  );
});

it('withdraws a batch that is appended after the deletion by a call that had read the product before', async () => {
  const factory = await invite(brand);
  const productId = await product(brand);
  const batchId = `bat_${randomUUID()}`;
  await deleteProduct(service, interrupted(), productId);
  await execute(service.eventStore, interrupted(), {
    stream: batchStream(batchId),
    decider: batchDecider,
    command: {
      type: 'CreateBatch',
      batch: {
        ...{ batchId, organizationId: brand.organizationId, productId, productName: 'Organic tee', productSku: null },
        ...{ factoryId: factory.id, factoryName: 'knitters', poReference: 'PO-8', quantity: 1, unit: 'piece' },
        preliminary: false,
      },
    },
    isNew: true,
  });
  await eventually(
    async () => (await brand.call({ url: `/brand/batches/${batchId}` })).status,
    (status) => status === 404,
  );
});
