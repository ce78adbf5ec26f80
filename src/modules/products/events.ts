import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';
import { streamName } from '../../core/streams.js';

/** Stream `product-<id>`. */
export type ProductEvent =
  | DomainEvent<'ProductCreated', { productId: string; organizationId: string } & ProductFields>
  /** Only the fields that changed, and how many passports show the product; each of them follows. */
  | DomainEvent<'ProductUpdated', { productId: string; changes: Partial<ProductFields>; passportCount: number }>
  /** A batch of the product got its passport: from here on the product cannot be deleted or lose its composition. */
  | DomainEvent<'ProductPassportIssued', { productId: string; batchId: string; dppId: string }>
  | DomainEvent<'ProductDeleted', { productId: string; organizationId: string }>;

export type ProductFields = {
  readonly name: string;
  readonly sku: string | null;
  /** As entered; compared as 14 digits. */
  readonly gtin: string | null;
  readonly externalId: string | null;
  readonly categoryId: string;
  readonly subcategory: string | null;
  readonly weightKg: number | null;
  /** The weight is the default of 0.25 kg, not a figure of the brand's. */
  readonly weightEstimated: boolean;
  readonly countryOfManufacture: string | null;
  readonly ecommerceUrl: string | null;
  readonly careInstructions: string | null;
  /** Free text, such as `5 years`. */
  readonly expectedLifespan: string | null;
  readonly recyclable: boolean | null;
  readonly recyclingInstructions: string | null;
  readonly materials: readonly Material[];
  /** A supplier that an import named without an address; absent in older events. */
  readonly supplierName?: string | null;
};

export type Material = {
  readonly materialType: string;
  readonly percentage: number;
  /** ISO 3166-1 alpha-2. */
  readonly originCountry: string | null;
  readonly supplierIds: readonly string[];
};

/** The rest is made to be shown on a passport. */
export const PRODUCT_TEXTS = textsOf<ProductEvent>()
  .private({
    ProductCreated: { supplierName: (_data, organizationId) => [organizationId] },
    ProductUpdated: { 'changes.supplierName': (_data, organizationId) => [organizationId] },
  })
  .open(
    'name',
    'sku',
    'gtin',
    'subcategory',
    'countryOfManufacture',
    'ecommerceUrl',
    'careInstructions',
    'expectedLifespan',
    'recyclingInstructions',
    'materialType',
    'originCountry',
  );

export const productStream = (productId: string): string => streamName('product', productId);
