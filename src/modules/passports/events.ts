import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';
import { streamName } from '../../core/streams.js';
import type { Pefcr } from '../batches/index.js';
import type { Material } from '../products/index.js';

/** Stream `passport-<id>`: a sequence of immutable versions under one address. */
export type PassportEvent =
  | DomainEvent<'PassportPublished', PassportIdentity & PassportVersion>
  /** What the passport shows has changed: the next version, same address. */
  | DomainEvent<'PassportRepublished', { dppId: string; organizationId: string } & PassportVersion>;

export type PassportIdentity = {
  readonly dppId: string;
  readonly organizationId: string;
  readonly batchId: string;
  readonly productId: string;
  readonly gtin: string;
  /** The product had no GTIN: one of the restricted range stands in. */
  readonly gtinGenerated: boolean;
  readonly serial: string;
  readonly qrUrl: string;
  readonly preliminary: boolean;
};

export type PassportVersion = {
  /** 1, 2, 3 ... */
  readonly version: number;
  readonly content: PassportContent;
  /** SHA-256 of the content's RFC 8785 bytes, 64 lower-case hex digits. */
  readonly contentHash: string;
  readonly publishedAt: number;
};

/** Everything the public page shows, as it was when this version was published. */
export type PassportContent = {
  readonly brandName: string;
  readonly productName: string;
  readonly sku: string | null;
  readonly categoryId: string;
  readonly subcategory: string | null;
  readonly weightKg: number | null;
  readonly weightEstimated: boolean;
  readonly countryOfManufacture: string | null;
  readonly factoryCountry: string | null;
  readonly materials: readonly Omit<Material, 'supplierIds'>[];
  readonly careInstructions: string | null;
  readonly expectedLifespan: string | null;
  readonly recyclable: boolean | null;
  readonly recyclingInstructions: string | null;
  readonly ecommerceUrl: string | null;
  readonly certificates: readonly PassportCertificate[];
  readonly quantity: number;
  readonly unit: string;
  readonly productionDate: string | null;
  /** Where the steps of making took place, as submitted. */
  readonly countries: StepCountries;
  readonly pefcr: Pefcr | null;
  readonly methodVersion: string | null;
  readonly factorSetHash: string | null;
};

/** Two-letter codes. */
export type StepCountries = {
  readonly spinning: string | null;
  readonly fabric: string | null;
  readonly dyeing: string | null;
  readonly making: string | null;
};

export type PassportCertificate = {
  readonly type: string;
  readonly number: string;
  readonly issuer: string | null;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
};

/** All of it is public. */
export const PASSPORT_TEXTS = textsOf<PassportEvent>()
  .private({})
  .open(
    'number',
    'type',
    'productionDate',
    'spinning',
    'fabric',
    'dyeing',
    'making',
    'productName',
    'unit',
    'issuer',
    'validFrom',
    'validUntil',
    'methodVersion',
    'factorSetHash',
    'level',
    'flags',
    'submitted',
    'assumed',
    'gtin',
    'serial',
    'qrUrl',
    'materialType',
    'originCountry',
    'sku',
    'subcategory',
    'countryOfManufacture',
    'ecommerceUrl',
    'careInstructions',
    'expectedLifespan',
    'recyclingInstructions',
    'contentHash',
    'brandName',
    'factoryCountry',
  );

export const passportStream = (dppId: string): string => streamName('passport', dppId);
