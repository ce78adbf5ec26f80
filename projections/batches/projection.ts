import type { BatchEvent } from '../../src/modules/batches/events.js';
import { insert, patch, projection, remove, table, type Change } from '../projection.js';

export const batches = table({
  name: 'batches',
  key: ['id'],
  columns: {
    id: 'text',
    organization_id: 'text',
    product_id: 'text',
    factory_id: 'text',
    po_reference: 'text',
    quantity: 'bigint',
    unit: 'text',
    state: 'text',
    preliminary: 'boolean',
    created_at: 'bigint',
  },
  counted: { table: 'products', column: 'batch_count', by: 'product_id' },
});

/** `mail`, `opened_at` and `answer` each stand alone; the table makes the request's state of them. */
export const requests = table({
  name: 'requests',
  key: ['batch_id', 'id'],
  columns: {
    batch_id: 'text',
    id: 'text',
    organization_id: 'text',
    supplier_id: 'text',
    role: 'text',
    tier: 'integer',
    mail: 'text',
    opened_at: 'bigint',
    answer: 'text',
    created_at: 'bigint',
  },
  partOf: { table: 'batches', by: 'batch_id' },
});

export const supplierBatches = table({
  name: 'supplier_batches',
  key: ['batch_id', 'supplier_id'],
  columns: { batch_id: 'text', supplier_id: 'text', role: 'text', linked_at: 'bigint' },
  counted: { table: 'suppliers', column: 'batch_count', by: 'supplier_id' },
  partOf: { table: 'batches', by: 'batch_id' },
});

export const batchesProjection = projection<BatchEvent>({
  BatchCreated: ({ data, metadata }) => [
    insert(batches, {
      id: data.batchId,
      organization_id: data.organizationId,
      product_id: data.productId,
      factory_id: data.factoryId,
      po_reference: data.poReference,
      quantity: data.quantity,
      unit: data.unit,
      state: 'draft',
      preliminary: data.preliminary,
      created_at: metadata.recordedAt,
    }),
    ...(data.factoryId === null
      ? []
      : [
          insert(supplierBatches, {
            batch_id: data.batchId,
            supplier_id: data.factoryId,
            role: 'factory',
            linked_at: metadata.recordedAt,
          }),
        ]),
  ],
  DppRequestSent: ({ data, metadata }) => [
    patch(batches, { id: data.batchId }, { state: 'sent' }),
    ...data.requests.flatMap((request): Change[] => [
      insert(requests, {
        batch_id: data.batchId,
        id: request.requestId,
        organization_id: data.organizationId,
        supplier_id: request.supplierId,
        role: request.role,
        tier: request.tier,
        mail: 'pending',
        opened_at: null,
        answer: null,
        created_at: metadata.recordedAt,
      }),
      // The factory is there since the batch was created.
      insert(supplierBatches, {
        batch_id: data.batchId,
        supplier_id: request.supplierId,
        role: request.role,
        linked_at: metadata.recordedAt,
      }),
    ]),
  ],
  RequestEmailed: ({ data }) => [patch(requests, requestKey(data), { mail: 'emailed' })],
  RequestEmailFailed: ({ data }) => [patch(requests, requestKey(data), { mail: 'failed' })],
  RequestOpened: ({ data }) => [patch(requests, requestKey(data), { opened_at: data.openedAt })],
  ProductionDataSubmitted: ({ data }) => [
    patch(requests, requestKey(data), { answer: 'submitted' }),
    ...(data.role === 'factory' ? [patch(batches, { id: data.batchId }, { state: 'submitted' })] : []),
  ],
  ChangesRequested: ({ data }) => [
    patch(requests, requestKey(data), { answer: 'changes_requested' }),
    patch(batches, { id: data.batchId }, { state: 'sent' }),
  ],
  BatchPublished: ({ data }) => [patch(batches, { id: data.batchId }, { state: 'published' })],
  BatchWithdrawn: ({ data }) => [remove(batches, { id: data.batchId })],
});

const requestKey = (data: { readonly batchId: string; readonly requestId: string }) => ({
  batch_id: data.batchId,
  id: data.requestId,
});
