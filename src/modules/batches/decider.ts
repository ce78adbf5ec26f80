import { isDeepStrictEqual } from 'node:util';
import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { Refusal, type RefusalCode } from '../../core/errors.js';
import type {
  BatchCreated,
  BatchEvent,
  DppRequest,
  Pefcr,
  ProductionDataSubmitted,
  PublishedPassport,
  RequestMailKey,
} from './events.js';
import { evolveBatch, type Batch, type BatchState } from './state.js';

/** A score with what it was computed by, so that it can be computed again. */
export interface Score {
  readonly pefcr: Pefcr;
  readonly methodVersion: string;
  readonly factorSetHash: string;
}

export type MailOutcome = RequestMailKey &
  ({ readonly outcome: 'sent'; readonly sentAt: number } | { readonly outcome: 'failed'; readonly reason: string });

export type BatchCommand =
  | { readonly type: 'CreateBatch'; readonly batch: BatchCreated }
  /** A batch that carries a passport without a factory's data: it is made and scored in one. */
  | { readonly type: 'CreatePreliminaryBatch'; readonly batch: BatchCreated; readonly score: Score }
  /** `suppliers` are all that the batch concerns now; those not asked yet are asked, the others reminded. */
  | {
      readonly type: 'SendRequest';
      readonly callId: string;
      readonly askedAt: number;
      readonly notes: string | null;
      readonly suppliers: readonly DppRequest[];
    }
  | { readonly type: 'RecordMails'; readonly outcomes: readonly MailOutcome[] }
  | { readonly type: 'OpenRequest'; readonly requestId: string; readonly openedAt: number }
  | {
      readonly type: 'SubmitData';
      readonly callId: string;
      readonly requestId: string;
      readonly data: ProductionDataSubmitted['data'];
      readonly submittedAt: number;
      readonly score: Score;
    }
  | { readonly type: 'RequestChanges'; readonly callId: string; readonly askedAt: number; readonly notes: string }
  | { readonly type: 'ScoreBatch'; readonly score: Score }
  | { readonly type: 'PublishBatch'; readonly passport: PublishedPassport }
  | { readonly type: 'WithdrawBatch' };

export const batchDecider: Decider<BatchState, BatchCommand, BatchEvent> = {
  initialState: { status: 'none' },
  evolve: evolveBatch,
  decide,
};

/** What a brand or a factory can do to a batch. */
export type BatchCall = 'send-request' | 'submit' | 'request-changes' | 'publish';

/** What each state allows. `submit` is the Tier 1 factory's; sub-suppliers answer until the batch is published. */
const ALLOWED: Record<Exclude<Batch['status'], 'withdrawn'>, readonly BatchCall[]> = {
  draft: ['send-request'],
  sent: ['send-request', 'submit'],
  submitted: ['publish', 'request-changes'],
  published: ['publish'],
};

const NEEDS: Record<BatchCall, { readonly code: RefusalCode; readonly needed: string }> = {
  'send-request': { code: 'batch_not_draft', needed: 'a draft, or one whose request is out' },
  submit: { code: 'batch_not_sent', needed: 'one whose request is out' },
  'request-changes': { code: 'batch_not_submitted', needed: 'one whose data has been submitted' },
  publish: { code: 'batch_not_submitted', needed: 'one whose data has been submitted' },
};

/** Throws the 409 that names the state and what it allows. */
export function refuseUnlessAllowed(batch: Batch, call: BatchCall): void {
  if (batch.status === 'withdrawn') throw withdrawn(batch);
  const allowed = allowedCalls(batch, batch.status);
  if (allowed.includes(call)) return;
  const { code, needed } = NEEDS[call];
  throw refusal(batch, code, `"${call}" needs ${needed}`);
}

/** Throws unless the request's answer can still be given or changed. */
export function refuseUnlessAnswerable(batch: Batch, requestId: string): void {
  const request = batch.requests.find(({ id }) => id === requestId);
  if (request === undefined) throw new Refusal('not_found', `There is no request "${requestId}".`);
  if (batch.status === 'withdrawn') throw withdrawn(batch);
  if (batch.status === 'published') throw refusal(batch, 'batch_published', 'it takes no more data');
  if (request.role === 'factory' && batch.status === 'submitted') {
    throw refusal(batch, 'request_already_submitted', 'the factory has answered; the brand may ask for changes');
  }
}

function decide(command: BatchCommand, state: BatchState): readonly BatchEvent[] {
  switch (command.type) {
    case 'CreateBatch':
      return state.status === 'none' ? [{ type: 'BatchCreated', data: command.batch }] : [];
    case 'CreatePreliminaryBatch':
      return state.status === 'none'
        ? [{ type: 'BatchCreated', data: command.batch }, scored(command.batch.batchId, command.score)]
        : [];
    case 'SendRequest':
      return sendRequest(command, existing(state));
    case 'RecordMails':
      return recordMails(command, existing(state));
    case 'OpenRequest': {
      const batch = existing(state);
      const request = batch.requests.find(({ id }) => id === command.requestId);
      if (request === undefined || request.openedAt !== null || batch.status === 'withdrawn') return [];
      const { requestId, openedAt } = command;
      return [{ type: 'RequestOpened', data: { batchId: batch.batchId, requestId, openedAt } }];
    }
    case 'SubmitData':
      return submitData(command, existing(state));
    case 'RequestChanges': {
      const batch = existing(state);
      if (batch.calls.includes(command.callId)) return [];
      refuseUnlessAllowed(batch, 'request-changes');
      const { callId, askedAt, notes } = command;
      const { id: requestId, supplierId } = factoryRequest(batch);
      const data = { batchId: batch.batchId, requestId, supplierId, callId, askedAt, notes };
      return [{ type: 'ChangesRequested', data }];
    }
    case 'ScoreBatch': {
      const batch = existing(state);
      return batch.status === 'withdrawn' || sameScore(batch, command.score)
        ? []
        : [scored(batch.batchId, command.score)];
    }
    case 'PublishBatch': {
      const batch = existing(state);
      refuseUnlessAllowed(batch, 'publish');
      if (batch.status === 'published') return [];
      const { batchId, organizationId } = batch;
      return [{ type: 'BatchPublished', data: { batchId, organizationId, ...command.passport } }];
    }
    case 'WithdrawBatch': {
      const batch = existing(state);
      if (batch.status === 'withdrawn') return [];
      // A published passport outlives everything: its product cannot be deleted.
      if (batch.status === 'published') throw refusal(batch, 'batch_published', 'it cannot be withdrawn');
      const { batchId, organizationId, productId } = batch;
      return [{ type: 'BatchWithdrawn', data: { batchId, organizationId, productId } }];
    }
    default:
      return assertNever(command);
  }
}

function sendRequest(command: Extract<BatchCommand, { type: 'SendRequest' }>, batch: Batch): readonly BatchEvent[] {
  if (batch.calls.includes(command.callId)) return [];
  refuseUnlessAllowed(batch, 'send-request');
  const asked = new Set(batch.requests.map(({ supplierId }) => supplierId));
  const requests = command.suppliers.filter(({ supplierId }) => !asked.has(supplierId));
  const reminded = batch.requests
    .filter(({ answered }) => !answered)
    .map(({ id, supplierId }) => ({ requestId: id, supplierId }));
  const { batchId, organizationId } = batch;
  const { callId, askedAt, notes } = command;
  const data = { batchId, organizationId, callId, askedAt, notes, requests, reminded };
  return [{ type: 'DppRequestSent', data }];
}

function recordMails(command: Extract<BatchCommand, { type: 'RecordMails' }>, batch: Batch): readonly BatchEvent[] {
  const { batchId } = batch;
  return command.outcomes
    .filter(({ requestId, mail, round }) => {
      const request = batch.requests.find(({ id }) => id === requestId);
      return request !== undefined && !request.mails.some((done) => done.mail === mail && done.round === round);
    })
    .map((done) => {
      const { requestId, mail, round } = done;
      return done.outcome === 'sent'
        ? { type: 'RequestEmailed', data: { batchId, requestId, mail, round, sentAt: done.sentAt } }
        : { type: 'RequestEmailFailed', data: { batchId, requestId, mail, round, reason: done.reason } };
    });
}

function submitData(command: Extract<BatchCommand, { type: 'SubmitData' }>, batch: Batch): readonly BatchEvent[] {
  if (batch.calls.includes(command.callId)) return [];
  refuseUnlessAnswerable(batch, command.requestId);
  const { callId, requestId, data, submittedAt, score } = command;
  const { supplierId, role } = requestOf(batch, requestId);
  const { batchId } = batch;
  return [
    { type: 'ProductionDataSubmitted', data: { batchId, callId, requestId, supplierId, role, data, submittedAt } },
    scored(batchId, score),
  ];
}

const scored = (batchId: string, { pefcr, methodVersion, factorSetHash }: Score): BatchEvent => ({
  type: 'BatchScored',
  data: { batchId, pefcr, methodVersion, factorSetHash },
});

const sameScore = (batch: Batch, score: Score): boolean => isDeepStrictEqual(batch.score, score);

function existing(state: BatchState): Batch {
  if (state.status === 'none') throw new Refusal('not_found', 'There is no such batch.');
  return state;
}

function requestOf(batch: Batch, requestId: string): Batch['requests'][number] {
  const request = batch.requests.find(({ id }) => id === requestId);
  if (request === undefined) throw new Refusal('not_found', `There is no request "${requestId}".`);
  return request;
}

function factoryRequest(batch: Batch): Batch['requests'][number] {
  const request = batch.requests.find(({ role }) => role === 'factory');
  if (request === undefined) throw new Error(`batch ${batch.batchId} is submitted without a request to its factory`);
  return request;
}

function allowedCalls(batch: Batch, status: keyof typeof ALLOWED): readonly BatchCall[] {
  // A preliminary batch has no factory to ask.
  return batch.preliminary ? ['publish'] : ALLOWED[status];
}

const withdrawn = (batch: Batch): Refusal =>
  new Refusal('link_withdrawn', 'The product was deleted and the request withdrawn.', {
    extra: { state: batch.status, allowed: [] },
  });

function refusal(batch: Batch, code: RefusalCode, why: string): Refusal {
  const allowed = batch.status === 'withdrawn' ? [] : allowedCalls(batch, batch.status);
  const can = allowed.length === 0 ? 'nothing' : allowed.map((call) => `"${call}"`).join(', ');
  return new Refusal(code, `The batch is in state "${batch.status}": ${why}. Allowed now: ${can}.`, {
    extra: { state: batch.status, allowed },
  });
}
