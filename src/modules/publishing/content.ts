import type { ProductionData } from '../../core/production-data.js';
import type { Pefcr } from '../batches/index.js';
import type { ProductFields } from '../products/index.js';
import type { PassportCertificate, PassportContent } from '../passports/index.js';

/** What a passport takes from its batch. */
export interface PassportSource {
  readonly batchId: string;
  readonly productId: string;
  readonly quantity: number;
  readonly unit: string;
  /** Made without a factory's data. */
  readonly preliminary: boolean;
  /** Of the supplier that makes the batch, as the brand recorded it. */
  readonly factoryCountry: string | null;
  /** What the Tier 1 factory submitted. */
  readonly production: Pick<ProductionData, 'productWeightKg' | 'productionDate' | 'countries'> | null;
  /** Everybody's who submitted. */
  readonly certificates: readonly PassportCertificate[];
  readonly score: {
    readonly pefcr: Pefcr;
    readonly methodVersion: string;
    readonly factorSetHash: string;
  } | null;
}

/** Everything that the public page shows, put together; the weight is what the score was computed with. */
export function passportContent(from: {
  readonly brandName: string;
  readonly product: ProductFields;
  readonly source: PassportSource;
  readonly defaultWeightKg: number;
}): PassportContent {
  const { brandName, product, source } = from;
  const { production } = source;
  return {
    brandName,
    productName: product.name,
    sku: product.sku,
    categoryId: product.categoryId,
    subcategory: product.subcategory,
    ...weight(product, production?.productWeightKg, from.defaultWeightKg),
    countryOfManufacture: product.countryOfManufacture,
    factoryCountry: source.factoryCountry,
    materials: product.materials.map(({ materialType, percentage, originCountry }) => ({
      materialType,
      percentage,
      originCountry,
    })),
    careInstructions: product.careInstructions,
    expectedLifespan: product.expectedLifespan,
    recyclable: product.recyclable,
    recyclingInstructions: product.recyclingInstructions,
    ecommerceUrl: product.ecommerceUrl,
    certificates: source.certificates.map(({ type, number, issuer, validFrom, validUntil }) => ({
      type,
      number,
      issuer,
      validFrom,
      validUntil,
    })),
    quantity: source.quantity,
    unit: source.unit,
    productionDate: production?.productionDate ?? null,
    countries: {
      spinning: production?.countries?.spinning ?? null,
      fabric: production?.countries?.fabric ?? null,
      dyeing: production?.countries?.dyeing ?? null,
      making: production?.countries?.making ?? null,
    },
    pefcr: source.score?.pefcr ?? null,
    methodVersion: source.score?.methodVersion ?? null,
    factorSetHash: source.score?.factorSetHash ?? null,
  };
}

/** The product's fields that a passport takes over above: a change of any other makes no new version. */
const SHOWN: ReadonlySet<string> = new Set<keyof ProductFields>([
  'name',
  'sku',
  'categoryId',
  'subcategory',
  'weightKg',
  'weightEstimated',
  'countryOfManufacture',
  'materials',
  'careInstructions',
  'expectedLifespan',
  'recyclable',
  'recyclingInstructions',
  'ecommerceUrl',
]);

export const changesWhatIsShown = (changes: Partial<ProductFields>): boolean =>
  Object.keys(changes).some((field) => SHOWN.has(field));

function weight(
  { weightKg, weightEstimated }: ProductFields,
  submittedKg: number | undefined,
  defaultKg: number,
): Pick<PassportContent, 'weightKg' | 'weightEstimated'> {
  if (submittedKg !== undefined) return { weightKg: submittedKg, weightEstimated: false };
  if (weightKg === null) return { weightKg: defaultKg, weightEstimated: true };
  return { weightKg, weightEstimated };
}
