import { commandContext } from '../../src/core/context.js';
import { deterministicUuid } from '../../src/core/ids.js';
import { carryOutProposal } from '../../src/modules/proposals/index.js';
import type { SupplierDependencies } from '../../src/modules/suppliers/index.js';
import type { ProposalAcceptanceInput } from './contract.js';

export type ProposalAcceptanceActivities = ReturnType<typeof createProposalAcceptanceActivities>;

export const createProposalAcceptanceActivities = (deps: SupplierDependencies) => ({
  /** `now` is the workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
  async carryOutAcceptance(input: ProposalAcceptanceInput & { readonly now: number }): Promise<void> {
    const { proposalId, organizationId, eventId, correlationId, now } = input;
    const context = commandContext({
      organizationId,
      actor: { type: 'system', id: null },
      correlationId,
      causationId: eventId,
      now,
      seed: deterministicUuid(eventId, 'acceptance'),
    });
    await carryOutProposal(deps, context, { proposalId });
  },
});
