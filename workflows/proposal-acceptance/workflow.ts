import { proxyActivities } from '@temporalio/workflow';
import type { ProposalAcceptanceActivities } from './activities.js';
import type { ProposalAcceptanceInput } from './contract.js';

const steps = proxyActivities<ProposalAcceptanceActivities>({
  // A few short reads and two appends.
  startToCloseTimeout: '1 minute',
  // Nobody else does it: it is tried until it works.
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

/** Does what the call that accepted did, or what is left of it where that was interrupted. */
export async function proposalAcceptance(input: ProposalAcceptanceInput): Promise<void> {
  await steps.carryOutAcceptance({ ...input, now: Date.now() });
}
