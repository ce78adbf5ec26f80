/*
 * The words of rows. A file (`file-imports`), a JSON call and the CSV call turn what they get into `ImportRow`s; everything from
 * there on is the same for all three.
 */

/** `create` leaves matched products as they are; `upsert` changes them. */
export type ImportMode = 'create' | 'upsert';

/**
 * The columns in camelCase, and what else a row may hold: `materials` (JSON), `composition` (all of it in one cell), and the
 * unit of a weight that is not in kg.
 */
export const IMPORT_FIELDS = [
  'name',
  'externalId',
  'sku',
  'gtin',
  'category',
  'subcategory',
  'weightKg',
  'weightUnit',
  'countryOfManufacture',
  'material1Type',
  'material1Percent',
  'material1Origin',
  'material2Type',
  'material2Percent',
  'material2Origin',
  'material3Type',
  'material3Percent',
  'material3Origin',
  'materials',
  'composition',
  'careInstructions',
  'expectedLifespanYears',
  'recyclable',
  'recyclingInstructions',
  'ecommerceUrl',
  'supplierName',
  'supplierEmail',
] as const;

export type ImportField = (typeof IMPORT_FIELDS)[number];

/**
 * One row as it was read. A cell is a string, a number or a boolean as the sheet holds it (a GTIN in a number cell stays a
 * number, a cell with a percent format is its shown text, `95%`); blank is `null`, absent or only spaces. Anything else is
 * a mistake of the row.
 */
export interface ImportRow {
  /** As the person sees it: the header of a sheet is row 1. No two rows of a call have the same. */
  readonly rowNumber: number;
  readonly cells: Readonly<Partial<Record<ImportField, unknown>>>;
  /** The product that it is a further variant of: the row makes none of its own, and its cells are not read. */
  readonly variantOf?: string;
  /** Mistakes found while reading the cells, such as a formula without a value: the row is an error row. */
  readonly errors?: readonly RowError[];
  /** What the reader wants to say about cells that it could read. */
  readonly warnings?: readonly RowWarning[];
}

/** A row of the same file that an earlier call has imported. */
export interface EarlierRow {
  readonly productId: string;
  readonly row: ImportRow;
  /** Whether the product came from it. */
  readonly made: boolean;
  /** The latest passport of the product, as it was after the row. */
  readonly dppId: string | null;
}

export type RowErrorCode =
  | 'missing_name'
  | 'unknown_category'
  | 'unknown_material'
  | 'composition_total'
  | 'ambiguous_keys'
  | 'invalid_gtin'
  | 'gtin_precision_lost'
  | 'invalid_value'
  | 'formula_without_value';

export type RowWarningCode =
  | 'missing_weight'
  | 'no_composition'
  | 'mapped'
  | 'composition_read'
  | 'gtin_check_digit'
  | 'unknown_country'
  | 'repeated_key'
  | 'origins_kept'
  | 'origins_removed'
  | 'variant_row';

/** `field` is an `ImportField`, or a path into `materials` (`materials.0.percentage`). */
export interface RowError {
  readonly code: RowErrorCode;
  readonly field: string;
  readonly message: string;
}

export interface RowWarning {
  readonly code: RowWarningCode;
  readonly field: string;
  readonly message: string;
  readonly from?: string;
  readonly to?: string;
}

export const ROW_RESULTS = ['create', 'update', 'unchanged', 'skipped', 'error'] as const;
export type RowResult = (typeof ROW_RESULTS)[number];

/** What a row will do (`planRows`) or did (`commitRows`); its messages begin with the row's number. */
export interface RowOutcome {
  readonly row: number;
  readonly outcome: RowResult;
  /** Absent for errors and for products that are not born yet. */
  readonly productId?: string;
  /** The latest passport of the product, if it has one. */
  readonly dppId?: string;
  /** New or published again because of this row. */
  readonly passports: number;
  readonly errors: readonly RowError[];
  readonly warnings: readonly RowWarning[];
}

/** Where rows come from. It stands in the metadata of every event that a row leads to. */
export interface ImportSource {
  /** `imp_...`; the same for every try of the same import. */
  readonly importId: string;
  /** SHA-256 of the file's bytes in hex; null for rows that came as JSON. */
  readonly fileHash: string | null;
}

/** What `readComposition` in `composition.ts` makes of "95% organic cotton, 5% elastane". */
export type CompositionRead =
  | {
      readonly ok: true;
      readonly materials: readonly {
        readonly materialType: string;
        readonly percentage: number;
        readonly originCountry: string | null;
      }[];
      /** How the text was read, for the person: code `composition_read`. */
      readonly message: string;
    }
  | {
      readonly ok: false;
      readonly code: 'unknown_material' | 'composition_total' | 'invalid_value';
      readonly message: string;
    };
