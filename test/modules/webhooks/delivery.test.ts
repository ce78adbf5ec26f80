import { describe, expect, test } from 'vitest';
import { deliveryDecider } from '../../../src/modules/webhooks/delivery.js';
import { deliveryIdOf, type DeliveryEvent } from '../../../src/modules/webhooks/events.js';
import { given } from '../../support/given.js';
import {
  attempt,
  attempted,
  cancelled,
  delivery,
  deliveryCreated,
  failed,
  redeliveryAsked,
  succeeded,
  success,
} from './stories.js';

const story = (...events: DeliveryEvent[]) => given(deliveryDecider, events);
const record = (more: Parameters<typeof attempt>[0] = {}, redeliveryId: string | null = null) =>
  ({ type: 'RecordAttempt', attempt: attempt(more), redeliveryId }) as const;
const ask = (redeliveryId: string) => ({ type: 'AskRedelivery', redeliveryId, askedAt: 9_000 }) as const;
const cancelUpTo = (until: number) => ({ type: 'CancelDelivery', reason: 'paused', until, at: 5_000 }) as const;
const cancel = cancelUpTo(Infinity);

test('one event has one delivery id for each webhook', () => {
  expect(deliveryIdOf('whk_1', 'a')).toBe(deliveryIdOf('whk_1', 'a'));
  expect(deliveryIdOf('whk_1', 'a')).not.toBe(deliveryIdOf('whk_2', 'a'));
  expect(deliveryIdOf('whk_1', 'a')).not.toBe(deliveryIdOf('whk_1', 'b'));
});

describe('CreateDelivery', () => {
  test('makes it once, with the bytes of the first call', () => {
    story().when({ type: 'CreateDelivery', delivery: delivery() }).then(deliveryCreated());
    story(deliveryCreated())
      .when({ type: 'CreateDelivery', delivery: delivery({ body: '{}' }) })
      .thenNothing();
  });
  test('is pending, and cancelled from the start when a pause holds it back', () => {
    expect(story(deliveryCreated()).state()).toMatchObject({ status: 'pending', nextAttemptAt: 1_000 });
    expect(story(deliveryCreated({ held: true })).state()).toMatchObject({ status: 'cancelled', nextAttemptAt: null });
  });
});

describe('RecordAttempt', () => {
  test('that failed leaves the delivery retrying while another one is due', () => {
    story(deliveryCreated()).when(record()).then(attempted());
    expect(story(deliveryCreated(), attempted()).state()).toMatchObject({
      status: 'retrying',
      nextAttemptAt: 62_030,
      attempts: [attempt()],
    });
  });
  test('that failed as the last one fails the delivery at its end', () => {
    story(deliveryCreated())
      .when(record({ nextAttemptAt: null }))
      .then(attempted({ nextAttemptAt: null }), failed());
    expect(story(deliveryCreated(), attempted({ nextAttemptAt: null }), failed()).state()).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
    });
  });
  test('that succeeded ends the delivery, whatever is said about a next one', () => {
    story(deliveryCreated())
      .when(record({ ...success, nextAttemptAt: 62_030 }))
      .then(attempted(success), succeeded());
    expect(story(deliveryCreated(), attempted(success), succeeded()).state()).toMatchObject({ status: 'delivered' });
  });
  test('told twice counts once', () => {
    story(deliveryCreated(), attempted()).when(record()).thenNothing();
  });
  test('that ended after the delivery was cancelled is kept and goes no further', () => {
    const ended = story(deliveryCreated(), cancelled());
    ended.when(record()).then(attempted({ nextAttemptAt: null }));
    const late = story(deliveryCreated(), cancelled(), attempted({ nextAttemptAt: null }));
    expect(late.state()).toMatchObject({ status: 'cancelled', nextAttemptAt: null, attempts: [{ attempt: 1 }] });
  });
  test('that succeeded after the delivery was cancelled has delivered it', () => {
    story(deliveryCreated(), cancelled()).when(record(success)).then(attempted(success), succeeded());
  });
  test('made twice under one number, by a worker that was taken for dead, counts once', () => {
    story(deliveryCreated(), attempted())
      .when(record({ at: 3_000 }))
      .thenNothing();
  });
  test('that succeeded under the number of one that failed has delivered it', () => {
    const taken = { ...success, at: 3_000 };
    story(deliveryCreated(), attempted())
      .when(record(taken))
      .then(attempted({ ...taken, attempt: 2 }), succeeded(3_030));
  });
  test('of the schedule decides nothing about a redelivery that was asked for meanwhile', () => {
    const askedAgain = [deliveryCreated(), cancelled(), redeliveryAsked('again')];
    const stale = attempted({ nextAttemptAt: null });
    story(...askedAgain)
      .when(record())
      .then(stale);
    expect(story(...askedAgain, stale).state()).toMatchObject({ status: 'pending', nextAttemptAt: 9_000 });
    const again = { kind: 'redelivery', at: 9_100, attempt: 1 } as const;
    story(...askedAgain, stale)
      .when(record({ ...again, ...success }, 'again'))
      .then(attempted({ ...again, ...success, attempt: 2 }), succeeded(9_130));
  });
  test('of a redelivery decides nothing about the next one', () => {
    const made = { kind: 'redelivery', at: 9_100, attempt: 1, nextAttemptAt: null } as const;
    const askedTwice = [
      ...[deliveryCreated(), cancelled(), redeliveryAsked('first'), cancelled(), redeliveryAsked('second')],
    ];
    story(...askedTwice)
      .when(record(made, 'first'))
      .then(attempted(made));
    const second = { ...made, at: 9_200 };
    story(...askedTwice, attempted(made))
      .when(record(second, 'second'))
      .then(attempted({ ...second, attempt: 2 }), failed(9_230));
  });
  test('replaces what no store keeps in an answer', () => {
    story(deliveryCreated())
      .when(record({ answer: 'a\0b\ud800', error: 'c\0' }))
      .then(attempted({ answer: 'a\u{FFFD}b\u{FFFD}', error: 'c\u{FFFD}' }));
  });
});

describe('AskRedelivery', () => {
  const done = [deliveryCreated(), attempted(success), succeeded()];

  test('makes a delivery that has ended pending again, once for each call', () => {
    for (const events of [
      done,
      [deliveryCreated(), attempted({ nextAttemptAt: null }), failed()],
      [deliveryCreated(), cancelled()],
      [deliveryCreated({ held: true })],
    ]) {
      story(...events)
        .when(ask('again'))
        .then(redeliveryAsked('again'));
    }
    expect(story(...done, redeliveryAsked('again')).state()).toMatchObject({ status: 'pending', nextAttemptAt: 9_000 });
    story(...done, redeliveryAsked('again'))
      .when(ask('again'))
      .thenNothing();
  });
  test('is refused while attempts are to come, naming the state', () => {
    const pending = story(deliveryCreated())
      .when(ask('again'))
      .thenRefuses('delivery_under_way', /"pending"/);
    expect(pending.extra).toMatchObject({ state: 'pending' });
    story(deliveryCreated(), attempted())
      .when(ask('again'))
      .thenRefuses('delivery_under_way', /"retrying"/);
    story(...done, redeliveryAsked('again'))
      .when(ask('once more'))
      .thenRefuses('delivery_under_way');
  });
  test('a redelivery that fails ends failed, also when an earlier attempt had succeeded', () => {
    story(...done, redeliveryAsked('again'))
      .when(record({ attempt: 2, kind: 'redelivery', at: 9_100, nextAttemptAt: null }, 'again'))
      .then(attempted({ attempt: 2, kind: 'redelivery', at: 9_100, nextAttemptAt: null }), failed(9_130));
  });
});

describe('CancelDelivery', () => {
  test('ends what waits and nothing else', () => {
    story(deliveryCreated()).when(cancel).then(cancelled());
    story(deliveryCreated(), attempted()).when(cancel).then(cancelled());
    story(deliveryCreated(), attempted(success), succeeded()).when(cancel).thenNothing();
    story(deliveryCreated(), cancelled()).when(cancel).thenNothing();
  });
  test('leaves what was asked for after the stop', () => {
    const tried = [deliveryCreated(), attempted(success), succeeded()];
    story(deliveryCreated()).when(cancelUpTo(1_000)).then(cancelled());
    story(deliveryCreated()).when(cancelUpTo(999)).thenNothing();
    // A retry belongs to the time of the delivery, a redelivery to that in which it was asked for.
    story(deliveryCreated(), attempted()).when(cancelUpTo(1_000)).then(cancelled());
    story(...tried, redeliveryAsked('again'))
      .when(cancelUpTo(8_999))
      .thenNothing();
    story(...tried, redeliveryAsked('again'))
      .when(cancelUpTo(9_000))
      .then(cancelled());
  });
});

test('nothing happens to a delivery that is not there', () => {
  for (const command of [record(), ask('again'), cancel]) story().when(command).thenRefuses('not_found');
});
