import { z } from 'zod';
import { countryCode, freeText, httpUrl, id, line, listOf, name, timestamp } from '../../http/schemas.js';
import { findCategory, findSubcategory } from '../../reference-data/categories.js';
import { parseGtin } from '../../reference-data/gtin.js';
import { findMaterial } from '../../reference-data/materials.js';
import { compositionMessage, isWhole, MAX_SUPPLIERS_OF_MATERIAL } from './decider.js';

/** A value that others look the product up by; blank is none. */
const key = line(200).trim();

const material = z.object({
  materialType: line(100)
    .refine((type) => findMaterial(type) !== null, 'must be a known material id, such as `cotton_organic`')
    .describe('Canonical material id'),
  percentage: z.number().gt(0).max(100),
  originCountry: countryCode.nullish(),
  supplierIds: z
    .array(id('sup'))
    .max(MAX_SUPPLIERS_OF_MATERIAL)
    .nullish()
    .describe('The suppliers that the material comes from'),
});

const materials = z
  .array(material)
  .max(50)
  .superRefine((composition, issues) => {
    if (!isWhole(composition)) issues.addIssue({ code: 'custom', message: compositionMessage(composition) });
  });

const optionalFields = z.object({
  sku: key.nullish(),
  gtin: key
    .refine((gtin) => gtin === '' || parseGtin(gtin).ok, 'must be 8, 12, 13 or 14 digits')
    .nullish()
    .describe('As printed; a wrong check digit is a warning in the answer'),
  externalId: key.nullish(),
  categoryId: line(200)
    .refine((text) => findCategory(text) !== null, 'must be a known category')
    .nullish()
    .describe('Id or synonym; `textile_apparel` if there is none'),
  subcategory: line(200)
    .refine((text) => findSubcategory(text) !== null, 'must be a known sub-category')
    .nullish()
    .describe('Id or synonym; it sets the category too'),
  weightKg: z.number().gt(0).max(1_000).nullish(),
  countryOfManufacture: countryCode.nullish(),
  ecommerceUrl: httpUrl.nullish(),
  careInstructions: freeText.nullish(),
  expectedLifespan: freeText.nullish(),
  recyclable: z.boolean().nullish(),
  recyclingInstructions: freeText.nullish(),
  materials: materials.nullish().describe('Replaces the whole composition; the percentages total 100'),
});

export const createProductBody = optionalFields.extend({ name: name() });
/** Any subset: a missing field stays as it is, `null` clears it. */
export const updateProductBody = optionalFields.extend({ name: name().optional() });

export type MaterialBody = z.output<typeof material>;
export type CreateProductBody = z.output<typeof createProductBody>;
export type UpdateProductBody = z.output<typeof updateProductBody>;

const fields = z.object({
  id: z.string(),
  name: z.string(),
  sku: z.string().nullable(),
  gtin: z.string().nullable(),
  externalId: z.string().nullable(),
  categoryId: z.string(),
  subcategory: z.string().nullable(),
  weightKg: z.number().nullable(),
  weightEstimated: z.boolean(),
  countryOfManufacture: z.string().nullable(),
  ecommerceUrl: z.string().nullable(),
  careInstructions: z.string().nullable(),
  expectedLifespan: z.string().nullable(),
  recyclable: z.boolean().nullable(),
  recyclingInstructions: z.string().nullable(),
  updatedAt: timestamp,
});

const warning = z.object({
  code: z.enum(['mapped', 'gtin_check_digit']),
  field: z.string(),
  message: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
});

export type Warning = z.output<typeof warning>;

export const productDetail = fields
  .extend({
    materials: z.array(
      z.object({
        materialType: z.string(),
        percentage: z.number(),
        originCountry: z.string().nullable(),
        suppliers: z.array(
          z.object({
            id: z.string(),
            factoryName: z.string(),
            tier: z.int(),
            state: z.string(),
          }),
        ),
      }),
    ),
    supplierName: z.string().nullable().describe('A supplier that an import named without an address'),
    warnings: z.array(warning).optional(),
  })
  .meta({ id: 'Product' });

export type ProductDetail = z.output<typeof productDetail>;

export const productList = listOf(
  fields.extend({ createdAt: timestamp, materialCount: z.int(), batchCount: z.int() }).meta({ id: 'ProductListItem' }),
);

export const publishedPassport = z.object({ qrUrl: z.string(), dppId: z.string() });

export const productParams = z.object({ id: id('prd') });
