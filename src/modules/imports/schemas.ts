import { z } from 'zod';
import { COMMIT_ROWS, VALIDATE_ROWS } from './limits.js';

const cell = z.union([z.string().max(5_000), z.number()]).nullish();
const percentage = z.union([z.number(), z.string().max(200)]).nullish();

const material = z.object({
  materialType: cell.describe('Id, name or synonym in any of the languages known'),
  percentage,
  originCountry: cell.describe('Code or name'),
});

/** What a row should be. Rows are not refused by it: a mistake in one is told in its own outcome. */
export const importRow = z.object({
  row: z.int().min(1).optional().describe("Number of the spreadsheet's row; position + 1 if absent"),
  name: cell,
  externalId: cell.describe('First match key; then `gtin`, then `sku`'),
  sku: cell,
  gtin: cell,
  category: cell.describe('Id or synonym of a category or sub-category; `categoryId` is taken too'),
  subcategory: cell,
  weightKg: cell.describe(
    'Per unit; 0.25 if absent, flagged as an estimate. Text may name its unit: `180 g`, `6.3 oz`',
  ),
  weightUnit: cell.describe('Unit of `weightKg` where that is not kg: g, lb or oz'),
  countryOfManufacture: cell,
  materials: z
    .array(material)
    .max(50)
    .nullish()
    .describe('Or `material1Type`, `material1Percent` ... or `composition`'),
  careInstructions: cell,
  expectedLifespanYears: cell,
  recyclable: z.union([z.boolean(), z.string().max(200), z.number()]).nullish(),
  recyclingInstructions: cell,
  ecommerceUrl: cell,
  supplierName: cell,
  supplierEmail: cell,
});

const shapeOfRow = z.toJSONSchema(importRow) as Record<string, unknown>;

const body = (maxRows: number) =>
  z.object({
    mode: z.enum(['create', 'upsert']).default('create').describe('`create` leaves matched products as they are'),
    rows: z
      .array(z.unknown().meta({ ...shapeOfRow, $schema: undefined }))
      .max(maxRows, `must have at most ${maxRows} rows; send the rest in further calls`),
  });

export const validateBody = body(VALIDATE_ROWS);
export const commitBody = body(COMMIT_ROWS);

const said = { field: z.string(), message: z.string() };

export const importAnswer = z.object({
  summary: z.object({
    create: z.int(),
    update: z.int(),
    unchanged: z.int(),
    skipped: z.int(),
    errors: z.int(),
    passports: z.int().describe('New and published again'),
  }),
  rows: z.array(
    z.object({
      row: z.int(),
      outcome: z.enum(['create', 'update', 'unchanged', 'skipped', 'error']),
      productId: z.string().optional(),
      dppId: z.string().optional(),
      errors: z.array(
        z.object({
          code: z.enum([
            'missing_name',
            'unknown_category',
            'unknown_material',
            'composition_total',
            'ambiguous_keys',
            'invalid_gtin',
            'gtin_precision_lost',
            'invalid_value',
            'formula_without_value',
          ]),
          ...said,
        }),
      ),
      warnings: z.array(
        z.object({
          code: z.enum([
            'missing_weight',
            'no_composition',
            'mapped',
            'composition_read',
            'gtin_check_digit',
            'unknown_country',
            'repeated_key',
            'origins_kept',
            'origins_removed',
            'variant_row',
          ]),
          ...said,
          from: z.string().optional(),
          to: z.string().optional(),
        }),
      ),
    }),
  ),
});
