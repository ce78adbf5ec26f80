export type { ProposalEvent } from './events.js';
export { carryOutProposal } from './acceptance.js';
export { proposalsOf, propose } from './handlers.js';
