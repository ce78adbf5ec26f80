import { describe, expect, test } from 'vitest';
import { MAX_PROPOSALS, proposalDecider, type ProposalCommand } from '../../../src/modules/proposals/decider.js';
import {
  proposalIdOf,
  requestOfProposal,
  type ProposalEvent,
  type ProposedSupplier,
} from '../../../src/modules/proposals/events.js';
import { given } from '../../support/given.js';

const requestId = 'req_019abf5e-0000-7000-8000-000000000001';
const organizationId = 'org_1';

const supplier = (changes: Partial<ProposedSupplier> = {}): Omit<ProposedSupplier, 'proposalId'> => ({
  ...{ organizationId, requestId, batchId: 'bat_1', productId: 'prd_1', productName: 'Tee', proposedBy: 'sup_1' },
  ...{ materialType: 'cotton_organic', name: 'Fiação', factoryId: 'fac_2', country: 'PT', tier: 2, proposedAt: 5 },
  ...changes,
});
const proposed = (place = 1, changes: Partial<ProposedSupplier> = {}): ProposalEvent => ({
  type: 'SubSupplierProposed',
  data: { proposalId: proposalIdOf(requestId, place), ...supplier(changes) },
});
const propose = (changes: Partial<ProposedSupplier> = {}): ProposalCommand => ({
  type: 'ProposeSubSupplier',
  proposal: supplier(changes),
});
const decision = (callId = 'call_1') => ({
  ...{ proposalId: proposalIdOf(requestId, 1), organizationId, callId, decidedAt: 9 },
});
const accepted: ProposalEvent = { type: 'ProposalAccepted', data: { ...decision(), supplierId: 'sup_2' } };
const declined: ProposalEvent = { type: 'ProposalDeclined', data: decision() };
const accept = (callId?: string): ProposalCommand => ({
  type: 'AcceptProposal',
  decision: { ...decision(callId), supplierId: 'sup_2' },
});
const decline = (callId?: string): ProposalCommand => ({ type: 'DeclineProposal', decision: decision(callId) });

const proposals = (...events: ProposalEvent[]) => given(proposalDecider, events);

describe('ProposeSubSupplier', () => {
  test('names a supplier behind a material', () => proposals().when(propose()).then(proposed()));
  test('finds the one of the same material and address, however it is called', () => {
    proposals(proposed())
      .when(propose({ name: 'Other', country: null }))
      .thenNothing();
    proposals(proposed(), declined).when(propose()).thenNothing();
  });
  test('takes the same address for another material, and another address for the same', () => {
    const elastane = { materialType: 'elastane' };
    proposals(proposed()).when(propose(elastane)).then(proposed(2, elastane));
    const other = { factoryId: 'fac_3' };
    proposals(proposed()).when(propose(other)).then(proposed(2, other));
  });
  test('takes no more than its bound, declined ones included', () => {
    const all = Array.from({ length: MAX_PROPOSALS }, (_, index) => proposed(index + 1, { factoryId: `fac_${index}` }));
    proposals(...all, declined)
      .when(propose({ factoryId: 'fac_new' }))
      .thenRefuses('proposal_limit');
    proposals(...all.slice(0, -1), declined)
      .when(propose({ factoryId: 'fac_new' }))
      .then(proposed(MAX_PROPOSALS, { factoryId: 'fac_new' }));
  });
});

describe('a decision', () => {
  test('is taken once', () => {
    proposals(proposed()).when(accept()).then(accepted);
    proposals(proposed()).when(decline()).then(declined);
    for (const decided of [accepted, declined]) {
      for (const command of [accept('call_2'), decline('call_2')]) {
        proposals(proposed(), decided).when(command).thenRefuses('proposal_decided');
      }
    }
  });
  test('changes nothing when the same call comes again, and is no other decision', () => {
    proposals(proposed(), accepted).when(accept()).thenNothing();
    proposals(proposed(), declined).when(decline()).thenNothing();
    proposals(proposed(), accepted).when(decline()).thenRefuses('proposal_decided');
  });
  test('is carried out once', () => {
    const note: ProposalCommand = { type: 'NoteCarriedOut', proposalId: decision().proposalId, organizationId };
    const done: ProposalEvent = {
      type: 'ProposalCarriedOut',
      data: { proposalId: decision().proposalId, organizationId },
    };
    proposals(proposed(), accepted).when(note).then(done);
    proposals(proposed(), accepted, done).when(note).thenNothing();
  });
  test('is about one proposal', () => {
    const other = proposed(2, { factoryId: 'fac_3' });
    proposals(proposed(), other, accepted)
      .when({ type: 'DeclineProposal', decision: { ...decision(), proposalId: proposalIdOf(requestId, 2) } })
      .then({ type: 'ProposalDeclined', data: { ...decision(), proposalId: proposalIdOf(requestId, 2) } });
  });
  test('needs a proposal, and one of the same organization', () => {
    proposals().when(accept()).thenRefuses('not_found');
    proposals(proposed(1, { organizationId: 'org_2' }))
      .when(decline())
      .thenRefuses('not_found');
  });
});

test('the id of a proposal leads to its request, and no other id does', () => {
  expect(requestOfProposal(proposalIdOf(requestId, 20))).toBe(requestId);
  for (const id of ['', 'pro_x', `${proposalIdOf(requestId, 1)}0x`, requestId, proposalIdOf(requestId, 1).slice(4)]) {
    expect(requestOfProposal(id)).toBeNull();
  }
});
