import type { Recorded } from '../src/core/events.js';
import type { BatchEvent } from '../src/modules/batches/events.js';
import type { ProductEvent } from '../src/modules/products/events.js';
import { batchLifecycleId, withdrawn } from './batch-lifecycle/contract.js';
import { PRODUCT_FOLLOW_UP, productFollowUpId, type ProductFollowUpInput } from './product-follow-up/contract.js';
import { together, type Reaction, type Reactions } from './reactor.js';
import { createWebhookReactions, type WebhookReactionDependencies } from './webhook-reactions.js';
import { SUPPLIER_INVITATION, supplierInvitationId } from './supplier-invitation/contract.js';

/** All that events lead to. The types are what is subscribed to, so one that is missing here is not even sent. */
export const createReactions = (deps: WebhookReactionDependencies): Reactions =>
  together(REACTIONS, createWebhookReactions(deps));

const REACTIONS: Reactions = {
  BatchWithdrawn: ({ data }) => {
    const { batchId } = data as Extract<BatchEvent, { type: 'BatchWithdrawn' }>['data'];
    return [{ kind: 'signal', workflowId: batchLifecycleId(batchId), signal: withdrawn }];
  },
  SupplierInvited: mailInvitation,
  SupplierInvitedAgain: mailInvitation,
  ProductUpdated: (event) => {
    const { passportCount } = event.data as Extract<ProductEvent, { type: 'ProductUpdated' }>['data'];
    // A passport announced later reads the product as it is then.
    return passportCount === 0 ? [] : followUp(event, 'updated');
  },
  ProductDeleted: (event) => followUp(event, 'deleted'),
};

function mailInvitation({ id: eventId, data }: Recorded): readonly Reaction[] {
  const { supplierId } = data as { supplierId: string };
  const input = { supplierId, eventId };
  return [{ kind: 'start', workflow: SUPPLIER_INVITATION, workflowId: supplierInvitationId(input), input }];
}

function followUp(
  { id: eventId, data, metadata }: Recorded,
  change: ProductFollowUpInput['change'],
): readonly Reaction[] {
  const { organizationId, correlationId } = metadata;
  if (organizationId === null) return [];
  const input = {
    productId: (data as { productId: string }).productId,
    organizationId,
    change,
    eventId,
    correlationId,
  };
  return [{ kind: 'start', workflow: PRODUCT_FOLLOW_UP, workflowId: productFollowUpId(input), input }];
}
