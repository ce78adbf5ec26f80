import { suppliersByIds } from '../../../projections/suppliers/queries.js';
import type { CommandContext } from '../../core/context.js';
import { invalid, notFound } from '../../core/errors.js';
import { execute, load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database, Queryable } from '../../infrastructure/postgres/database.js';
import { answerableRequest } from '../batches/index.js';
import { isMember } from '../members/index.js';
import { findProduct } from '../products/index.js';
import { contactEmailOf, contactEmailsOf, factoryAt, findSupplier, knownFactoryAt } from '../suppliers/index.js';
import { MAX_PROPOSALS, proposalDecider, proposalIn, proposalLimit, sameProposal, type Proposal } from './decider.js';
import { proposalStream, requestOfProposal } from './events.js';
import type { BrandProposal } from './schemas.js';

export interface ProposalDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
}

/** A supplier that a factory has named, as the factory itself sees it. */
export interface ProposalItem {
  readonly id: string;
  readonly state: Proposal['state'];
  readonly materialType: string;
  readonly name: string;
  /** Null once it has been erased. */
  readonly contactEmail: string | null;
  readonly country: string | null;
  readonly createdAt: number;
}

/** A supplier as a factory names it; the address trimmed, in lower case. */
export interface NamedSupplier {
  readonly materialType: string;
  readonly name: string;
  readonly contactEmail: string;
  readonly country?: string | null | undefined;
}

/** As many as a supplier's tier may be. */
const MAX_TIER = 9;

const OWN_ADDRESS = "This is your own address; name the supplier's.";
const BRANDS_ADDRESS = "This is an address of the brand's own; name the supplier's.";

/**
 * Names a supplier behind a material, while the request can be answered. Material and address make a proposal: named again, the
 * one that is there stays as it is. `isNew` says whether this call made it.
 */
export async function propose(
  deps: ProposalDependencies,
  context: CommandContext,
  { batchId, requestId }: { readonly batchId: string; readonly requestId: string },
  { materialType, name, contactEmail, country = null }: NamedSupplier,
): Promise<{ readonly item: ProposalItem; readonly isNew: boolean }> {
  const { database, eventStore } = deps;
  const { batch, request } = await answerableRequest(deps, { batchId, requestId });
  const { organizationId, productId } = batch;
  const product = await findProduct(deps, { organizationId, productId });
  if (!product.fields.materials.some((material) => material.materialType === materialType)) {
    throw invalid('materialType', `"${materialType}" is none of the product's materials.`);
  }
  const { factoryId: ownFactory } = await findSupplier(deps, request.supplierId);
  if (contactEmail === (await contactEmailOf(database, ownFactory))) throw invalid('contactEmail', OWN_ADDRESS);
  if (await isMember(database, organizationId, contactEmail)) throw invalid('contactEmail', BRANDS_ADDRESS);
  // Before the address is kept: one that is refused leaves nothing behind.
  const known = await knownFactoryAt(database, contactEmail);
  const { state: before } = await load(eventStore, proposalDecider, proposalStream(requestId));
  const isThere = known !== null && sameProposal(before, { materialType, factoryId: known }) !== undefined;
  if (before.length >= MAX_PROPOSALS && !isThere) throw proposalLimit();
  const factoryId = known ?? (await factoryAt(database, contactEmail));
  const { state, events } = await execute(eventStore, context, {
    stream: proposalStream(requestId),
    decider: proposalDecider,
    command: {
      type: 'ProposeSubSupplier',
      proposal: {
        ...{ organizationId, requestId, batchId, productId, productName: product.fields.name },
        ...{ proposedBy: request.supplierId, materialType, name, factoryId, country },
        ...{ tier: Math.min(request.tier + 1, MAX_TIER), proposedAt: context.now },
      },
    },
  });
  const proposal = sameProposal(state, { materialType, factoryId });
  if (proposal === undefined) throw new Error(`the proposal of ${requestId} is not where it was just put`);
  return { item: itemOf(proposal, contactEmail), isNew: events.length > 0 };
}

/** What the request's factory has proposed so far, in its order; `isFull` when it can name no more. */
export async function proposalsOf(
  { eventStore, database }: { readonly eventStore: EventStore; readonly database: Queryable },
  requestId: string,
): Promise<{ readonly items: readonly ProposalItem[]; readonly isFull: boolean }> {
  const { state } = await load(eventStore, proposalDecider, proposalStream(requestId));
  const addresses = await contactEmailsOf(
    database,
    state.map(({ factoryId }) => factoryId),
  );
  return {
    items: state.map((proposal) => itemOf(proposal, addresses.get(proposal.factoryId) ?? null)),
    isFull: state.length >= MAX_PROPOSALS,
  };
}

/** A proposal that was made to the organization. */
export async function findProposal(
  { eventStore }: Pick<ProposalDependencies, 'eventStore'>,
  ref: { readonly proposalId: string; readonly organizationId: string },
): Promise<Proposal> {
  const { state } = await load(eventStore, proposalDecider, streamOf(ref.proposalId));
  return proposalIn(state, ref);
}

/** The stream that a proposal stands in. */
export function streamOf(proposalId: string): string {
  const requestId = requestOfProposal(proposalId);
  if (requestId === null) throw notFound('proposal', proposalId);
  return proposalStream(requestId);
}

/** The proposal as the brand sees it. */
export async function brandItemOf(
  { database }: Pick<ProposalDependencies, 'database'>,
  proposal: Proposal,
): Promise<BrandProposal> {
  const { organizationId, proposedBy, factoryId, tier, requestId, batchId, productId, productName } = proposal;
  const [contactEmail, suppliers] = await Promise.all([
    contactEmailOf(database, factoryId),
    suppliersByIds(database, organizationId, [proposedBy]),
  ]);
  return {
    ...itemOf(proposal, contactEmail),
    proposedBy: { supplierId: proposedBy, factoryName: suppliers.get(proposedBy)?.factoryName ?? '' },
    ...{ tier, requestId, batchId, productId, productName },
    ...{ supplierId: proposal.supplierId, decidedAt: proposal.decidedAt },
  };
}

const itemOf = (
  { proposalId: id, state, materialType, name, country, proposedAt: createdAt }: Proposal,
  contactEmail: string | null,
): ProposalItem => ({ id, state, materialType, name, contactEmail, country, createdAt });
