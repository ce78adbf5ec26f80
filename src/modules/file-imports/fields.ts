import type { ImportField } from '../imports/index.js';

/** A column that a file may have, for the mapping, the template and its explanations. What else it is called: `recognize.ts`. */
export interface FileField {
  /** The name of the column, and of the field in a mapping. */
  readonly column: string;
  readonly field: ImportField;
  readonly explanation: string;
  readonly examples: readonly [string | number, string | number];
}

/** The columns of one material; their headers are recognized by words, see `recognize.ts`. */
const material = (
  number: 1 | 2 | 3,
  examples: Record<'type' | 'percent' | 'origin', FileField['examples']>,
): readonly FileField[] => [
  {
    column: `material_${number}_type`,
    field: `material${number}Type`,
    explanation: 'A material, by its name in one of the usual languages or by its id. For a passport.',
    examples: examples.type,
  },
  {
    column: `material_${number}_percent`,
    field: `material${number}Percent`,
    explanation: 'Its share in percent: 95, 95 % and 0.95 as a percentage all mean the same. The shares total 100.',
    examples: examples.percent,
  },
  {
    column: `material_${number}_origin`,
    field: `material${number}Origin`,
    explanation: 'The country that the fibre comes from: 2-letter code or name.',
    examples: examples.origin,
  },
];

/** Foreign files have it; in the template the weight is in kg. */
const UNIT_COLUMN = 'weight_unit';

/** Every column, in the order of the template. */
export const FILE_FIELDS: readonly FileField[] = [
  {
    column: 'name',
    field: 'name',
    explanation: 'The name of the product. The only column that every row needs.',
    examples: ['T-shirt Anna', 'Rain jacket Fjord'],
  },
  {
    column: 'external_id',
    field: 'externalId',
    explanation:
      'The key of the product in your own system. The first that a row is matched by, and the best: it never changes.',
    examples: ['STYLE-1001', 'STYLE-1002'],
  },
  {
    column: 'sku',
    field: 'sku',
    explanation: 'Your article number. Matched by if there is neither external_id nor gtin.',
    examples: ['TS-ANNA', 'JK-FJORD'],
  },
  {
    column: 'gtin',
    field: 'gtin',
    explanation:
      '8, 12, 13 or 14 digits. Format the column as text: a spreadsheet program turns long numbers into 4.01E+12.',
    examples: ['4012345678901', ''],
  },
  {
    column: 'category',
    field: 'category',
    explanation: 'Category or sub-category, by id or name. Without it the product is textile apparel.',
    examples: ['textile_apparel', 'jackets_coats'],
  },
  {
    column: 'subcategory',
    field: 'subcategory',
    explanation: 'Sub-category, by id or name; it sets the category too, and makes the footprint more exact.',
    examples: ['tshirts', ''],
  },
  {
    column: 'weight_kg',
    field: 'weightKg',
    explanation: 'Weight of one piece in kg. Without it the passport is calculated with 0.25 kg, flagged as estimated.',
    examples: [0.18, 0.65],
  },
  {
    column: UNIT_COLUMN,
    field: 'weightUnit',
    explanation: 'The unit of the weight, if that is not in kg: g, lb or oz.',
    examples: ['', ''],
  },
  {
    column: 'country_of_manufacture',
    field: 'countryOfManufacture',
    explanation: 'Where the product was made: 2-letter code or name.',
    examples: ['PT', 'Vietnam'],
  },
  {
    column: 'composition',
    field: 'composition',
    explanation: 'All materials in one cell, instead of the columns after it: "95% organic cotton, 5% elastane".',
    examples: ['', '60 % recycled polyester / 40 % polyamide'],
  },
  ...material(1, { type: ['organic cotton', ''], percent: [95, ''], origin: ['TR', ''] }),
  ...material(2, { type: ['elastane', ''], percent: [5, ''], origin: ['', ''] }),
  ...material(3, { type: ['', ''], percent: ['', ''], origin: ['', ''] }),
  {
    column: 'care_instructions',
    field: 'careInstructions',
    explanation: 'How to wash, dry and iron it, for the passport.',
    examples: ['Wash at 30 °C', 'Do not tumble dry'],
  },
  {
    column: 'expected_lifespan_years',
    field: 'expectedLifespanYears',
    explanation: 'For how many years the product is meant to be used.',
    examples: [5, 10],
  },
  {
    column: 'recyclable',
    field: 'recyclable',
    explanation: 'Yes or no, in English, German, French, Italian or Spanish.',
    examples: ['yes', 'no'],
  },
  {
    column: 'recycling_instructions',
    field: 'recyclingInstructions',
    explanation: 'Where it goes when it is no longer used, for the passport.',
    examples: ['Textile container', ''],
  },
  {
    column: 'ecommerce_url',
    field: 'ecommerceUrl',
    explanation: 'The page of the product in your shop; begins with https://.',
    examples: ['https://shop.example/anna', ''],
  },
  {
    column: 'supplier_name',
    field: 'supplierName',
    explanation: 'Who makes the product. Nobody is written to.',
    examples: ['Fiação do Norte', ''],
  },
  {
    column: 'supplier_email',
    field: 'supplierEmail',
    explanation: 'Their address: the supplier is recorded under it, to be invited later. Nobody is written to.',
    examples: ['quality@fiacao.example', ''],
  },
];

const BY_COLUMN = new Map(FILE_FIELDS.map((field) => [field.column, field]));

export const TEMPLATE_FIELDS = FILE_FIELDS.filter(({ column }) => column !== UNIT_COLUMN);

/** The names that a mapping may use. */
export const FILE_COLUMNS: readonly string[] = FILE_FIELDS.map(({ column }) => column);

export const fieldOfColumn = (column: string): FileField | null => BY_COLUMN.get(column) ?? null;
