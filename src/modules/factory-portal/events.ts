import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';
import { deterministicUuid } from '../../core/ids.js';
import { streamName } from '../../core/streams.js';

/**
 * Stream `factory-<id>`: what a factory says of itself. It is the same for every brand that works with it, so these events
 * belong to no organization. The addresses of facilities and of sub-suppliers are not in the log.
 */
export type FactoryEvent =
  | DomainEvent<'CertificateRecorded', FactoryCertificate>
  /** The certificate as it is now. */
  | DomainEvent<'CertificateChanged', FactoryCertificate>
  /** Said once more, with nothing new: what was said in between and arrives later changes nothing. */
  | DomainEvent<'CertificatesRestated', { factoryId: string; certificates: readonly Restated[] }>
  | DomainEvent<'CertificateRemoved', { factoryId: string; certificateId: string; removedAt: number }>
  /** A copy of the certificate, in the place of the one before. */
  | DomainEvent<'CertificateFileAttached', { factoryId: string; certificateId: string } & CertificateFile>
  | DomainEvent<'CatalogueProductAdded', CatalogueProduct>
  /** The product as it is now. */
  | DomainEvent<'CatalogueProductChanged', CatalogueProduct>
  | DomainEvent<'CatalogueProductRemoved', { factoryId: string; productId: string }>
  | DomainEvent<'FacilityAdded', Facility>
  /** The facility as it is now. */
  | DomainEvent<'FacilityChanged', Facility>
  | DomainEvent<'FacilityRemoved', { factoryId: string; facilityId: string }>
  | DomainEvent<'SubSupplierAdded', SubSupplier>
  /** The sub-supplier as it is now. */
  | DomainEvent<'SubSupplierChanged', SubSupplier>
  | DomainEvent<'SubSupplierRemoved', { factoryId: string; subSupplierId: string }>;

export type FactoryCertificate = {
  readonly certificateId: string;
  readonly factoryId: string;
  readonly type: string;
  readonly number: string;
  readonly issuer: string | null;
  /** `YYYY-MM-DD` */
  readonly validFrom: string | null;
  /** `YYYY-MM-DD`: the last day, in UTC, on which it is valid. */
  readonly validUntil: string | null;
  /** When the factory last said something of it: what it said before does not bring back one that was removed. */
  readonly statedAt: number;
  /** When each of these was last said; the same as `statedAt` when it is left out, never when there is nothing. */
  readonly saidAt?: SaidAt;
};

/** In milliseconds; 0 for what was never said. */
export type SaidAt = { readonly issuer: number; readonly validFrom: number; readonly validUntil: number };

export type Restated = { readonly certificateId: string; readonly statedAt: number; readonly saidAt: SaidAt };

export const saidAtOf = ({ saidAt, statedAt, issuer, validFrom, validUntil }: FactoryCertificate): SaidAt =>
  saidAt ?? {
    issuer: issuer === null ? 0 : statedAt,
    validFrom: validFrom === null ? 0 : statedAt,
    validUntil: validUntil === null ? 0 : statedAt,
  };

export type CertificateFile = {
  /** Of the file's bytes, in hex: what it is stored under. */
  readonly sha256: string;
  readonly mediaType: 'application/pdf' | 'image/png' | 'image/jpeg';
  readonly bytes: number;
};

export type CatalogueProduct = {
  readonly factoryId: string;
  readonly productId: string;
  readonly name: string;
  readonly productType: 'fabric' | 'yarn' | 'trim' | 'garment' | 'other';
  readonly materials: readonly {
    readonly materialType: string;
    readonly percentage: number;
    readonly originCountry: string | null;
  }[];
};

export type Facility = {
  readonly factoryId: string;
  readonly facilityId: string;
  readonly name: string;
  readonly country: string | null;
  readonly activities: readonly string[];
};

export type SubSupplier = {
  readonly factoryId: string;
  readonly subSupplierId: string;
  readonly name: string;
  readonly country: string | null;
  readonly tier: number;
};

const ofFactory = ({ factoryId }: { readonly factoryId: string }) => [factoryId];

/** Small workshops and suppliers are called as their owners are. What certificates and products are called is shown to brands. */
export const FACTORY_TEXTS = textsOf<FactoryEvent>()
  .private({
    FacilityAdded: { name: ofFactory },
    FacilityChanged: { name: ofFactory },
    SubSupplierAdded: { name: ofFactory },
    SubSupplierChanged: { name: ofFactory },
  })
  .open(
    'type',
    'number',
    'issuer',
    'validFrom',
    'validUntil',
    'sha256',
    'materialType',
    'originCountry',
    'country',
    'activities',
    'name',
  );

export const factoryStream = (factoryId: string): string => streamName('factory', factoryId);

type Named = { readonly type: string; readonly number: string };

/**
 * Factory, type and number make a certificate; how they are spelled does not. `generation` counts the certificates that once had
 * this name and have another one now.
 */
export const certificateIdOf = (factoryId: string, named: Named, generation = 0): string =>
  `cer_${deterministicUuid(factoryId, JSON.stringify([...identityOf(named), ...(generation === 0 ? [] : [generation])]))}`;

export const isSameCertificate = (one: Named, other: Named): boolean => sameCertificateAs(one)(other);

/** For a look through many of them. */
export const sameCertificateAs = (one: Named): ((other: Named) => boolean) => {
  const type = spelled(one.type);
  const number = spelled(one.number);
  return (other) => spelled(other.number) === number && spelled(other.type) === type;
};

const identityOf = ({ type, number }: Named): readonly string[] => [spelled(type), spelled(number)];

const spelled = (text: string): string => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
