import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';
import type { Plan } from '../../core/vocabulary.js';
import { streamName } from '../../core/streams.js';

/** Stream `organization-<id>`. Who belongs to it is not in the log: memberships live in Postgres. */
export type OrganizationEvent =
  | DomainEvent<'OrganizationCreated', { organizationId: string; name: string; ownerId: string }>
  | DomainEvent<'OrganizationPlanChanged', { organizationId: string; plan: Plan }>;

export const ORGANIZATION_TEXTS = textsOf<OrganizationEvent>().private({}).open('name');

export const organizationStream = (organizationId: string): string => streamName('organization', organizationId);
