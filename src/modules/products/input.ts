import { invalid } from '../../core/errors.js';
import { findCategory, findSubcategory } from '../../reference-data/categories.js';
import { parseGtin } from '../../reference-data/gtin.js';
import type { Material, ProductFields } from './events.js';
import type { CreateProductBody, MaterialBody, UpdateProductBody, Warning } from './schemas.js';

const DEFAULT_CATEGORY = 'textile_apparel';

export const BLANK: Omit<ProductFields, 'name'> = {
  sku: null,
  gtin: null,
  externalId: null,
  categoryId: DEFAULT_CATEGORY,
  subcategory: null,
  weightKg: null,
  weightEstimated: false,
  countryOfManufacture: null,
  ecommerceUrl: null,
  careInstructions: null,
  expectedLifespan: null,
  recyclable: null,
  recyclingInstructions: null,
  materials: [],
};

/** A new product as the caller describes it: what is not said has no value. */
export function newProduct(body: CreateProductBody): { fields: ProductFields; warnings: readonly Warning[] } {
  const { changes, warnings } = productChanges(body);
  return { fields: { ...BLANK, ...changes, name: body.name }, warnings };
}

/** What a body sets: `null` and blank text clear a field, a missing one stays out. */
export function productChanges(body: UpdateProductBody): {
  changes: Partial<ProductFields>;
  warnings: readonly Warning[];
} {
  const category = categoryChanges(body);
  const changes: Partial<ProductFields> = {
    ...category.changes,
    ...(body.name !== undefined && { name: body.name }),
    ...(body.sku !== undefined && { sku: valueOrNull(body.sku) }),
    ...(body.gtin !== undefined && { gtin: valueOrNull(body.gtin) }),
    ...(body.externalId !== undefined && { externalId: valueOrNull(body.externalId) }),
    // A weight that the brand states is no estimate.
    ...(body.weightKg !== undefined && { weightKg: body.weightKg, weightEstimated: false }),
    ...(body.countryOfManufacture !== undefined && { countryOfManufacture: body.countryOfManufacture }),
    ...(body.ecommerceUrl !== undefined && { ecommerceUrl: valueOrNull(body.ecommerceUrl) }),
    ...(body.careInstructions !== undefined && { careInstructions: valueOrNull(body.careInstructions) }),
    ...(body.expectedLifespan !== undefined && { expectedLifespan: valueOrNull(body.expectedLifespan) }),
    ...(body.recyclable !== undefined && { recyclable: body.recyclable }),
    ...(body.recyclingInstructions !== undefined && { recyclingInstructions: valueOrNull(body.recyclingInstructions) }),
    ...(body.materials !== undefined && { materials: (body.materials ?? []).map(material) }),
  };
  return { changes, warnings: [...category.warnings, ...gtinWarnings(changes.gtin)] };
}

/** Category and sub-category are taken by id or synonym; a sub-category brings its category along. */
function categoryChanges(body: Pick<UpdateProductBody, 'categoryId' | 'subcategory'>): {
  changes: Partial<Pick<ProductFields, 'categoryId' | 'subcategory'>>;
  warnings: readonly Warning[];
} {
  const { categoryId: categoryText, subcategory: subcategoryText } = body;
  // Texts that nobody knows were refused by the schema.
  const category = categoryText == null ? null : findCategory(categoryText);
  const subcategory = subcategoryText == null ? null : findSubcategory(subcategoryText);
  const warnings = [
    ...mapped('categoryId', categoryText, category?.subcategory ?? category?.categoryId),
    ...mapped('subcategory', subcategoryText, subcategory?.subcategory),
  ];

  if (subcategory === null) {
    return {
      changes: {
        ...(categoryText === null && { categoryId: DEFAULT_CATEGORY }),
        ...(category !== null && { categoryId: category.categoryId }),
        ...(category?.subcategory != null && { subcategory: category.subcategory }),
        ...(subcategoryText === null && { subcategory: null }),
      },
      warnings,
    };
  }
  if (category !== null && category.categoryId !== subcategory.categoryId) {
    throw invalid(
      'subcategory',
      `"${subcategory.subcategory}" belongs to category "${subcategory.categoryId}", not to "${category.categoryId}".`,
    );
  }
  return { changes: { categoryId: subcategory.categoryId, subcategory: subcategory.subcategory }, warnings };
}

const mapped = (field: string, from: string | null | undefined, to: string | undefined): readonly Warning[] =>
  from == null || to === undefined || from === to
    ? []
    : [{ code: 'mapped', field, message: `"${from}" was read as "${to}".`, from, to }];

function gtinWarnings(gtin: string | null | undefined): readonly Warning[] {
  const parsed = typeof gtin === 'string' ? parseGtin(gtin) : null;
  if (parsed === null || !parsed.ok || parsed.checkDigitValid) return [];
  return [{ code: 'gtin_check_digit', field: 'gtin', message: `The check digit of "${parsed.gtin}" is wrong.` }];
}

// The members stand in one order, so that two equal materials are equal as JSON.
const material = ({ materialType, percentage, originCountry, supplierIds }: MaterialBody): Material => ({
  materialType,
  percentage,
  originCountry: originCountry ?? null,
  supplierIds: [...new Set(supplierIds ?? [])],
});

const valueOrNull = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text);
