import type { BatchEvent } from '../../src/modules/batches/events.js';
import type { SupplierEvent, SupplierInvitation } from '../../src/modules/suppliers/events.js';
import { insert, patch, projection, table } from '../projection.js';

export const suppliers = table({
  name: 'suppliers',
  key: ['id'],
  columns: {
    id: 'text',
    organization_id: 'text',
    factory_id: 'text',
    factory_name: 'text',
    country: 'text',
    tier: 'integer',
    notes: 'text',
    confirmed: 'boolean',
    declined: 'boolean',
    recorded: 'boolean',
    granted: 'boolean',
    answered: 'boolean',
    created_at: 'bigint',
    updated_at: 'bigint',
  },
});

const newSupplier = (data: Omit<SupplierInvitation, 'callId'>, at: number, recorded: boolean) => ({
  id: data.supplierId,
  organization_id: data.organizationId,
  factory_id: data.factoryId,
  factory_name: data.factoryName,
  country: data.country,
  tier: data.tier,
  notes: data.notes,
  confirmed: false,
  declined: false,
  recorded,
  granted: false,
  answered: false,
  created_at: at,
  updated_at: at,
});

export const suppliersProjection = projection<SupplierEvent | Extract<BatchEvent, { type: 'ProductionDataSubmitted' }>>(
  {
    SupplierRecorded: ({ data, metadata }) => [insert(suppliers, newSupplier(data, metadata.recordedAt, true))],
    SupplierInvited: ({ data, metadata }) => [insert(suppliers, newSupplier(data, metadata.recordedAt, false))],
    // A declined supplier is asked once more; a confirmed one stays confirmed.
    SupplierInvitedAgain: ({ data, metadata }) => [
      patch(
        suppliers,
        { id: data.supplierId },
        {
          factory_name: data.factoryName,
          country: data.country,
          tier: data.tier,
          notes: data.notes,
          declined: false,
          recorded: false,
          updated_at: metadata.recordedAt,
        },
      ),
    ],
    SupplierConfirmed: ({ data, metadata }) => [
      patch(suppliers, { id: data.supplierId }, { confirmed: true, declined: false, updated_at: metadata.recordedAt }),
    ],
    SupplierSharingGranted: ({ data, metadata }) => [
      patch(suppliers, { id: data.supplierId }, { granted: true, updated_at: metadata.recordedAt }),
    ],
    SupplierDeclined: ({ data, metadata }) => [
      patch(
        suppliers,
        { id: data.supplierId },
        { confirmed: false, declined: true, granted: false, answered: false, updated_at: metadata.recordedAt },
      ),
    ],
    ProductionDataSubmitted: ({ data }) => [patch(suppliers, { id: data.supplierId }, { answered: true })],
  },
);
