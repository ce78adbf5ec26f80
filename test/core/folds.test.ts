import { describe, expect, it } from 'vitest';
import { fold, inOneAppend, type Decider } from '../../src/core/decider.js';
import type { DomainEvent, Recorded } from '../../src/core/events.js';
import { appended, withKey, withoutKey } from '../../src/core/growing.js';
import { outstandingMails, type BatchState } from '../../src/modules/batches/state.js';
import { batchDecider } from '../../src/modules/batches/decider.js';
import { factoryDecider } from '../../src/modules/factory-portal/decider.js';
import { importDecider } from '../../src/modules/file-imports/decider.js';
import { organizationDecider } from '../../src/modules/organizations/decider.js';
import { passportDecider } from '../../src/modules/passports/decider.js';
import { productDecider } from '../../src/modules/products/decider.js';
import { proposalDecider } from '../../src/modules/proposals/decider.js';
import { supplierDecider } from '../../src/modules/suppliers/decider.js';
import { deliveryDecider } from '../../src/modules/webhooks/delivery.js';
import { webhookDecider } from '../../src/modules/webhooks/decider.js';

type AnyDecider = Pick<Decider<unknown, never, DomainEvent>, 'initialState' | 'evolve'>;

/** The first event of a stream, and what makes it grow: events in turn, each with its number. */
interface Stream {
  readonly decider: unknown;
  readonly first: object;
  readonly growing: readonly ((n: number) => object)[];
  /** What every command looks at after the fold. */
  readonly look?: (state: never) => unknown;
}

const factoryId = 'fac_1';
const product = (n: number) => ({
  factoryId,
  productId: `cat_${n}`,
  name: 'Jersey',
  productType: 'fabric',
  materials: [],
});
const certificate = (n: number, name = n) => ({
  ...{ certificateId: `cer_${n}`, factoryId, type: 'GOTS', number: `CU ${name}` },
  ...{ issuer: null, validFrom: null, validUntil: null, statedAt: n },
});
const saidAt = { issuer: 1, validFrom: 1, validUntil: 1 };
const mail = (n: number) => ({ requestId: 'req_1', batchId: 'bat_1', mail: 'brand_reminder', round: n });
const invitation = {
  supplierId: 'sup_1',
  organizationId: 'org_1',
  factoryId,
  factoryName: 'Mill',
  country: null,
  tier: 1,
  notes: null,
};
const delivery = { deliveryId: 'dlv_1', webhookId: 'whk_1' };

const STREAMS: Readonly<Record<string, Stream>> = {
  'factory, entries added and removed': {
    decider: factoryDecider,
    first: { type: 'CatalogueProductAdded', data: product(0) },
    growing: [
      (n) => ({ type: 'CatalogueProductAdded', data: product(n) }),
      (n) => ({ type: 'CatalogueProductRemoved', data: { factoryId, productId: `cat_${n - 1}` } }),
      (n) => ({
        type: 'FacilityAdded',
        data: { factoryId, facilityId: `fcy_${n}`, name: 'Hall', country: null, activities: [] },
      }),
      (n) => ({ type: 'FacilityRemoved', data: { factoryId, facilityId: `fcy_${n - 1}` } }),
      (n) => ({
        type: 'SubSupplierAdded',
        data: { factoryId, subSupplierId: `sub_${n}`, name: 'Mill', country: null, tier: 2 },
      }),
      (n) => ({ type: 'SubSupplierRemoved', data: { factoryId, subSupplierId: `sub_${n - 1}` } }),
    ],
  },
  'factory, certificates': {
    decider: factoryDecider,
    first: { type: 'CertificateRecorded', data: certificate(0) },
    growing: [
      (n) => ({ type: 'CertificateRecorded', data: certificate(n) }),
      (n) => ({ type: 'CertificateChanged', data: certificate(n - 1, -n) }),
      (n) => ({
        type: 'CertificatesRestated',
        data: { factoryId, certificates: [{ certificateId: `cer_${n - 2}`, statedAt: n, saidAt }] },
      }),
      (n) => ({
        type: 'CertificateFileAttached',
        data: { factoryId, certificateId: `cer_${n - 3}`, sha256: '0', mediaType: 'image/png', bytes: 1 },
      }),
      (n) => ({ type: 'CertificateRemoved', data: { factoryId, certificateId: `cer_${n - 9}`, removedAt: n } }),
    ],
  },
  product: {
    decider: productDecider,
    first: {
      type: 'ProductCreated',
      data: { productId: 'prd_1', organizationId: 'org_1', name: 'Tee', materials: [] },
    },
    growing: [
      (n) => ({ type: 'ProductPassportIssued', data: { productId: 'prd_1', batchId: `bat_${n}`, dppId: `dpp_${n}` } }),
      (n) => ({
        type: 'ProductUpdated',
        data: { productId: 'prd_1', changes: { name: `Tee ${n}` }, passportCount: n },
      }),
    ],
  },
  batch: {
    decider: batchDecider,
    first: { type: 'BatchCreated', data: { batchId: 'bat_1', organizationId: 'org_1', preliminary: false } },
    growing: [
      (n) => ({
        type: 'DppRequestSent',
        data: {
          ...{ batchId: 'bat_1', organizationId: 'org_1', callId: `call_${n}`, askedAt: n, notes: null },
          requests:
            n === 1 ? [{ requestId: 'req_1', supplierId: 'sup_1', role: 'factory', factoryName: 'Mill', tier: 1 }] : [],
          reminded: [{ requestId: 'req_1', supplierId: 'sup_1' }],
        },
      }),
      (n) => ({ type: 'RequestEmailed', data: { ...mail(n), sentAt: n } }),
      (n) => ({ type: 'RequestEmailFailed', data: { ...mail(n), reason: 'refused' } }),
      (n) => ({ type: 'RequestOpened', data: { batchId: 'bat_1', requestId: 'req_1', openedAt: n } }),
      (n) => ({
        type: 'ProductionDataSubmitted',
        data: { ...mail(n), role: 'factory', data: {}, submittedAt: n, callId: `sent_${n}` },
      }),
      (n) => ({ type: 'ChangesRequested', data: { ...mail(n), callId: `asked_${n}`, askedAt: n, notes: 'more' } }),
    ],
    look: (state: BatchState) => state.status !== 'none' && outstandingMails(state),
  },
  passport: {
    decider: passportDecider,
    first: { type: 'PassportPublished', data: { version: 1, content: {}, contentHash: '0', publishedAt: 0 } },
    growing: [
      (n) => ({
        type: 'PassportRepublished',
        data: { version: n + 1, content: {}, contentHash: `${n}`, publishedAt: n },
      }),
    ],
  },
  supplier: {
    decider: supplierDecider,
    first: { type: 'SupplierInvited', data: { ...invitation, callId: 'call_0' } },
    growing: [
      (n) => ({ type: 'SupplierInvitedAgain', data: { ...invitation, callId: `call_${n}` } }),
      (n) => ({
        type: 'CertificateExpiryNoticed',
        data: { ...invitation, certificateId: `cer_${n}`, validUntil: '2026-01-01' },
      }),
      () => ({ type: 'SupplierDeclined', data: invitation }),
      () => ({ type: 'SupplierConfirmed', data: { ...invitation, via: 'account' } }),
    ],
  },
  // A request takes 20 proposals; what is decided of them may come often.
  proposals: {
    decider: proposalDecider,
    first: { type: 'SubSupplierProposed', data: { proposalId: 'pro_1', organizationId: 'org_1' } },
    growing: [
      (n) => ({
        type: 'ProposalAccepted',
        data: { proposalId: 'pro_1', organizationId: 'org_1', callId: `call_${n}`, decidedAt: n, supplierId: 'sup_1' },
      }),
      () => ({ type: 'ProposalCarriedOut', data: { proposalId: 'pro_1', organizationId: 'org_1' } }),
    ],
  },
  organization: {
    decider: organizationDecider,
    first: { type: 'OrganizationCreated', data: { organizationId: 'org_1', name: 'Brand', ownerId: 'usr_1' } },
    growing: [
      (n) => ({
        type: 'OrganizationPlanChanged',
        data: { organizationId: 'org_1', plan: n % 2 === 0 ? 'free' : 'pro' },
      }),
    ],
  },
  webhook: {
    decider: webhookDecider,
    first: {
      type: 'WebhookCreated',
      data: { webhookId: 'whk_1', organizationId: 'org_1', url: 'https://brand.example', events: [] },
    },
    growing: [
      (n) => ({
        type: 'WebhookReplayAsked',
        data: { webhookId: 'whk_1', replayId: `rpl_${n}`, from: 0, to: n, askedAt: n },
      }),
      (n) => ({ type: 'WebhookChanged', data: { webhookId: 'whk_1', changes: { active: n % 4 === 2 } } }),
      (n) => ({ type: 'WebhookSecretRotated', data: { webhookId: 'whk_1', rotatedAt: n } }),
    ],
  },
  delivery: {
    decider: deliveryDecider,
    first: { type: 'DeliveryCreated', data: { ...delivery, held: false, createdAt: 0 } },
    growing: [
      (n) => ({ type: 'RedeliveryAsked', data: { ...delivery, redeliveryId: `red_${n}`, askedAt: n } }),
      (n) => ({
        type: 'DeliveryAttempted',
        data: { ...delivery, attempt: n, kind: 'redelivery', at: n, error: null, nextAttemptAt: null },
      }),
      (n) => ({ type: 'DeliverySucceeded', data: { ...delivery, at: n } }),
    ],
  },
  import: {
    decider: importDecider,
    first: { type: 'ImportStarted', data: { importId: 'imp_1' } },
    growing: [() => ({ type: 'ImportEnded', data: { importId: 'imp_1' } })],
  },
};

const eventsOf = ({ first, growing }: Stream, count: number): DomainEvent[] => {
  const events = [first];
  for (let n = 1; n < count; n += 1) events.push(growing[(n - 1) % growing.length]?.(n) ?? first);
  return events as unknown as (DomainEvent & Recorded)[];
};

const EVENTS = 10_000;
const TIMES_AS_MANY = 4;
/** Linear is 1 and quadratic 4. */
const MAX_TIMES_AS_LONG = 2.5;
const TRIES = 9;
const MOST_TRIES = 90;

describe('folding a stream takes time that grows with its events', () => {
  it.each(Object.entries(STREAMS))('%s: as long for one long stream as for four short ones', (_name, stream) => {
    const decider = stream.decider as AnyDecider;
    const look = stream.look ?? (() => undefined);
    const [short, long] = [eventsOf(stream, EVENTS), eventsOf(stream, TIMES_AS_MANY * EVENTS)];
    // The same number of events in both, and so the same garbage.
    const timeOf = (events: readonly DomainEvent[], times: number): number => {
      const begun = performance.now();
      for (let time = 0; time < times; time += 1) look(fold(decider, events) as never);
      return performance.now() - begun;
    };
    let [bestOfShort, bestOfLong] = [Infinity, Infinity];
    // What else the machine does makes a try longer, never shorter: so the shortest of each count, and one that is disturbed is
    // made again. A fold that is quadratic stays at 4, however often it is tried.
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      if (tries >= TRIES && bestOfLong / bestOfShort < MAX_TIMES_AS_LONG) break;
      bestOfShort = Math.min(bestOfShort, timeOf(short, TIMES_AS_MANY));
      bestOfLong = Math.min(bestOfLong, timeOf(long, 1));
    }
    expect(bestOfLong / bestOfShort).toBeLessThan(MAX_TIMES_AS_LONG);
  });

  it.each(Object.entries(STREAMS))('%s: the same state as by one event after the other', (_name, stream) => {
    const { initialState, evolve } = stream.decider as AnyDecider;
    const events = eventsOf(stream, 200);
    const steps = events.reduce<unknown[]>(
      (before, event) => [...before, evolve(before.at(-1), event)],
      [initialState],
    );
    for (const count of [1, 7, 99, 200])
      expect(fold({ initialState, evolve }, events.slice(0, count))).toEqual(steps[count]);
  });
});

describe('growing within a fold', () => {
  type Noted = DomainEvent<'Noted', { n: number }>;
  const noted = (n: number): Noted => ({ type: 'Noted', data: { n } });
  interface Notes {
    readonly list: readonly number[];
    readonly byParity: ReadonlyMap<number, number>;
  }
  const decider: Decider<Notes, number, Noted> = {
    initialState: { list: [], byParity: new Map() },
    decide: (n, { list }) => (list.includes(n) ? [] : [noted(n)]),
    evolve: ({ list, byParity }, { data: { n } }) => ({
      list: appended(list, n),
      byParity: n === 9 ? withoutKey(byParity, 1) : withKey(byParity, n % 2, n),
    }),
  };

  it('leaves the state that it began with as it was, and one that it has answered', () => {
    const first = fold(decider, [noted(1), noted(2)]);
    const second = fold({ ...decider, initialState: first }, [noted(3), noted(9)]);
    const third = decider.evolve(first, noted(4));
    expect(decider.initialState).toEqual({ list: [], byParity: new Map() });
    expect(first).toEqual({
      list: [1, 2],
      byParity: new Map([
        [1, 1],
        [0, 2],
      ]),
    });
    expect(second).toEqual({ list: [1, 2, 3, 9], byParity: new Map([[0, 2]]) });
    expect(third).toEqual({
      list: [1, 2, 4],
      byParity: new Map([
        [1, 1],
        [0, 4],
      ]),
    });
  });

  it('decides each of many commands on what those before it lead to', () => {
    const state = fold(decider, [noted(1)]);
    expect(inOneAppend(decider).decide([1, 2, 2, 3], state)).toEqual([noted(2), noted(3)]);
    expect(state.list).toEqual([1]);
  });
});
