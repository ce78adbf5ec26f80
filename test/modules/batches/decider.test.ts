import { describe, expect, it } from 'vitest';
import { batchDecider } from '../../../src/modules/batches/decider.js';
import type { BatchEvent } from '../../../src/modules/batches/events.js';
import { outstandingMails, type Batch } from '../../../src/modules/batches/state.js';
import { given as givenEvents } from '../../support/given.js';
import {
  batchId,
  bounced,
  changesRequested,
  created,
  emailed,
  inReview,
  passport,
  preliminary,
  published,
  requestSent,
  score,
  scored,
  spinner,
  submitted,
  tier1,
  withdrawn,
} from './stories.js';

const given = (...events: readonly BatchEvent[]) => givenEvents(batchDecider, events);
const stateAfter = (...events: readonly BatchEvent[]) => given(...events).state() as Batch;
const requestOf = (batch: Batch, id: string) => batch.requests.find((request) => request.id === id);

const batch = created.type === 'BatchCreated' ? created.data : never();
const create = { type: 'CreateBatch', batch } as const;
const send = (callId: string, suppliers = [tier1, spinner], notes: string | null = null) =>
  ({ type: 'SendRequest', callId, askedAt: 1_000, notes, suppliers }) as const;
const submit = (callId: string, requestId: string) =>
  ({
    type: 'SubmitData',
    ...{ callId, requestId, data: { yarnNm: 40 }, submittedAt: 2_000, score: score(3) },
  }) as const;
const changes = { type: 'RequestChanges', callId: 'call-3', askedAt: 3_000, notes: 'count again' } as const;
const publish = { type: 'PublishBatch', passport } as const;

describe('creating a batch', () => {
  it('reports the batch', () => given().when(create).then(created));
  it('changes nothing when the same call comes again', () => given(created).when(create).thenNothing());
  it('makes and scores a preliminary batch in one', () =>
    given()
      .when({ type: 'CreatePreliminaryBatch', batch, score: score(3) })
      .then(created, scored(3)));
  it('changes nothing when the preliminary batch is there', () =>
    given(preliminary)
      .when({ type: 'CreatePreliminaryBatch', batch, score: score(3) })
      .thenNothing());
});

describe('sending the request', () => {
  it('asks the factory and the sub-suppliers of a draft', () =>
    given(created)
      .when(send('call-1'))
      .then(requestSent('call-1', [tier1, spinner])));
  it('reminds those who have not answered, and asks suppliers named since', () =>
    given(created, requestSent('call-1', [tier1]))
      .when(send('call-2'))
      .then(requestSent('call-2', [spinner], [{ requestId: 'req_1', supplierId: 'sup_1' }])));
  it('leaves those alone who have answered', () =>
    given(created, requestSent('call-1', [tier1, spinner]), submitted('call-2', spinner))
      .when(send('call-3'))
      .then(requestSent('call-3', [], [{ requestId: 'req_1', supplierId: 'sup_1' }])));
  it('changes nothing when the same call comes again', () =>
    given(created, requestSent('call-1', [tier1, spinner]))
      .when(send('call-1'))
      .thenNothing());
  it('refuses a batch in review, naming its state and what it allows', () => {
    const refusal = given(...inReview)
      .when(send('call-9'))
      .thenRefuses('batch_not_draft', /"submitted"/);
    expect(refusal.extra).toEqual({ state: 'submitted', allowed: ['publish', 'request-changes'] });
  });
  it('refuses a published batch', () =>
    given(...inReview, published)
      .when(send('call-9'))
      .thenRefuses('batch_not_draft', /"published"/));
  it('refuses a preliminary batch, which has no factory', () =>
    given(preliminary).when(send('call-1')).thenRefuses('batch_not_draft'));
});

describe('a factory answers', () => {
  const asked = [created, requestSent('call-1', [tier1, spinner])];
  it('takes the data and the score in one', () =>
    given(...asked)
      .when(submit('call-2', 'req_1'))
      .then(submitted('call-2', tier1), scored(3)));
  it("takes a sub-supplier's answer without moving the batch", () => {
    given(...asked)
      .when(submit('call-2', 'req_2'))
      .then(submitted('call-2', spinner), scored(3));
    expect(stateAfter(...asked, submitted('call-2', spinner)).status).toBe('sent');
  });
  it("takes a sub-supplier's second answer in the place of the first", () =>
    expect(
      requestOf(
        stateAfter(...asked, submitted('call-2', spinner), submitted('call-3', spinner, { yarnNm: 60 })),
        'req_2',
      )?.data,
    ).toEqual({ yarnNm: 60 }));
  it("takes a sub-supplier's answer during the review", () =>
    given(...inReview)
      .when(submit('call-9', 'req_2'))
      .then(submitted('call-9', spinner), scored(3)));
  it('changes nothing when the same call comes again', () =>
    given(...inReview)
      .when(submit('call-2', 'req_1'))
      .thenNothing());
  it('refuses a second answer of the factory', () =>
    given(...inReview)
      .when(submit('call-9', 'req_1'))
      .thenRefuses('request_already_submitted', /"submitted"/));
  it('refuses every answer after publication', () => {
    given(...inReview, published)
      .when(submit('call-9', 'req_1'))
      .thenRefuses('batch_published');
    given(...inReview, published)
      .when(submit('call-9', 'req_2'))
      .thenRefuses('batch_published');
  });
  it('refuses an answer to a withdrawn request', () =>
    given(...asked, withdrawn)
      .when(submit('call-9', 'req_1'))
      .thenRefuses('link_withdrawn'));
  it('refuses a request of another batch', () =>
    given(...asked)
      .when(submit('call-9', 'req_9'))
      .thenRefuses('not_found'));
});

describe('looking at a request', () => {
  const open = { type: 'OpenRequest', requestId: 'req_1', openedAt: 1_700 } as const;
  const opened: BatchEvent = { type: 'RequestOpened', data: { batchId, requestId: 'req_1', openedAt: 1_700 } };
  const asked = [created, requestSent('call-1', [tier1, spinner])];
  it('is reported the first time', () =>
    given(...asked)
      .when(open)
      .then(opened));
  it('changes nothing the second time', () =>
    given(...asked, opened)
      .when(open)
      .thenNothing());
  it('is not reported of a withdrawn batch', () =>
    given(...asked, withdrawn)
      .when(open)
      .thenNothing());
});

describe('asking for changes', () => {
  it('gives the batch back to the factory, its answer kept', () => {
    given(...inReview)
      .when(changes)
      .then(changesRequested('call-3', 'count again'));
    const after = stateAfter(...inReview, changesRequested('call-3', 'count again'));
    expect(after.status).toBe('sent');
    expect(requestOf(after, 'req_1')).toMatchObject({
      ...{ state: 'changes_requested', feedback: 'count again', data: { yarnNm: 40 }, answered: false },
    });
  });
  it('changes nothing when the same call comes again', () =>
    given(...inReview, changesRequested('call-3', 'count again'))
      .when(changes)
      .thenNothing());
  it.each([
    ['draft', [created]],
    ['sent', [created, requestSent('call-1', [tier1])]],
    ['published', [...inReview, published]],
  ])('refuses a batch that is %s', (state, events) => {
    const refusal = given(...events)
      .when(changes)
      .thenRefuses('batch_not_submitted');
    expect(refusal.extra.state).toBe(state);
  });
});

describe('publishing', () => {
  it('reports the passport', () =>
    given(...inReview)
      .when(publish)
      .then(published));
  it('reports the passport of a preliminary batch', () => given(preliminary, scored(3)).when(publish).then(published));
  it('changes nothing when it is published', () =>
    given(...inReview, published)
      .when({ ...publish, passport: { ...passport, dppId: 'dpp_2' } })
      .thenNothing());
  it.each([
    ['draft', [created], ['send-request']],
    ['sent', [created, requestSent('call-1', [tier1])], ['send-request', 'submit']],
  ])('refuses a batch that is %s, naming what it allows', (state, events, allowed) => {
    const refusal = given(...events)
      .when(publish)
      .thenRefuses('batch_not_submitted', new RegExp(`"${state}"`));
    expect(refusal.extra).toEqual({ state, allowed });
  });
});

describe('scoring again', () => {
  it('reports a score that differs', () =>
    given(...inReview, published)
      .when({ type: 'ScoreBatch', score: score(4) })
      .then(scored(4)));
  it('changes nothing when the score is the same', () =>
    given(...inReview)
      .when({ type: 'ScoreBatch', score: score(3) })
      .thenNothing());
  it('refuses a batch that is not there', () =>
    given()
      .when({ type: 'ScoreBatch', score: score(3) })
      .thenRefuses('not_found'));
});

describe('withdrawing', () => {
  it('reports it of an open batch', () => given(created).when({ type: 'WithdrawBatch' }).then(withdrawn));
  it('changes nothing the second time', () => given(created, withdrawn).when({ type: 'WithdrawBatch' }).thenNothing());
  it('refuses a published batch', () =>
    given(...inReview, published)
      .when({ type: 'WithdrawBatch' })
      .thenRefuses('batch_published'));
});

describe('mails', () => {
  const asked = [created, requestSent('call-1', [tier1, spinner])];
  const sent = { requestId: 'req_1', mail: 'request', round: 0, outcome: 'sent', sentAt: 1_500 } as const;
  const failed = {
    requestId: 'req_1',
    mail: 'request',
    round: 0,
    outcome: 'failed',
    reason: 'the mail server answered 550',
  } as const;
  it('are reported as sent or failed', () => {
    given(...asked)
      .when({ type: 'RecordMails', outcomes: [sent] })
      .then(emailed('request', 0));
    given(...asked)
      .when({ type: 'RecordMails', outcomes: [failed] })
      .then(bounced('request', 0));
  });
  it('are reported once', () =>
    given(...asked, emailed('request', 0))
      .when({ type: 'RecordMails', outcomes: [sent] })
      .thenNothing());
  it('refuses to report mails of no batch', () =>
    given()
      .when({ type: 'RecordMails', outcomes: [sent] })
      .thenRefuses('not_found'));
  it('are outstanding until they are done, well or badly', () => {
    expect(outstandingMails(stateAfter(...asked))).toEqual([
      { requestId: 'req_1', mail: 'request', round: 0 },
      { requestId: 'req_2', mail: 'request', round: 0 },
    ]);
    expect(outstandingMails(stateAfter(...asked, bounced('request', 0)))).toHaveLength(1);
    expect(outstandingMails(stateAfter(...inReview, changesRequested('call-3', 'again')))).toContainEqual({
      ...{ requestId: 'req_1', mail: 'changes_requested', round: 1 },
    });
  });
  it('show in the state of their request', () => {
    expect(requestOf(stateAfter(...asked, emailed('request', 0)), 'req_1')).toMatchObject({
      ...{ state: 'emailed', sentAt: 1_500 },
    });
    expect(requestOf(stateAfter(...asked, bounced('request', 0)), 'req_1')?.state).toBe('failed');
    expect(requestOf(stateAfter(...inReview, bounced('reminder_1', 0)), 'req_1')?.state).toBe('submitted');
  });
});

function never(): never {
  throw new Error('the story begins with BatchCreated');
}
