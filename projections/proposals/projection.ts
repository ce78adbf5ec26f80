import type { ProposalEvent } from '../../src/modules/proposals/events.js';
import { insert, patch, projection, table } from '../projection.js';

export const proposals = table({
  name: 'proposals',
  key: ['id'],
  columns: {
    id: 'text',
    organization_id: 'text',
    request_id: 'text',
    batch_id: 'text',
    product_id: 'text',
    product_name: 'text',
    proposed_by: 'text',
    material_type: 'text',
    name: 'text',
    factory_id: 'text',
    country: 'text',
    tier: 'integer',
    state: 'text',
    supplier_id: 'text',
    created_at: 'bigint',
    decided_at: 'bigint',
  },
});

export const proposalsProjection = projection<ProposalEvent>({
  SubSupplierProposed: ({ data }) => [
    insert(proposals, {
      id: data.proposalId,
      organization_id: data.organizationId,
      request_id: data.requestId,
      batch_id: data.batchId,
      product_id: data.productId,
      product_name: data.productName,
      proposed_by: data.proposedBy,
      material_type: data.materialType,
      name: data.name,
      factory_id: data.factoryId,
      country: data.country,
      tier: data.tier,
      state: 'proposed',
      supplier_id: null,
      created_at: data.proposedAt,
      decided_at: null,
    }),
  ],
  ProposalAccepted: ({ data: { proposalId, supplierId, decidedAt } }) => [
    patch(proposals, { id: proposalId }, { state: 'accepted', supplier_id: supplierId, decided_at: decidedAt }),
  ],
  ProposalDeclined: ({ data: { proposalId, decidedAt } }) => [
    patch(proposals, { id: proposalId }, { state: 'declined', decided_at: decidedAt }),
  ],
});
