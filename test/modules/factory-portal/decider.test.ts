import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/core/decider.js';
import { factoryDecider, type FactoryCommand } from '../../../src/modules/factory-portal/decider.js';
import {
  certificateIdOf,
  type FactoryCertificate,
  type FactoryEvent,
  type SaidAt,
} from '../../../src/modules/factory-portal/events.js';
import { certificatesIn } from '../../../src/modules/factory-portal/state.js';
import { given } from '../../support/given.js';

const factoryId = 'fac_1';
const named = {
  ...{ type: 'GOTS', number: 'CU 1', issuer: 'Control Union' },
  ...{ validFrom: '2026-01-01', validUntil: '2026-12-31' },
};
const certificateId = certificateIdOf(factoryId, named);
const certificate: FactoryCertificate = { certificateId, factoryId, ...named, statedAt: 1_000 };
const recorded: FactoryEvent = { type: 'CertificateRecorded', data: certificate };
const removed: FactoryEvent = { type: 'CertificateRemoved', data: { factoryId, certificateId, removedAt: 2_000 } };
const restated = (saidAt: SaidAt, statedAt = 3_000): FactoryEvent => ({
  type: 'CertificatesRestated',
  data: { factoryId, certificates: [{ certificateId, statedAt, saidAt }] },
});
const state = (certificates: (typeof named)[], statedAt: number) =>
  ({ type: 'StateCertificates', factoryId, certificates, statedAt }) as const;

const on = (...events: readonly FactoryEvent[]) => given(factoryDecider, events);

describe('a certificate that the factory names', () => {
  it('is recorded', () =>
    on()
      .when(state([named], 1_000))
      .then(recorded));

  it('is recorded once, however often it is met', () =>
    on(recorded)
      .when(state([named], 1_000))
      .thenNothing());

  it('is restated when it is said again, in another spelling too', () => {
    const again = restated({ issuer: 3_000, validFrom: 3_000, validUntil: 3_000 });
    on(recorded)
      .when(state([named], 3_000))
      .then(again);
    on(recorded)
      .when(state([{ ...named, type: ' gots', number: 'cu  1' }], 3_000))
      .then(again);
    on(recorded, again)
      .when(state([named], 3_000))
      .thenNothing();
  });

  it('is another one under another number', () =>
    expect(certificateIdOf(factoryId, { ...named, number: 'CU 2' })).not.toBe(certificateId));

  it('is another one at another factory', () => expect(certificateIdOf('fac_2', named)).not.toBe(certificateId));

  it('takes a new date', () =>
    on(recorded)
      .when(state([{ ...named, validUntil: '2027-12-31' }], 3_000))
      .then({ type: 'CertificateChanged', data: { ...certificate, validUntil: '2027-12-31', statedAt: 3_000 } }));

  it('keeps what is left out this time', () =>
    on(recorded)
      .when({
        ...state([], 3_000),
        certificates: [{ ...named, issuer: null, validFrom: '2026-02-01', validUntil: null }],
      })
      .then({
        type: 'CertificateChanged',
        data: {
          ...{ ...certificate, validFrom: '2026-02-01', statedAt: 3_000 },
          saidAt: { issuer: 1_000, validFrom: 3_000, validUntil: 1_000 },
        },
      }));

  it('is as it was named last, in one submission too', () =>
    on()
      .when(state([named, { ...named, validUntil: '2027-01-31' }], 1_000))
      .then(recorded, { type: 'CertificateChanged', data: { ...certificate, validUntil: '2027-01-31' } }));

  it('is not set back by what was said before and arrives late', () =>
    on(recorded)
      .when(state([{ ...named, validUntil: '2026-06-30' }], 999))
      .thenNothing());

  const until = (validUntil: string | null, statedAt: number) =>
    state([{ ...named, validUntil } as typeof named], statedAt);
  /** What is left of its date when these are met in this order. */
  const dateAfter = (...commands: readonly FactoryCommand[]): string | null | undefined => {
    const events = commands.reduce<readonly FactoryEvent[]>(
      (before, command) => [...before, ...factoryDecider.decide(command, fold(factoryDecider, before))],
      [],
    );
    return certificatesIn(fold(factoryDecider, events))[0]?.validUntil;
  };
  const [A, B] = ['2026-12-31', '2027-06-30'];
  const change = (validUntil: string | null, statedAt: number) =>
    ({ type: 'ChangeCertificate', certificateId, changes: { validUntil }, statedAt }) as const;

  it.each<[string, readonly FactoryCommand[], string | null]>([
    ['two dates', [until(A, 1_000), until(B, 2_000)], B],
    ['two dates after a first one', [until(A, 1_000), until(B, 2_000), until('2028-01-31', 3_000)], '2028-01-31'],
    ['a date that is taken back', [until(A, 1_000), until(B, 2_000), until(A, 3_000)], A],
    ['a submission, then a change by hand', [until(A, 1_000), until(B, 2_000), change(A, 3_000)], A],
    ['a date that is cleared by hand', [until(A, 1_000), until(B, 2_000), change(null, 3_000)], null],
    ['a date, and then none', [until(A, 1_000), until(B, 2_000), until(null, 3_000)], B],
  ])('has the date that was said last, however the last two were met: %s', (_what, said, date) => {
    expect(dateAfter(...said)).toBe(date);
    const [last, late, ...earlier] = said.toReversed();
    expect(dateAfter(...[...earlier.toReversed(), last, late].flatMap((command) => command ?? []))).toBe(date);
  });

  it('is not doubled under a name that it had when a late one was said', () => {
    const renamed: FactoryEvent = {
      type: 'CertificateChanged',
      data: { ...certificate, number: 'CU 9', statedAt: 3_000 },
    };
    on(recorded, renamed)
      .when(state([named], 2_000))
      .thenNothing();
    const later = on(recorded, renamed).when(state([named], 4_000));
    later.then({
      type: 'CertificateRecorded',
      data: { ...certificate, certificateId: certificateIdOf(factoryId, named, 1), statedAt: 4_000 },
    });
  });

  it('stays when a later submission names others', () =>
    expect(
      certificatesIn(
        on(recorded, {
          type: 'CertificateRecorded',
          data: { ...certificate, certificateId: 'cer_2', number: 'CU 2' },
        }).state(),
      ),
    ).toHaveLength(2));
});

describe('a removed certificate', () => {
  const remove = { type: 'RemoveCertificate', factoryId, certificateId, removedAt: 2_000 } as const;

  it('is gone', () => {
    on(recorded).when(remove).then(removed);
    expect(certificatesIn(on(recorded, removed).state())).toEqual([]);
  });
  it('is removed once', () => on(recorded, removed).when(remove).thenNothing());
  it('has to be there', () => on().when(remove).thenRefuses('not_found'));
  it('does not come back by what was said before', () =>
    on(recorded, removed)
      .when(state([named], 1_500))
      .thenNothing());
  it('comes back when it is named again', () =>
    on(recorded, removed)
      .when(state([named], 3_000))
      .then({ type: 'CertificateRecorded', data: { ...certificate, statedAt: 3_000 } }));
});

describe('what was kept before the proof', () => {
  const products = Array.from({ length: 1_001 }, (_, index) => ({
    ...{ factoryId, productId: `cpr_${index}`, name: `Jersey ${index}`, productType: 'fabric' as const, materials: [] },
  }));
  const added = products.map((data): FactoryEvent => ({ type: 'CatalogueProductAdded', data }));
  const adopt = (offered: typeof products) =>
    ({ type: 'Adopt', factoryId, products: offered, facilities: [], subSuppliers: [] }) as const;

  it('becomes the factory’s own as far as there is room', () =>
    on(...added.slice(0, 999))
      .when(adopt(products.map((product) => ({ ...product, factoryId: 'fac_early' }))))
      .then(...added.slice(999, 1_000)));

  it('is not what the factory has changed or removed since', () =>
    on(
      ...added.slice(0, 2),
      { type: 'CatalogueProductRemoved', data: { factoryId, productId: 'cpr_1' } },
      { type: 'CatalogueProductChanged', data: { ...products[0]!, name: 'Jersey 200' } },
    )
      .when(adopt(products.slice(0, 2)))
      .thenNothing());
});

describe('the entries that a catalogue has ever had', () => {
  const product = (n: number) => ({
    ...{ factoryId, productId: `cat_${n}`, name: `Jersey ${n}` },
    ...{ productType: 'fabric' as const, materials: [] },
  });
  const addedAndRemoved = (count: number): FactoryEvent[] =>
    Array.from({ length: count }, (_, n) => n).flatMap((n): FactoryEvent[] => [
      { type: 'CatalogueProductAdded', data: product(n) },
      { type: 'CatalogueProductRemoved', data: { factoryId, productId: `cat_${n}` } },
    ]);
  const save = { type: 'SaveProduct', product: product(9_999) } as const;

  it('are 5,000 of a kind at most, removed ones included', () => {
    on(...addedAndRemoved(4_999))
      .when(save)
      .then({ type: 'CatalogueProductAdded', data: product(9_999) });
    on(...addedAndRemoved(5_000))
      .when(save)
      .thenRefuses('catalogue_used_up');
  });

  it('hinder no change of one that is there, and no other kind', () => {
    const there: FactoryEvent = { type: 'CatalogueProductAdded', data: product(9_999) };
    const changed = { ...product(9_999), name: 'Single jersey' };
    on(there, ...addedAndRemoved(4_999))
      .when({ type: 'SaveProduct', product: changed })
      .then({ type: 'CatalogueProductChanged', data: changed });
    on(...addedAndRemoved(5_000))
      .when(state([named], 1_000))
      .then(recorded);
  });

  it('leave out what comes with a batch or is taken over beyond them', () => {
    const certificates = Array.from({ length: 5_000 }, (_, n): FactoryEvent[] => {
      const id = `cer_${n}`;
      return [
        { type: 'CertificateRecorded', data: { ...certificate, certificateId: id, number: `CU-${n}` } },
        { type: 'CertificateRemoved', data: { factoryId, certificateId: id, removedAt: 2_000 } },
      ];
    }).flat();
    on(...certificates)
      .when(state([named], 3_000))
      .thenNothing();
    on(...addedAndRemoved(5_000))
      .when({ type: 'Adopt', factoryId, products: [product(9_999)], facilities: [], subSuppliers: [] })
      .thenNothing();
  });
});
