import { z } from 'zod';
import { IMPORT_COUNTERS, type ImportCounts } from '../../core/vocabulary.js';
import { count } from '../../http/schemas.js';
import { ROW_RESULTS } from './contract.js';
import { COMMIT_ROWS, VALIDATE_ROWS } from './limits.js';

const cell = z.union([z.string().max(5_000), z.number()]).nullish();
const percentage = z.union([z.number(), z.string().max(200)]).nullish();

const material = z.object({
  materialType: cell.describe('Id, name or synonym in any of the languages known'),
  percentage,
  originCountry: cell.describe('Code or name'),
});

/** What a row should be. Rows are not refused by it: a mistake in one is told in its own outcome. */
export const importRow = z
  .object({
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
  })
  .meta({
    id: 'ImportRow',
    description: 'One product. Cells are taken as people write them; what was read from them is told',
  });

export const importMode = z.enum(['create', 'upsert']).meta({
  id: 'ImportMode',
  description: '`create` leaves matched products as they are, `upsert` changes them',
});

const ROWS = {
  mode: 'upsert',
  rows: [
    {
      name: 'Organic tee',
      externalId: 'pim-4712',
      weightKg: 0.18,
      materials: [{ materialType: 'organic cotton', percentage: 100, originCountry: 'Turkey' }],
    },
  ],
};

const body = (maxRows: number) =>
  z.object({
    mode: importMode.default('create'),
    rows: z
      // Described, and not checked here: a mistake in a row is told in its own outcome.
      .array(z.unknown().meta({ $ref: '#/components/schemas/ImportRowInput' }))
      .max(maxRows, `must have at most ${maxRows} rows; send the rest in further calls`),
  });

export const validateBody = body(VALIDATE_ROWS).meta({ id: 'ValidateRows', examples: [ROWS] });
export const commitBody = body(COMMIT_ROWS).meta({ id: 'CommitRows', examples: [ROWS] });

const said = { field: z.string(), message: z.string() };

const errorCode = z
  .enum([
    'missing_name',
    'unknown_category',
    'unknown_material',
    'composition_total',
    'ambiguous_keys',
    'invalid_gtin',
    'gtin_precision_lost',
    'invalid_value',
    'formula_without_value',
  ])
  .meta({ id: 'ImportErrorCode', description: 'Why a row is not imported' });
const warningCode = z
  .enum([
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
  ])
  .meta({ id: 'ImportWarningCode', description: 'What was read or assumed; the row is imported' });

const outcome = z.enum(ROW_RESULTS).meta({
  id: 'RowOutcome',
  description: 'What an import does with a row; in mode `create` a matched row is `skipped`',
});

const counters = Object.fromEntries(IMPORT_COUNTERS.map((counter) => [counter, count])) as Record<
  keyof ImportCounts,
  typeof count
>;

export const importSummary = z
  .object({ ...counters, passports: count.describe('New and published again') })
  .meta({ id: 'ImportSummary', description: 'How many rows had which outcome' });

const rowReport = z
  .object({
    row: z.int().min(1).describe("The spreadsheet's row"),
    outcome,
    productId: z.string().optional(),
    dppId: z.string().optional(),
    errors: z.array(z.object({ code: errorCode, ...said })),
    warnings: z.array(z.object({ code: warningCode, ...said, from: z.string().optional(), to: z.string().optional() })),
  })
  .meta({ id: 'ImportedRow', description: 'What an import does with one row, and what it says about it' });

export const importReport = z
  .object({ summary: importSummary, rows: z.array(rowReport) })
  .meta({ id: 'ImportReport', description: 'What an import does, or would do, row by row' });
