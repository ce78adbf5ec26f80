import type { Recorded } from '../src/core/events.js';
import type { BatchEvent } from '../src/modules/batches/index.js';
import type { FactoryEvent } from '../src/modules/factory-portal/index.js';
import type { ImportEvent } from '../src/modules/file-imports/index.js';
import { changesWhatIsShown } from '../src/modules/publishing/index.js';
import { isDeleted, type ProductEvent } from '../src/modules/products/index.js';
import type { SupplierInvitation } from '../src/modules/suppliers/index.js';
import type { ProposalEvent } from '../src/modules/proposals/index.js';
import { batchLifecycleId, withdrawn } from './batch-lifecycle/contract.js';
import { CERTIFICATE_EXPIRY, certificateChanged, certificateExpiryId } from './certificate-expiry/contract.js';
import {
  CERTIFICATE_INTAKE,
  CERTIFICATE_LINK,
  certificateIntakeId,
  certificateLinkId,
  INVITATION_TRIED_FOR_MS,
  PROPOSAL_ACCEPTANCE,
  proposalAcceptanceId,
  SUPPLIER_INVITATION,
  supplierInvitationId,
} from './one-step/contract.js';
import { PRODUCT_FOLLOW_UP, productFollowUpId, type ProductFollowUpInput } from './product-follow-up/contract.js';
import { PRODUCT_IMPORT, productImportId } from './product-import/contract.js';
import { together, type Reaction, type Reactions } from './reactor.js';
import { createWebhookReactions, type WebhookReactionDependencies } from './webhook-reactions.js';

/** All that events lead to. The types are what is subscribed to, so one that is missing here is not even sent. */
export const createReactions = (deps: WebhookReactionDependencies): Reactions =>
  together(REACTIONS, createBatchReactions(deps), createInvitationReactions(deps), createWebhookReactions(deps));

/**
 * A batch may be appended right after its product was deleted, by a call that read the product before: it is withdrawn like those
 * that were there. Whoever comes here after the batch's event sees a deletion before it.
 */
const createBatchReactions = (deps: Pick<WebhookReactionDependencies, 'eventStore'>): Reactions => ({
  BatchCreated: async (event) => {
    const { productId, preliminary } = event.data as Extract<BatchEvent, { type: 'BatchCreated' }>['data'];
    // A product with a passport is not deleted.
    if (preliminary || !(await isDeleted(deps, productId))) return [];
    return followUp(event, 'deleted');
  },
});

const REACTIONS: Reactions = {
  BatchWithdrawn: ({ data }) => {
    const { batchId } = data as Extract<BatchEvent, { type: 'BatchWithdrawn' }>['data'];
    return [{ kind: 'signal', workflowId: batchLifecycleId(batchId), signal: withdrawn }];
  },
  // Who answers shares with the brand from then on.
  ProductionDataSubmitted: (event) => takeInCertificates(event) ?? tellOfCertificates(event),
  CertificateRecorded: certificateHasChanged,
  CertificateChanged: certificateHasChanged,
  CertificateRemoved: certificateHasChanged,
  SupplierSharingGranted: tellOfCertificates,
  ProposalAccepted: carryOutAcceptance,
  ProductUpdated: (event) => {
    const { passportCount, changes } = event.data as Extract<ProductEvent, { type: 'ProductUpdated' }>['data'];
    // A passport announced later reads the product as it is then.
    return passportCount > 0 && changesWhatIsShown(changes) ? followUp(event, 'updated') : [];
  },
  ProductDeleted: (event) => followUp(event, 'deleted'),
  ImportStarted: ({ data }) => {
    const { importId, organizationId } = data as Extract<ImportEvent, { type: 'ImportStarted' }>['data'];
    const input = { importId, organizationId };
    return [{ kind: 'start', workflow: PRODUCT_IMPORT, workflowId: productImportId(input), input }];
  },
};

/** The log may be read again from its start, long after the workflows and the list of mails sent have forgotten the old ones. */
function createInvitationReactions({ clock }: Pick<WebhookReactionDependencies, 'clock'>): Reactions {
  const mailInvitation = ({ id: eventId, data, metadata }: Recorded): readonly Reaction[] => {
    if (clock() - metadata.recordedAt >= INVITATION_TRIED_FOR_MS) return [];
    const { supplierId, callId } = data as SupplierInvitation;
    const input = { supplierId, eventId, callId };
    return [{ kind: 'start', workflow: SUPPLIER_INVITATION, workflowId: supplierInvitationId(input), input }];
  };
  return { SupplierInvited: mailInvitation, SupplierInvitedAgain: mailInvitation };
}

function followUp(
  { id: eventId, stream, revision, data, metadata }: Recorded,
  change: ProductFollowUpInput['change'],
): readonly Reaction[] {
  const { organizationId, correlationId } = metadata;
  if (organizationId === null) return [];
  const input = {
    productId: (data as { productId: string }).productId,
    organizationId,
    change,
    eventId,
    place: { stream, revision },
    correlationId,
  };
  return [{ kind: 'start', workflow: PRODUCT_FOLLOW_UP, workflowId: productFollowUpId(input), input }];
}

/** Null when the submission names none; where it does, the intake tells the brand of those that end soon. */
function takeInCertificates({ id: eventId, revision, data, metadata }: Recorded): readonly Reaction[] | null {
  const submitted = data as Extract<BatchEvent, { type: 'ProductionDataSubmitted' }>['data'];
  if ((submitted.data.certificates ?? []).length === 0) return null;
  const input = { batchId: submitted.batchId, revision, eventId, correlationId: metadata.correlationId };
  return [{ kind: 'start', workflow: CERTIFICATE_INTAKE, workflowId: certificateIntakeId(input), input }];
}

function certificateHasChanged({ data }: Recorded): readonly Reaction[] {
  const { factoryId, certificateId } = data as Extract<FactoryEvent, { type: 'CertificateRemoved' }>['data'];
  const workflowId = certificateExpiryId(certificateId);
  const input = { factoryId, certificateId };
  return [{ kind: 'signal_with_start', workflow: CERTIFICATE_EXPIRY, workflowId, input, signal: certificateChanged }];
}

function tellOfCertificates({ id: eventId, data, metadata }: Recorded): readonly Reaction[] {
  const { supplierId } = data as { supplierId: string };
  const input = { supplierId, eventId, correlationId: metadata.correlationId };
  return [{ kind: 'start', workflow: CERTIFICATE_LINK, workflowId: certificateLinkId(input), input }];
}

function carryOutAcceptance({ id: eventId, data, metadata }: Recorded): readonly Reaction[] {
  const { proposalId, organizationId } = data as Extract<ProposalEvent, { type: 'ProposalAccepted' }>['data'];
  const input = { proposalId, organizationId, eventId, correlationId: metadata.correlationId };
  return [{ kind: 'start', workflow: PROPOSAL_ACCEPTANCE, workflowId: proposalAcceptanceId(input), input }];
}
