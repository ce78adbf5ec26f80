import { organizationOf, type CommandContext } from '../../core/context.js';
import { invalid, Refusal } from '../../core/errors.js';
import { execute } from '../../infrastructure/command-handler.js';
import { addSupplierOfMaterial, mayAddSupplierOfMaterial } from '../products/index.js';
import {
  contactEmailOf,
  countInvitation,
  recordIdOf,
  type SupplierDependencies,
  supplierStatus,
  takeOnSupplier,
} from '../suppliers/index.js';
import { proposalDecider, proposalIn, type Proposal, type ProposalCommand } from './decider.js';
import { brandItemOf, findProposal, streamOf } from './handlers.js';
import type { BrandProposal } from './schemas.js';

/*
 * What a brand makes of a proposal. The decision comes first, so that one call wins; then the supplier is invited and becomes one
 * of the material's. The call does that at once, so that its client reads what it wrote; the workflow `proposalAcceptance` does
 * what is left of it, whatever became of the call. Each step finds what it did before, and all of it is done once.
 */

/** `acceptorEmail`: null for an API key. Accepted by the same call before, it goes on where that ended. */
export async function acceptProposal(
  deps: SupplierDependencies,
  context: CommandContext,
  { proposalId, acceptorEmail }: { readonly proposalId: string; readonly acceptorEmail: string | null },
): Promise<BrandProposal> {
  const organizationId = organizationOf(context);
  const { state } = await execute(deps.eventStore, context, {
    stream: streamOf(proposalId),
    decider: proposalDecider,
    command: async (proposals): Promise<ProposalCommand> => {
      const proposal = proposalIn(proposals, { proposalId, organizationId });
      const supplierId = await recordIdOf(deps, context, proposal.factoryId);
      if (proposal.state === 'proposed') {
        await refuseUnlessTakeable(deps, { proposal, supplierId, acceptorEmail });
        await countMailOf(deps, proposal, supplierId);
      }
      const decision = { proposalId, organizationId, callId: context.seed, decidedAt: context.now };
      return { type: 'AcceptProposal', decision: { ...decision, supplierId } };
    },
  });
  const proposal = proposalIn(state, { proposalId, organizationId });
  await carryOut(deps, context, proposal);
  return brandItemOf(deps, proposal);
}

export async function declineProposal(
  deps: SupplierDependencies,
  context: CommandContext,
  { proposalId }: { readonly proposalId: string },
): Promise<BrandProposal> {
  const organizationId = organizationOf(context);
  const decision = { proposalId, organizationId, callId: context.seed, decidedAt: context.now };
  const { state } = await execute(deps.eventStore, context, {
    stream: streamOf(proposalId),
    decider: proposalDecider,
    command: { type: 'DeclineProposal', decision },
  });
  return brandItemOf(deps, proposalIn(state, { proposalId, organizationId }));
}

/** Does what an accepted proposal leads to, or what is left of it. */
export async function carryOutProposal(
  deps: SupplierDependencies,
  context: CommandContext,
  { proposalId }: { readonly proposalId: string },
): Promise<void> {
  await carryOut(deps, context, await findProposal(deps, { proposalId, organizationId: organizationOf(context) }));
}

async function carryOut(deps: SupplierDependencies, context: CommandContext, proposal: Proposal): Promise<void> {
  const { proposalId, supplierId, organizationId, productId, materialType } = proposal;
  if (proposal.state !== 'accepted' || supplierId === null || proposal.isCarriedOut) return;
  const { factoryId, name: factoryName, country, tier } = proposal;
  await takeOnSupplier(deps, context, {
    ...{ supplierId, organizationId, factoryId, factoryName, country, tier },
    ...{ notes: null, callId: proposalId },
  });
  await addSupplierOfMaterial(deps, context, { organizationId, productId, materialType, supplierId });
  await execute(deps.eventStore, context, {
    stream: streamOf(proposalId),
    decider: proposalDecider,
    command: { type: 'NoteCarriedOut', proposalId, organizationId },
  });
}

/** Who has been asked before gets no mail for it. */
async function countMailOf(deps: SupplierDependencies, proposal: Proposal, supplierId: string): Promise<void> {
  const status = await supplierStatus(deps, supplierId);
  if (status !== 'none' && status !== 'recorded') return;
  const { organizationId, factoryId, proposalId } = proposal;
  await countInvitation(deps, { organizationId, factoryId, supplierId, callId: proposalId });
}

async function refuseUnlessTakeable(
  deps: SupplierDependencies,
  order: { readonly proposal: Proposal; readonly supplierId: string; readonly acceptorEmail: string | null },
): Promise<void> {
  const { proposal, supplierId, acceptorEmail } = order;
  const { organizationId, productId, materialType, factoryId } = proposal;
  const contactEmail = await contactEmailOf(deps.database, factoryId);
  if (contactEmail === null) throw gone('the address of the supplier has been erased');
  if (contactEmail === acceptorEmail) throw invalid('contactEmail', 'This is your own address.');
  const place = await mayAddSupplierOfMaterial(deps, { organizationId, productId, materialType, supplierId });
  if (place === 'gone') throw gone(`the product, or its material "${materialType}", is not there any more`);
  if (place === 'full') {
    throw new Refusal('material_suppliers_limit', `"${materialType}" has as many suppliers as a material can have.`);
  }
  if ((await supplierStatus(deps, supplierId)) === 'declined') {
    throw new Refusal(
      'supplier_declined',
      `The supplier "${supplierId}" has declined to work with you; invite it again.`,
    );
  }
}

const gone = (why: string): Refusal => new Refusal('proposal_void', `The proposal cannot be accepted: ${why}.`);
