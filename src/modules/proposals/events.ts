import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';
import { streamName } from '../../core/streams.js';

/**
 * Stream `proposals-<requestId>`: whom the factory of one request names as the suppliers behind the product's materials, and what
 * the brand makes of it. `factoryId` stands for the address, which is not in the log.
 */
export type ProposalEvent =
  | DomainEvent<'SubSupplierProposed', ProposedSupplier>
  /** What follows: `supplierId`, a record made now or there already, is invited and becomes a supplier of the material. */
  | DomainEvent<'ProposalAccepted', ProposalDecision & { supplierId: string }>
  /** That has followed. It is done once: whatever the brand changes afterwards stays. */
  | DomainEvent<'ProposalCarriedOut', { proposalId: string; organizationId: string }>
  | DomainEvent<'ProposalDeclined', ProposalDecision>;

export type ProposedSupplier = {
  readonly proposalId: string;
  readonly organizationId: string;
  readonly requestId: string;
  readonly batchId: string;
  readonly productId: string;
  /** As it was then. */
  readonly productName: string;
  /** The brand's record of the factory that proposes. */
  readonly proposedBy: string;
  readonly materialType: string;
  readonly name: string;
  readonly factoryId: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** One further up than the factory that proposes. */
  readonly tier: number;
  readonly proposedAt: number;
};

export type ProposalDecision = {
  readonly proposalId: string;
  readonly organizationId: string;
  /** The call that decided: the same call sent again is recognised by it. */
  readonly callId: string;
  readonly decidedAt: number;
};

/** A small supplier is called as its owner is; its name goes with its contact. */
export const PROPOSAL_TEXTS = textsOf<ProposalEvent>()
  .private({ SubSupplierProposed: { name: ({ organizationId, factoryId }) => [organizationId, factoryId] } })
  .open('productName', 'proposedBy', 'materialType', 'country');

export const proposalStream = (requestId: string): string => streamName('proposals', requestId);

/** A proposal is known by its request and its place in it, so that its stream is found by its id. */
export const proposalIdOf = (requestId: string, place: number): string =>
  `${requestId.replace(/^req_/, 'pro_')}-${place}`;

/** Null for an id that no proposal has. */
export const requestOfProposal = (proposalId: string): string | null => {
  const match = /^pro_([0-9a-f-]{36})-\d{1,2}$/.exec(proposalId);
  return match === null ? null : `req_${match[1]}`;
};
