import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { notFound, Refusal } from '../../core/errors.js';
import { appended } from '../../core/growing.js';
import type { ProposalState } from '../../core/vocabulary.js';
import { proposalIdOf, type ProposalDecision, type ProposalEvent, type ProposedSupplier } from './events.js';

export type ProposalCommand =
  | { readonly type: 'ProposeSubSupplier'; readonly proposal: Omit<ProposedSupplier, 'proposalId'> }
  | { readonly type: 'AcceptProposal'; readonly decision: ProposalDecision & { readonly supplierId: string } }
  | { readonly type: 'DeclineProposal'; readonly decision: ProposalDecision }
  | { readonly type: 'NoteCarriedOut'; readonly proposalId: string; readonly organizationId: string };

/** What one request's factory has proposed, in its order. */
export type ProposalsState = readonly Proposal[];

export interface Proposal extends ProposedSupplier {
  readonly state: ProposalState;
  /** The record that the acceptance made or found. */
  readonly supplierId: string | null;
  /** The call that decided. */
  readonly callId: string | null;
  readonly decidedAt: number | null;
  /** What an acceptance leads to is done. */
  readonly isCarriedOut: boolean;
}

export const MAX_PROPOSALS = 20;

export const proposalDecider: Decider<ProposalsState, ProposalCommand, ProposalEvent> = {
  initialState: [],
  decide,
  evolve,
};

function decide(command: ProposalCommand, state: ProposalsState): readonly ProposalEvent[] {
  switch (command.type) {
    case 'ProposeSubSupplier': {
      const { proposal } = command;
      if (sameProposal(state, proposal) !== undefined) return [];
      if (state.length >= MAX_PROPOSALS) {
        throw proposalLimit();
      }
      const proposalId = proposalIdOf(proposal.requestId, state.length + 1);
      return [{ type: 'SubSupplierProposed', data: { proposalId, ...proposal } }];
    }
    case 'AcceptProposal':
      return isOpen(command.decision, 'accepted', state) ? [{ type: 'ProposalAccepted', data: command.decision }] : [];
    case 'DeclineProposal':
      return isOpen(command.decision, 'declined', state) ? [{ type: 'ProposalDeclined', data: command.decision }] : [];
    case 'NoteCarriedOut': {
      const { proposalId, organizationId } = command;
      if (proposalIn(state, command).isCarriedOut) return [];
      return [{ type: 'ProposalCarriedOut', data: { proposalId, organizationId } }];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: ProposalsState, event: ProposalEvent): ProposalsState {
  switch (event.type) {
    case 'SubSupplierProposed':
      return appended(state, { ...event.data, ...UNDECIDED });
    case 'ProposalAccepted': {
      const { supplierId } = event.data;
      return decided(state, event.data, { state: 'accepted', supplierId });
    }
    case 'ProposalDeclined':
      return decided(state, event.data, { state: 'declined' });
    case 'ProposalCarriedOut':
      return state.map((proposal) =>
        proposal.proposalId === event.data.proposalId ? { ...proposal, isCarriedOut: true } : proposal,
      );
    default:
      return state;
  }
}

const UNDECIDED = { state: 'proposed', supplierId: null, callId: null, decidedAt: null, isCarriedOut: false } as const;

const decided = (
  state: ProposalsState,
  { proposalId, callId, decidedAt }: ProposalDecision,
  outcome: Partial<Proposal>,
): ProposalsState =>
  state.map((proposal) =>
    proposal.proposalId === proposalId ? { ...proposal, callId, decidedAt, ...outcome } : proposal,
  );

/** False when this very call has decided it so already. */
function isOpen(
  { proposalId, organizationId, callId }: ProposalDecision,
  outcome: Proposal['state'],
  state: ProposalsState,
): boolean {
  const proposal = proposalIn(state, { proposalId, organizationId });
  if (proposal.state === 'proposed') return true;
  if (proposal.state === outcome && proposal.callId === callId) return false;
  throw alreadyDecided(proposal);
}

export const proposalLimit = (): Refusal =>
  new Refusal('proposal_limit', `The request has ${MAX_PROPOSALS} proposals; it takes no more.`);

export const alreadyDecided = ({ state }: Proposal): Refusal =>
  new Refusal('proposal_decided', `The proposal has been ${state} already.`, { extra: { state, allowed: [] } });

/** The proposal, if it is there for this organization; another organization's is not. */
export function proposalIn(
  state: ProposalsState,
  { proposalId, organizationId }: { readonly proposalId: string; readonly organizationId: string },
): Proposal {
  const found = state.find((proposal) => proposal.proposalId === proposalId);
  if (found === undefined || found.organizationId !== organizationId) throw notFound('proposal', proposalId);
  return found;
}

/** Material and address make a proposal. */
export const sameProposal = (
  state: ProposalsState,
  { materialType, factoryId }: Pick<ProposedSupplier, 'materialType' | 'factoryId'>,
): Proposal | undefined =>
  state.find((proposal) => proposal.materialType === materialType && proposal.factoryId === factoryId);
