import { appended, withKey, withoutKey } from '../../core/growing.js';
import {
  isSameCertificate,
  type CatalogueProduct,
  type CertificateFile,
  type Facility,
  type FactoryCertificate,
  type FactoryEvent,
  type SubSupplier,
} from './events.js';

/** An entry of the catalogue; a removed one stays, so that what was said before its removal does not bring it back. */
export type Entry<Data> = {
  readonly data: Data;
  readonly isRemoved: boolean;
};

/** By id, in the order in which they were first said. */
export type Entries<Data> = ReadonlyMap<string, Entry<Data>>;

export interface FormerName {
  readonly certificateId: string;
  readonly type: string;
  readonly number: string;
  /** In milliseconds. */
  readonly until: number;
}

export interface FactoryState {
  readonly certificates: Entries<FactoryCertificate>;
  /** What certificates were called until they were given another name. */
  readonly formerNames: readonly FormerName[];
  readonly files: ReadonlyMap<string, CertificateFile>;
  readonly products: Entries<CatalogueProduct>;
  readonly facilities: Entries<Facility>;
  readonly subSuppliers: Entries<SubSupplier>;
}

export const NOTHING_SAID: FactoryState = {
  certificates: new Map(),
  formerNames: [],
  files: new Map(),
  products: new Map(),
  facilities: new Map(),
  subSuppliers: new Map(),
};

export const evolveFactory = (state: FactoryState, event: FactoryEvent): FactoryState => ({
  ...state,
  ...changed(state, event),
});

function changed(state: FactoryState, event: FactoryEvent): Partial<FactoryState> {
  const { certificates, files, products, facilities, subSuppliers } = state;
  switch (event.type) {
    case 'CertificateRecorded':
      return { certificates: withEntry(certificates, event.data.certificateId, event.data) };
    case 'CertificateChanged': {
      const { certificateId, statedAt } = event.data;
      const before = certificates.get(certificateId)?.data;
      const isRenamed = before !== undefined && !isSameCertificate(before, event.data);
      const former = isRenamed ? { certificateId, type: before.type, number: before.number, until: statedAt } : null;
      return {
        certificates: withEntry(certificates, certificateId, event.data),
        formerNames: former === null ? state.formerNames : appended(state.formerNames, former),
      };
    }
    case 'CertificatesRestated': {
      let restated = certificates;
      for (const { certificateId, statedAt, saidAt } of event.data.certificates) {
        const known = restated.get(certificateId);
        if (known === undefined) continue;
        restated = withKey(restated, certificateId, { ...known, data: { ...known.data, statedAt, saidAt } });
      }
      return { certificates: restated };
    }
    case 'CertificateRemoved': {
      const { certificateId, removedAt } = event.data;
      const known = certificates.get(certificateId);
      if (known === undefined) return {};
      const removed = { ...known, data: { ...known.data, statedAt: removedAt }, isRemoved: true };
      return {
        certificates: withKey(certificates, certificateId, removed),
        files: withoutKey(files, certificateId),
      };
    }
    case 'CertificateFileAttached': {
      const { certificateId, sha256, mediaType, bytes } = event.data;
      return { files: withKey(files, certificateId, { sha256, mediaType, bytes }) };
    }
    case 'CatalogueProductAdded':
    case 'CatalogueProductChanged':
      return { products: withEntry(products, event.data.productId, event.data) };
    case 'CatalogueProductRemoved':
      return { products: withoutEntry(products, event.data.productId) };
    case 'FacilityAdded':
    case 'FacilityChanged':
      return { facilities: withEntry(facilities, event.data.facilityId, event.data) };
    case 'FacilityRemoved':
      return { facilities: withoutEntry(facilities, event.data.facilityId) };
    case 'SubSupplierAdded':
    case 'SubSupplierChanged':
      return { subSuppliers: withEntry(subSuppliers, event.data.subSupplierId, event.data) };
    case 'SubSupplierRemoved':
      return { subSuppliers: withoutEntry(subSuppliers, event.data.subSupplierId) };
    default:
      return {};
  }
}

function withEntry<Data>(entries: Entries<Data>, id: string, data: Data): Entries<Data> {
  return withKey(entries, id, { data, isRemoved: false });
}

function withoutEntry<Data>(entries: Entries<Data>, id: string): Entries<Data> {
  const known = entries.get(id);
  return known === undefined ? entries : withKey(entries, id, { ...known, isRemoved: true });
}

/** What is there now, in the order in which it was first said. */
export const present = <Data>(entries: Entries<Data>): readonly Entry<Data>[] =>
  [...entries.values()].filter(({ isRemoved }) => !isRemoved);

export const certificatesIn = (state: FactoryState): readonly FactoryCertificate[] =>
  present(state.certificates).map(({ data }) => data);
