import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResolveName } from '../../../src/infrastructure/webhook-sender/resolve-name.js';
import { createWebhookSender, type Outcome } from '../../../src/infrastructure/webhook-sender/sender.js';
import {
  MISDEED_NAMES,
  startHostileReceiver,
  WHOLE_ANSWER,
  type HostileReceiver,
  type Misdeed,
} from '../../support/hostile-receiver.js';

/** Before the request is read, or after this many bytes of the answer. */
type Position = number | 'at_once';

const POSITIONS: readonly Position[] = ['at_once', ...Array(WHOLE_ANSWER.length + 1).keys()];
const LIMIT_MS = 10_000;
/** For a process that looks at many sockets at once. */
const GRACE_MS = 2_000;
/** An attempt that has not ended by then never will. */
const GIVEN_UP_AFTER_MS = 40_000;
const NEVER = 'never ended' as const;

let receiver: HostileReceiver;
const outcomes = new Map<Misdeed, { readonly position: Position; readonly outcome: Outcome | typeof NEVER }[]>();
/** How long a timer of 10 s took that was set beside the attempts: on a busy machine no timer is punctual. */
const limitsAsCounted = new Map<Misdeed, number>();
let silentName: Outcome | typeof NEVER;

beforeAll(async () => {
  receiver = await startHostileReceiver();
  const asking = [];
  for (const misdeed of MISDEED_NAMES) {
    const asked = POSITIONS.map(async (position) => ({ position, outcome: await attempt(misdeed, position) }));
    const all = Promise.all(asked).then((ended) => void outcomes.set(misdeed, ended));
    const begun = performance.now();
    const limit = sleep(LIMIT_MS).then(() => void limitsAsCounted.set(misdeed, performance.now() - begun));
    asking.push(all, limit);
    // Side by side, as many of them take the whole 10 s; but what ends at once does not wait behind 3,000 others for its turn.
    await Promise.race([all, sleep(1_000)]);
  }
  asking.push(
    send('https://silent.test/', () => new Promise(() => undefined)).then((outcome) => void (silentName = outcome)),
  );
  await Promise.all(asking);
});
afterAll(() => receiver.close());

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** An attempt that does not end is a finding like any other, and not the end of the test. */
const send = (url: string, resolve: ResolveName = async () => ['127.0.0.1']): Promise<Outcome | typeof NEVER> => {
  const sender = createWebhookSender({ rules: { allowLocal: true }, resolve, clock: Date.now });
  const order = { url, deliveryId: 'dlv_1', event: 'batch.created', body: '{}', secrets: { secret, next: null } };
  return Promise.race([sender.send(order), sleep<typeof NEVER>(GIVEN_UP_AFTER_MS, NEVER, { ref: false })]);
};
const attempt = (misdeed: Misdeed, position: Position) => send(receiver.url(misdeed, position));

/** After these nothing of the answer follows, so it counts only if it was whole. */
const CUTS: readonly Misdeed[] = ['falls_silent', 'closes', 'half_closes', 'hangs_up', 'resets'];

it.each(MISDEED_NAMES)(
  'a receiver that %s at any byte of its answer has had its attempt within the 10 s',
  (misdeed) => {
    const all = outcomes.get(misdeed) ?? [];
    expect(all).toHaveLength(POSITIONS.length);
    const atMostMs = Math.max(LIMIT_MS, limitsAsCounted.get(misdeed) ?? 0) + GRACE_MS;
    const late = all.filter(({ outcome }) => outcome === NEVER || outcome.durationMs > atMostMs);
    expect(late).toEqual([]);
    for (const { position, outcome } of all) {
      if (outcome === NEVER) continue;
      const place = `at ${position}`;
      if (outcome.error !== null) expect(outcome.error, place).toMatch(/^[a-z][^\n]{5,100}$/);
      else expect(outcome.status, place).toBe(200);
      if (CUTS.includes(misdeed)) expect(outcome.error === null, place).toBe(position === WHOLE_ANSWER.length);
    }
  },
);

it('a receiver that misbehaves keeps no connection', async () => {
  for (let tries = 0; receiver.open() > 0 && tries < 50; tries += 1) await sleep(20);
  expect(receiver.open()).toBe(0);
});

it.each(['at_once', 0, WHOLE_ANSWER.indexOf('HTTP/1.1 200')] as const)(
  'one that wants another protocol is told so in the ledger: 101 at %s',
  (wanted) => {
    expect(outcomes.get('upgrades')?.find(({ position }) => position === wanted)?.outcome).toMatchObject({
      status: 101,
      error: 'the receiver answered 101: it wants to speak something else than HTTP',
      answer: '',
    });
  },
);

it.each([
  ['says_continue_for_ever', 0, 'an announcement of the answer'],
  ['sends_zeros_for_ever', WHOLE_ANSWER.indexOf('5\r\n'), 'the length of a piece of the body'],
] as const)('one that %s is not listened to for long: at %s, %s', async (misdeed, position, _place) => {
  const outcome = await attempt(misdeed, position);
  expect(outcome).toMatchObject({ error: 'the answer is too long' });
  expect(outcome).toHaveProperty(
    'durationMs',
    expect.toSatisfy((ms: number) => ms < 3_000),
  );
});

it('a name server that never answers costs the 10 s as well, and not more', () => {
  expect(silentName).toMatchObject({ status: null, error: 'no connection within 10 s', answer: null });
});
