import { isDeepStrictEqual } from 'node:util';
import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { invalid, notFound, Refusal } from '../../core/errors.js';
import type { CertificateData } from '../../core/production-data.js';
import {
  certificateIdOf,
  isSameCertificate,
  type CatalogueProduct,
  type CertificateFile,
  type Facility,
  type FactoryCertificate,
  type FactoryEvent,
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
  | { readonly type: 'RemoveProduct'; readonly productId: string }
  | { readonly type: 'RemoveFacility'; readonly facilityId: string }
  | { readonly type: 'RemoveSubSupplier'; readonly subSupplierId: string };

/** Of each kind: more is no catalogue, and every look at it reads them all. */
const MAX_ENTRIES = 1_000;

export const factoryDecider: Decider<FactoryState, FactoryCommand, FactoryEvent> = {
  initialState: NOTHING_SAID,
  decide,
  evolve: evolveFactory,
};

function decide(command: FactoryCommand, state: FactoryState): readonly FactoryEvent[] {
  switch (command.type) {
    case 'StateCertificates': {
      const events: FactoryEvent[] = [];
      let now = state;
      // One by one: a certificate named twice is the one that was named last.
      for (const stated of command.certificates) {
        const event = stateCertificate(command, stated, now);
        if (event === null) continue;
        events.push(event);
        now = evolveFactory(now, event);
      }
      return events;
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
  { certificates }: FactoryState,
): FactoryEvent | null {
  const { type, number, issuer, validFrom, validUntil } = stated;
  const same = certificateNamed(certificates, stated);
  const certificateId = same?.data.certificateId ?? freeCertificateId(factoryId, stated, certificates);
  const certificate = { certificateId, factoryId, type, number, issuer, validFrom, validUntil, statedAt };
  if (same === undefined) {
    // What comes with a batch's data is taken as far as there is room: it cannot be refused any more.
    return isFull(certificates) ? null : { type: 'CertificateRecorded', data: certificate };
  }
  const before = same.data;
  if (statedAt < before.statedAt) return null;
  if (same.isRemoved) return { type: 'CertificateRecorded', data: certificate };
  const changed: FactoryCertificate = {
    ...certificate,
    // The spelling stays as it was first; what is left out this time is still so.
    type: before.type,
    number: before.number,
    issuer: issuer ?? before.issuer,
    validFrom: validFrom ?? before.validFrom,
    validUntil: validUntil ?? before.validUntil,
  };
  return saysTheSame(before, changed) ? null : { type: 'CertificateChanged', data: changed };
}

function changeCertificate(
  { certificateId, changes, statedAt }: Extract<FactoryCommand, { type: 'ChangeCertificate' }>,
  { certificates }: FactoryState,
): readonly FactoryEvent[] {
  const before = listed(certificates, 'certificate', certificateId);
  const after = { ...before, ...changes, statedAt: Math.max(statedAt, before.statedAt) };
  if (after.validFrom !== null && after.validUntil !== null && after.validUntil < after.validFrom) {
    throw invalid('validUntil', '"validUntil" must not be before "validFrom".');
  }
  const isTaken = present(certificates).some(
    ({ data }) => data.certificateId !== certificateId && isSameCertificate(data, after),
  );
  if (isTaken) {
    throw new Refusal('certificate_exists', `There is a certificate "${after.type}" with number "${after.number}".`);
  }
  return saysTheSame(before, after) ? [] : [{ type: 'CertificateChanged', data: after }];
}

const saysTheSame = (one: FactoryCertificate, other: FactoryCertificate): boolean =>
  isDeepStrictEqual({ ...one, statedAt: 0 }, { ...other, statedAt: 0 });

/** One that is there goes before one that was removed. */
function certificateNamed(
  certificates: Entries<FactoryCertificate>,
  named: CertificateData,
): Entry<FactoryCertificate> | undefined {
  const same = [...certificates.values()].filter(({ data }) => isSameCertificate(data, named));
  return same.find(({ isRemoved }) => !isRemoved) ?? same.at(-1);
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
    if (isFull(entries)) throw catalogueFull();
    return 'added';
  }
  if (entry.isRemoved) throw notFound(what, id);
  return isDeepStrictEqual(entry.data, data) ? null : 'changed';
}

const isFull = (entries: Entries<unknown>): boolean => present(entries).length >= MAX_ENTRIES;

export const catalogueFull = (): Refusal =>
  new Refusal('catalogue_full', `A catalogue holds at most ${MAX_ENTRIES} entries of a kind.`);

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
