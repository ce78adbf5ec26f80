import type { CommandContext } from '../../core/context.js';
import { notFound } from '../../core/errors.js';
import type { Plan } from '../../core/vocabulary.js';
import { execute, load, type Loaded } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { organizationDecider, type OrganizationState } from './decider.js';
import { organizationStream } from './events.js';

interface Stores {
  readonly database: Queryable;
  readonly eventStore: EventStore;
}

/** An organization as the interface shows it. */
export interface OrganizationRecord {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: number;
}

/** The caller becomes the owner of a new organization on the free plan. */
export async function createOrganization(
  { database, eventStore }: Stores,
  context: CommandContext,
  { name, ownerId }: { name: string; ownerId: string },
): Promise<OrganizationRecord> {
  const organizationId = context.newId('org');
  // The membership first: an organization that nobody can reach would be worse than a membership of none, and the same call
  // sent again finishes it.
  await database.query(
    `insert into service.memberships (organization_id, account_id, role) values ($1, $2, 'owner') on conflict do nothing`,
    [organizationId, ownerId],
  );
  const made = await execute(
    eventStore,
    { ...context, organizationId },
    {
      stream: organizationStream(organizationId),
      decider: organizationDecider,
      command: { type: 'CreateOrganization', organizationId, name, ownerId },
      isNew: true,
    },
  );
  return recordOf(organizationId, made);
}

export async function readOrganization(eventStore: EventStore, organizationId: string): Promise<OrganizationRecord> {
  return recordOf(organizationId, await load(eventStore, organizationDecider, organizationStream(organizationId)));
}

export async function changePlan(
  eventStore: EventStore,
  context: CommandContext,
  { organizationId, plan }: { organizationId: string; plan: Plan },
): Promise<OrganizationRecord> {
  const changed = await execute(
    eventStore,
    { ...context, organizationId },
    {
      stream: organizationStream(organizationId),
      decider: organizationDecider,
      command: { type: 'ChangePlan', organizationId, plan },
    },
  );
  return recordOf(organizationId, changed);
}

function recordOf(id: string, { state, createdAt }: Loaded<OrganizationState>): OrganizationRecord {
  if (state.status === 'none' || createdAt === null) throw notFound('organization', id);
  return { id, name: state.name, plan: state.plan, createdAt };
}
