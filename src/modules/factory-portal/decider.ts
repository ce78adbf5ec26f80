import { isDeepStrictEqual } from 'node:util';
import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { invalid, notFound, Refusal } from '../../core/errors.js';
import type { CertificateData } from '../../core/production-data.js';
import {
  certificateIdOf,
  sameCertificateAs,
  saidAtOf,
  type CatalogueProduct,
  type CertificateFile,
  type Facility,
  type FactoryCertificate,
  type FactoryEvent,
  type Restated,
  type SaidAt,
  type SubSupplier,
} from './events.js';
import { evolveFactory, NOTHING_SAID, present, type Entries, type Entry, type FactoryState } from './state.js';

export type FactoryCommand =
  /** What the factory named at `statedAt`; certificates that it did not name stay. */
  | {
      readonly type: 'StateCertificates';
      readonly factoryId: string;
      readonly certificates: readonly CertificateData[];
      readonly statedAt: number;
    }
  /** Fields that are not named stay, `null` clears one. */
  | {
      readonly type: 'ChangeCertificate';
      readonly certificateId: string;
      readonly changes: Partial<CertificateData>;
      readonly statedAt: number;
    }
  | {
      readonly type: 'RemoveCertificate';
      readonly factoryId: string;
      readonly certificateId: string;
      readonly removedAt: number;
    }
  | { readonly type: 'AttachFile'; readonly certificateId: string; readonly file: CertificateFile }
  /** As they are to be: new or changed. */
  | { readonly type: 'SaveProduct'; readonly product: CatalogueProduct }
  | { readonly type: 'SaveFacility'; readonly facility: Facility }
  | { readonly type: 'SaveSubSupplier'; readonly subSupplier: SubSupplier }
  /** What the factory has never had becomes its own, as far as there is room. */
  | {
      readonly type: 'Adopt';
      readonly factoryId: string;
      readonly products: readonly CatalogueProduct[];
      readonly facilities: readonly Facility[];
      readonly subSuppliers: readonly SubSupplier[];
    }
  | { readonly type: 'RemoveProduct'; readonly productId: string }
  | { readonly type: 'RemoveFacility'; readonly facilityId: string }
  | { readonly type: 'RemoveSubSupplier'; readonly subSupplierId: string };

/** Of each kind: more is no catalogue, and every look at it reads them all. */
const MAX_ENTRIES = 1_000;
/** Of each kind, the removed ones too: they stay in the stream, which is read at every look. */
const MAX_ENTRIES_EVER = 5_000;

export const factoryDecider: Decider<FactoryState, FactoryCommand, FactoryEvent> = {
  initialState: NOTHING_SAID,
  decide,
  evolve: evolveFactory,
};

function decide(command: FactoryCommand, state: FactoryState): readonly FactoryEvent[] {
  switch (command.type) {
    case 'StateCertificates': {
      const events: FactoryEvent[] = [];
      const restated: Restated[] = [];
      let now = state;
      // One by one: a certificate named twice is the one that was named last.
      for (const stated of command.certificates) {
        const event = stateCertificate(command, stated, now);
        if (event === null) continue;
        if (event.type === 'CertificatesRestated') restated.push(...event.data.certificates);
        else events.push(event);
        now = evolveFactory(now, event);
      }
      return restated.length === 0 ? events : [...events, restatedEvent(command.factoryId, restated)];
    }
    case 'ChangeCertificate':
      return changeCertificate(command, state);
    case 'RemoveCertificate': {
      const { certificateId, removedAt } = command;
      const { data, isRemoved } = known(state.certificates, 'certificate', certificateId);
      const { factoryId } = data;
      return isRemoved ? [] : [{ type: 'CertificateRemoved', data: { factoryId, certificateId, removedAt } }];
    }
    case 'AttachFile': {
      const { certificateId, file } = command;
      const { factoryId } = listed(state.certificates, 'certificate', certificateId);
      if (isDeepStrictEqual(state.files.get(certificateId), file)) return [];
      return [{ type: 'CertificateFileAttached', data: { factoryId, certificateId, ...file } }];
    }
    case 'SaveProduct': {
      const { product } = command;
      const change = changeOf(state.products, 'product', product.productId, product);
      if (change === null) return [];
      return [{ type: change === 'added' ? 'CatalogueProductAdded' : 'CatalogueProductChanged', data: product }];
    }
    case 'SaveFacility': {
      const { facility } = command;
      const change = changeOf(state.facilities, 'facility', facility.facilityId, facility);
      if (change === null) return [];
      return [{ type: change === 'added' ? 'FacilityAdded' : 'FacilityChanged', data: facility }];
    }
    case 'SaveSubSupplier': {
      const { subSupplier } = command;
      const change = changeOf(state.subSuppliers, 'sub-supplier', subSupplier.subSupplierId, subSupplier);
      if (change === null) return [];
      return [{ type: change === 'added' ? 'SubSupplierAdded' : 'SubSupplierChanged', data: subSupplier }];
    }
    case 'Adopt': {
      const { factoryId } = command;
      const products = unknownIn(state.products, command.products, ({ productId }) => productId);
      const facilities = unknownIn(state.facilities, command.facilities, ({ facilityId }) => facilityId);
      const subSuppliers = unknownIn(state.subSuppliers, command.subSuppliers, ({ subSupplierId }) => subSupplierId);
      return [
        ...products.map((data) => ({ type: 'CatalogueProductAdded', data: { ...data, factoryId } }) as const),
        ...facilities.map((data) => ({ type: 'FacilityAdded', data: { ...data, factoryId } }) as const),
        ...subSuppliers.map((data) => ({ type: 'SubSupplierAdded', data: { ...data, factoryId } }) as const),
      ];
    }
    case 'RemoveProduct': {
      const { data, isRemoved } = known(state.products, 'product', command.productId);
      const { factoryId, productId } = data;
      return isRemoved ? [] : [{ type: 'CatalogueProductRemoved', data: { factoryId, productId } }];
    }
    case 'RemoveFacility': {
      const { data, isRemoved } = known(state.facilities, 'facility', command.facilityId);
      const { factoryId, facilityId } = data;
      return isRemoved ? [] : [{ type: 'FacilityRemoved', data: { factoryId, facilityId } }];
    }
    case 'RemoveSubSupplier': {
      const { data, isRemoved } = known(state.subSuppliers, 'sub-supplier', command.subSupplierId);
      const { factoryId, subSupplierId } = data;
      return isRemoved ? [] : [{ type: 'SubSupplierRemoved', data: { factoryId, subSupplierId } }];
    }
    default:
      return assertNever(command);
  }
}

function stateCertificate(
  { factoryId, statedAt }: Extract<FactoryCommand, { type: 'StateCertificates' }>,
  stated: CertificateData,
  state: FactoryState,
): FactoryEvent | null {
  const { certificates } = state;
  const { type, number, issuer, validFrom, validUntil } = stated;
  const same = certificateNamed(state, stated, statedAt);
  const certificateId = same?.data.certificateId ?? freeCertificateId(factoryId, stated, certificates);
  const certificate = { certificateId, factoryId, type, number, issuer, validFrom, validUntil, statedAt };
  if (same === undefined) {
    // What comes with a batch's data is taken as far as there is room: it cannot be refused any more.
    return roomIn(certificates) === 0 ? null : { type: 'CertificateRecorded', data: certificate };
  }
  const before = same.data;
  if (same.isRemoved) {
    return statedAt < before.statedAt ? null : { type: 'CertificateRecorded', data: certificate };
  }
  // The spelling stays as it was first; what is left out this time is still so, and so is what was said later than this.
  return after(before, { issuer, validFrom, validUntil }, statedAt, (value) => value !== null);
}

type Details = Pick<FactoryCertificate, 'issuer' | 'validFrom' | 'validUntil'>;

/** What becomes of a certificate when this is said of it, each detail by the time at which it was said last. */
function after(
  before: FactoryCertificate,
  said: Partial<FactoryCertificate>,
  statedAt: number,
  isSaid: (value: string | null) => boolean,
): FactoryEvent | null {
  const times = { ...saidAtOf(before) };
  const taken: { -readonly [Name in keyof Details]?: string | null } = {};
  for (const name of ['issuer', 'validFrom', 'validUntil'] as const) {
    const value = said[name];
    if (value === undefined || !isSaid(value) || statedAt < times[name]) continue;
    taken[name] = value;
    times[name] = statedAt;
  }
  const changed = withTimes({ ...before, ...said, ...detailsOf(before), ...taken }, times, statedAt);
  if (!saysTheSame(before, changed)) return { type: 'CertificateChanged', data: changed };
  if (statedAt <= before.statedAt && isDeepStrictEqual(times, saidAtOf(before))) return null;
  const restated = { certificateId: before.certificateId, statedAt: changed.statedAt, saidAt: times };
  return restatedEvent(before.factoryId, [restated]);
}

const detailsOf = ({ issuer, validFrom, validUntil }: Details): Details => ({ issuer, validFrom, validUntil });

function withTimes(certificate: FactoryCertificate, times: SaidAt, statedAt: number): FactoryCertificate {
  const { saidAt: _before, ...known } = certificate;
  const changed = { ...known, statedAt: Math.max(statedAt, known.statedAt) };
  return isDeepStrictEqual(saidAtOf(changed), times) ? changed : { ...changed, saidAt: times };
}

const restatedEvent = (factoryId: string, certificates: readonly Restated[]) =>
  ({ type: 'CertificatesRestated', data: { factoryId, certificates } }) as const satisfies FactoryEvent;

function changeCertificate(
  { certificateId, changes, statedAt }: Extract<FactoryCommand, { type: 'ChangeCertificate' }>,
  { certificates }: FactoryState,
): readonly FactoryEvent[] {
  const before = listed(certificates, 'certificate', certificateId);
  const event = after(before, changes, Math.max(statedAt, before.statedAt), () => true);
  if (event?.type !== 'CertificateChanged') return event === null ? [] : [event];
  const { data } = event;
  if (data.validFrom !== null && data.validUntil !== null && data.validUntil < data.validFrom) {
    throw invalid('validUntil', '"validUntil" must not be before "validFrom".');
  }
  const isIt = sameCertificateAs(data);
  const isTaken = present(certificates).some((other) => other.data.certificateId !== certificateId && isIt(other.data));
  if (isTaken) {
    throw new Refusal('certificate_exists', `There is a certificate "${data.type}" with number "${data.number}".`);
  }
  return [event];
}

const saysTheSame = (one: FactoryCertificate, other: FactoryCertificate): boolean =>
  isDeepStrictEqual(contentOf(one), contentOf(other));

const contentOf = ({ statedAt: _stated, saidAt: _said, ...content }: FactoryCertificate) => content;

/** One that is there goes before one that was called so when this was said, and that before one that was removed. */
function certificateNamed(
  { certificates, formerNames }: FactoryState,
  named: CertificateData,
  statedAt: number,
): Entry<FactoryCertificate> | undefined {
  const isIt = sameCertificateAs(named);
  const same = [...certificates.values()].filter(({ data }) => isIt(data));
  const there = same.find(({ isRemoved }) => !isRemoved);
  const former = formerNames.findLast((name) => statedAt < name.until && isIt(name));
  return there ?? (former && certificates.get(former.certificateId)) ?? same.at(-1);
}

function freeCertificateId(
  factoryId: string,
  named: CertificateData,
  certificates: Entries<FactoryCertificate>,
): string {
  let generation = 0;
  while (certificates.has(certificateIdOf(factoryId, named, generation))) generation += 1;
  return certificateIdOf(factoryId, named, generation);
}

function changeOf<Data>(entries: Entries<Data>, what: string, id: string, data: Data): 'added' | 'changed' | null {
  const entry = entries.get(id);
  if (entry === undefined) {
    if (roomIn(entries) === 0) throw noRoomIn(entries);
    return 'added';
  }
  if (entry.isRemoved) throw notFound(what, id);
  return isDeepStrictEqual(entry.data, data) ? null : 'changed';
}

const unknownIn = <Data>(entries: Entries<Data>, offered: readonly Data[], idOf: (data: Data) => string) =>
  offered.filter((data) => !entries.has(idOf(data))).slice(0, roomIn(entries));

const roomIn = (entries: Entries<unknown>): number =>
  Math.max(0, Math.min(MAX_ENTRIES - present(entries).length, MAX_ENTRIES_EVER - entries.size));

export const noRoomIn = (entries: Entries<unknown>): Refusal =>
  entries.size >= MAX_ENTRIES_EVER
    ? new Refusal(
        'catalogue_used_up',
        `A catalogue takes at most ${MAX_ENTRIES_EVER} entries of a kind, removed ones included; change one that is there.`,
      )
    : new Refusal('catalogue_full', `A catalogue holds at most ${MAX_ENTRIES} entries of a kind.`);

function known<Data>(entries: Entries<Data>, what: string, id: string): Entry<Data> {
  const entry = entries.get(id);
  if (entry === undefined) throw notFound(what, id);
  return entry;
}

/** What stands under the id, if it has not been removed. */
export function listed<Data>(entries: Entries<Data>, what: string, id: string): Data {
  const { data, isRemoved } = known(entries, what, id);
  if (isRemoved) throw notFound(what, id);
  return data;
}
