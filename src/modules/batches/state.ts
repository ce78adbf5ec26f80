import { appended } from '../../core/growing.js';
import type { ProductionData } from '../../core/production-data.js';
import type { BatchStatus, RequestMail, RequestRole, RequestState } from '../../core/vocabulary.js';
import type { BatchCreated, BatchEvent, DppRequest, Pefcr, PublishedPassport, RequestMailKey } from './events.js';

export type BatchState = { readonly status: 'none' } | Batch;

export interface Batch extends BatchCreated {
  readonly status: BatchStatus | 'withdrawn';
  /** In the order in which they were asked. */
  readonly requests: readonly BatchRequest[];
  /** Send-request calls so far. */
  readonly sends: number;
  /** Rounds of changes asked for so far. */
  readonly rounds: number;
  /** When this round began: the first request, or the last changes asked for. Reminders count from here. */
  readonly roundBeganAt: number | null;
  /** Calls already carried out: one that arrives again changes nothing. */
  readonly calls: readonly string[];
  readonly score: { readonly pefcr: Pefcr; readonly methodVersion: string; readonly factorSetHash: string } | null;
  readonly passport: PublishedPassport | null;
}

export interface BatchRequest {
  readonly id: string;
  readonly supplierId: string;
  readonly role: RequestRole;
  readonly factoryName: string;
  readonly tier: number;
  readonly state: RequestState;
  /** Of the call that last asked or reminded it. */
  readonly notes: string | null;
  /** What the brand last wanted changed. */
  readonly feedback: string | null;
  /** When its first mail was taken by the mail server. */
  readonly sentAt: number | null;
  readonly openedAt: number | null;
  readonly submittedAt: number | null;
  /** False again once changes are asked for. */
  readonly answered: boolean;
  /** The last answer; it stays until the next one. */
  readonly data: ProductionData | null;
  /** Mails that are done, well or badly. */
  readonly mails: readonly (MailName & { readonly outcome: 'sent' | 'failed' })[];
  /** Mails that somebody's call asked for; reminders by time are not among them. */
  readonly mailsAskedFor: readonly MailName[];
}

type MailName = { readonly mail: RequestMail; readonly round: number };

/** Folds one event into the state; types that it does not know leave it as it is. */
export function evolveBatch(state: BatchState, event: BatchEvent): BatchState {
  if (event.type === 'BatchCreated') {
    const nothingYet = {
      requests: [],
      sends: 0,
      rounds: 0,
      roundBeganAt: null,
      calls: [],
      score: null,
      passport: null,
    };
    return { ...event.data, status: 'draft', ...nothingYet };
  }
  return state.status === 'none' ? state : evolveExisting(state, event);
}

function evolveExisting(batch: Batch, event: Exclude<BatchEvent, { type: 'BatchCreated' }>): Batch {
  switch (event.type) {
    case 'DppRequestSent': {
      const { callId, askedAt, notes, requests, reminded } = event.data;
      const sends = batch.sends + 1;
      const remindedIds = new Set(reminded.map(({ requestId }) => requestId));
      const known = batch.requests.map((request) =>
        remindedIds.has(request.id)
          ? {
              ...request,
              notes,
              mailsAskedFor: appended(request.mailsAskedFor, { mail: 'brand_reminder', round: sends }),
            }
          : request,
      );
      return {
        ...batch,
        status: 'sent',
        requests: [...known, ...requests.map((request) => newRequest(request, notes))],
        sends,
        roundBeganAt: batch.roundBeganAt ?? askedAt,
        calls: appended(batch.calls, callId),
      };
    }
    case 'RequestEmailed': {
      const { requestId, mail, round, sentAt } = event.data;
      return withRequest(batch, requestId, (request) => ({
        ...request,
        state: request.state === 'pending' || request.state === 'failed' ? 'emailed' : request.state,
        sentAt: request.sentAt ?? sentAt,
        mails: appended(request.mails, { mail, round, outcome: 'sent' }),
      }));
    }
    case 'RequestEmailFailed': {
      const { requestId, mail, round } = event.data;
      return withRequest(batch, requestId, (request) => ({
        ...request,
        // A factory that has looked or answered was reached all the same.
        state: request.state === 'opened' || request.state === 'submitted' ? request.state : 'failed',
        mails: appended(request.mails, { mail, round, outcome: 'failed' }),
      }));
    }
    case 'RequestOpened':
      return withRequest(batch, event.data.requestId, (request) => ({
        ...request,
        state: request.answered || request.state === 'changes_requested' ? request.state : 'opened',
        openedAt: request.openedAt ?? event.data.openedAt,
      }));
    case 'ProductionDataSubmitted': {
      const { requestId, role, data, submittedAt, callId } = event.data;
      const answered = withRequest(batch, requestId, (request) => ({
        ...request,
        state: 'submitted',
        submittedAt,
        answered: true,
        data,
      }));
      return {
        ...answered,
        status: role === 'factory' ? 'submitted' : batch.status,
        calls: appended(batch.calls, callId),
      };
    }
    case 'BatchScored': {
      const { pefcr, methodVersion, factorSetHash } = event.data;
      return { ...batch, score: { pefcr, methodVersion, factorSetHash } };
    }
    case 'ChangesRequested': {
      const { requestId, notes, askedAt, callId } = event.data;
      const rounds = batch.rounds + 1;
      const asked = withRequest(batch, requestId, (request) => ({
        ...request,
        state: 'changes_requested',
        feedback: notes,
        answered: false,
        mailsAskedFor: appended(request.mailsAskedFor, { mail: 'changes_requested', round: rounds }),
      }));
      return { ...asked, status: 'sent', rounds, roundBeganAt: askedAt, calls: appended(batch.calls, callId) };
    }
    case 'BatchPublished': {
      const { dppId, gtin, serial, qrUrl, publishedAt } = event.data;
      return { ...batch, status: 'published', passport: { dppId, gtin, serial, qrUrl, publishedAt } };
    }
    case 'BatchWithdrawn':
      return { ...batch, status: 'withdrawn' };
    default:
      return batch;
  }
}

const newRequest = (asked: DppRequest, notes: string | null): BatchRequest => ({
  id: asked.requestId,
  supplierId: asked.supplierId,
  role: asked.role,
  factoryName: asked.factoryName,
  tier: asked.tier,
  state: 'pending',
  notes,
  feedback: null,
  sentAt: null,
  openedAt: null,
  submittedAt: null,
  answered: false,
  data: null,
  mails: [],
  mailsAskedFor: [{ mail: 'request', round: 0 }],
});

const withRequest = (batch: Batch, requestId: string, change: (request: BatchRequest) => BatchRequest): Batch => ({
  ...batch,
  requests: batch.requests.map((request) => (request.id === requestId ? change(request) : request)),
});

/** Mails that were asked for and are neither sent nor given up. */
export const outstandingMails = (batch: Batch): RequestMailKey[] =>
  batch.requests.flatMap(({ id, mails, mailsAskedFor }) => {
    const done = new Set(mails.map(keyOf));
    return mailsAskedFor.filter((wanted) => !done.has(keyOf(wanted))).map((wanted) => ({ requestId: id, ...wanted }));
  });

const keyOf = ({ mail, round }: MailName): string => `${mail} ${round}`;
