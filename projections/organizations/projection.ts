import type { OrganizationEvent } from '../../src/modules/organizations/events.js';
import { insert, patch, projection, table } from '../projection.js';

export const organizations = table({
  name: 'organizations',
  key: ['id'],
  columns: { id: 'text', name: 'text', plan: 'text', created_at: 'bigint' },
});

export const organizationsProjection = projection<OrganizationEvent>({
  OrganizationCreated: ({ data, metadata }) => [
    insert(organizations, {
      id: data.organizationId,
      name: data.name,
      plan: 'free',
      created_at: metadata.recordedAt,
    }),
  ],
  OrganizationPlanChanged: ({ data }) => [patch(organizations, { id: data.organizationId }, { plan: data.plan })],
});
