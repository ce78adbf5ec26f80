import { TASK_QUEUE } from '../task-queues.js';

/** What an accepted proposal leads to: its supplier is invited and becomes one of the material's. */
export const PROPOSAL_ACCEPTANCE = { type: 'proposalAcceptance', taskQueue: TASK_QUEUE } as const;

/** A proposal is accepted once. */
export const proposalAcceptanceId = ({ proposalId }: ProposalAcceptanceInput): string =>
  `proposal-acceptance/${proposalId}`;

export interface ProposalAcceptanceInput {
  readonly proposalId: string;
  readonly organizationId: string;
  /** The event that accepted. */
  readonly eventId: string;
  readonly correlationId: string;
}
