import { z } from 'zod';
import { count, freeText, httpUrl, id, line, listOf, mailedName, tier, timestamp } from '../../http/schemas.js';
import { categoryId, countryCode, materialType, subcategoryId, supplierState } from '../../http/vocabulary.js';
import { findCategory, findSubcategory } from '../../reference-data/categories.js';
import { parseGtin } from '../../reference-data/gtin.js';
import { compositionMessage, isWhole, MAX_SUPPLIERS_OF_MATERIAL } from './decider.js';

/** A value that others look the product up by; blank is none. */
const key = line(200).trim();

const productMaterial = z
  .object({
    materialType,
    percentage: z.number().gt(0).max(100),
    originCountry: countryCode.nullish(),
    supplierIds: z
      .array(id('sup'))
      .max(MAX_SUPPLIERS_OF_MATERIAL)
      .nullish()
      .describe('The suppliers that the material comes from'),
  })
  .meta({ id: 'ProductMaterial', description: 'A share of a product, and where it comes from' });

const materials = z
  .array(productMaterial)
  .max(50)
  .superRefine((composition, issues) => {
    if (!isWhole(composition)) issues.addIssue({ code: 'custom', message: compositionMessage(composition) });
  });

const category = line(200)
  .refine((text) => findCategory(text) !== null, 'must be a known category')
  .meta({
    id: 'Category',
    description: 'A `CategoryId` or a synonym of one, in any of the languages known',
    examples: ['textile_apparel'],
  });

const subcategory = line(200)
  .refine((text) => findSubcategory(text) !== null, 'must be a known sub-category')
  .meta({ id: 'Subcategory', description: 'A `SubcategoryId` or a synonym of one', examples: ['tshirts'] });

const optionalFields = z.object({
  sku: key.nullish(),
  gtin: key
    .refine((gtin) => gtin === '' || parseGtin(gtin).ok, 'must be 8, 12, 13 or 14 digits')
    .nullish()
    .describe('As printed; a wrong check digit is a warning in the answer'),
  externalId: key.nullish(),
  categoryId: category.nullish().describe('`textile_apparel` if there is none'),
  subcategory: subcategory.nullish().describe('It sets the category too'),
  weightKg: z.number().gt(0).max(1_000).nullish(),
  countryOfManufacture: countryCode.nullish(),
  ecommerceUrl: httpUrl.nullish(),
  careInstructions: freeText.nullish(),
  expectedLifespan: freeText.nullish(),
  recyclable: z.boolean().nullish(),
  recyclingInstructions: freeText.nullish(),
  materials: materials.nullish().describe('Replaces the whole composition; the percentages total 100'),
});

export const createProductBody = optionalFields.extend({ name: mailedName() }).meta({
  id: 'CreateProduct',
  examples: [
    {
      name: 'Organic tee',
      sku: 'TEE-001',
      externalId: 'pim-4711',
      categoryId: 'textile_apparel',
      subcategory: 'tshirts',
      weightKg: 0.18,
      countryOfManufacture: 'PT',
      ecommerceUrl: 'https://nordfaden.example/organic-tee',
      careInstructions: 'Machine wash at 30 C.',
      expectedLifespan: '5 years',
      recyclable: true,
      recyclingInstructions: 'Bring it back to any of our shops.',
      materials: [
        { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
        { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
      ],
    },
  ],
});
/** Any subset: a missing field stays as it is, `null` clears it. */
export const updateProductBody = optionalFields.extend({ name: mailedName().optional() }).meta({
  id: 'UpdateProduct',
  description: 'Any subset: a missing field stays as it is, `null` clears it',
  examples: [{ weightKg: 0.2, careInstructions: null }],
});

export type MaterialBody = z.output<typeof productMaterial>;
export type CreateProductBody = z.output<typeof createProductBody>;
export type UpdateProductBody = z.output<typeof updateProductBody>;

const fields = z.object({
  id: z.string(),
  name: z.string(),
  sku: z.string().nullable(),
  gtin: z.string().nullable(),
  externalId: z.string().nullable(),
  categoryId,
  subcategory: subcategoryId.nullable(),
  weightKg: z.number().nullable(),
  weightEstimated: z.boolean(),
  countryOfManufacture: countryCode.nullable(),
  ecommerceUrl: z.string().nullable(),
  careInstructions: z.string().nullable(),
  expectedLifespan: z.string().nullable(),
  recyclable: z.boolean().nullable(),
  recyclingInstructions: z.string().nullable(),
  updatedAt: timestamp,
});

const warning = z
  .object({
    code: z.enum(['mapped', 'gtin_check_digit']),
    field: z.string(),
    message: z.string(),
    from: z.string().optional(),
    to: z.string().optional(),
  })
  .meta({ id: 'ProductWarning', description: 'What was read otherwise than it was sent' });

export type Warning = z.output<typeof warning>;

export const productDetail = fields
  .extend({
    materials: z.array(
      z.object({
        materialType,
        percentage: z.number(),
        originCountry: countryCode.nullable(),
        suppliers: z.array(
          z.object({
            id: z.string(),
            factoryName: z.string(),
            tier,
            state: supplierState,
          }),
        ),
      }),
    ),
    supplierName: z.string().nullable().describe('A supplier that an import named without an address'),
    warnings: z.array(warning).optional(),
  })
  .meta({ id: 'Product', description: 'A product with its composition' });

export type ProductDetail = z.output<typeof productDetail>;

export const productList = listOf(
  fields
    .extend({ createdAt: timestamp, materialCount: count, batchCount: count })
    .meta({ id: 'ProductListItem', description: 'A product without its composition' }),
);

export const productParams = z.object({ id: id('prd') });
