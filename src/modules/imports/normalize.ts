import { setImmediate as afterOthers } from 'node:timers/promises';
import { holdsWebAddress } from '../../core/web-address.js';
import { findCategory, findSubcategory } from '../../reference-data/categories.js';
import type { RowFields } from '../products/index.js';
import {
  booleanIn,
  isBlank,
  mapped,
  numberIn,
  quoted,
  remembering,
  textOf,
  withoutTextMark,
  wrongValue,
  type Notes,
} from './cells.js';
import type { ImportField, ImportRow, RowError, RowWarning } from './contract.js';
import { gtinOf } from './gtin-cell.js';
import { countryOf, materialsOf } from './materials-of-row.js';
import { weightOf } from './weight-cell.js';

/** A row in the service's own words. */
export interface NormalizedRow {
  readonly rowNumber: number;
  /** What the row says about the product; blank cells are absent. Not to be used when there are errors. */
  readonly fields: RowFields;
  /** The row is a further variant of a product and does nothing. */
  readonly isVariant: boolean;
  /** Whom to record as a supplier; a name without an address stands in `fields`. */
  readonly supplier: { readonly name: string | null; readonly email: string } | null;
  readonly errors: readonly RowError[];
  readonly warnings: readonly RowWarning[];
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

const isOfComposition = (field: string): boolean => /^(material|composition)/.test(field);

const LINE = { max: 200, oneLine: true };
/** A shop may name many categories, each with the way to it. */
const PATHS = { max: 2_000, oneLine: true };
const FREE_TEXT = { max: 5_000, oneLine: false };
const categoryNamed = remembering(findCategory);
const subcategoryNamed = remembering(findSubcategory);

const MAX_YEARS = 1_000;
const EMAIL = /^[^\s@<>()",;:\\[\]]+@[^\s@.<>()",;:\\[\]]+(?:\.[^\s@.<>()",;:\\[\]]+)+$/;

/** Reads the cells of a row: all its mistakes at once, and a warning for everything that was not taken as it stood. */
export function normalizeRow({ rowNumber, cells, variantOf, errors = [], warnings = [] }: ImportRow): NormalizedRow {
  if (variantOf !== undefined) return variantRow(rowNumber, variantOf);
  const notes: Notes = { errors: [...errors], warnings: [...warnings] };
  // A cell that could not be read is not missing as well.
  const unread = new Set(errors.map(({ field }) => field));
  const text = (field: ImportField, bounds: typeof LINE) => textOf(notes, field, cells[field], bounds) ?? undefined;

  const isNameMissing = isBlank(cells.name) && !unread.has('name');
  if (isNameMissing) notes.errors.push({ code: 'missing_name', field: 'name', message: 'The name is missing.' });
  const nameText = (field: 'name' | 'supplierName') => {
    const value = text(field, LINE);
    if (value === undefined || !holdsWebAddress(value)) return value;
    // Names stand in mails to factories.
    notes.errors.push(wrongValue(field, `"${field}" must not hold a web address.`));
    return undefined;
  };
  const supplierName = nameText('supplierName');
  const email = emailOf(notes, cells.supplierEmail);
  const fields: Mutable<RowFields> = { name: nameText('name') ?? '' };
  const say = <Field extends keyof RowFields>(field: Field, value: RowFields[Field] | null | undefined): void => {
    if (value != null) fields[field] = value;
  };
  say('externalId', codeOf(notes, cells, 'externalId'));
  say('sku', codeOf(notes, cells, 'sku'));
  say('gtin', gtinOf(notes, cells.gtin));
  const category = categoryOf(notes, cells);
  say('categoryId', category?.categoryId);
  say('subcategory', category?.subcategory);
  say('weightKg', weightOf(notes, cells.weightKg, cells.weightUnit));
  say('countryOfManufacture', countryOf(notes, 'countryOfManufacture', cells.countryOfManufacture));
  if (errors.length === 0 || ![...unread].some(isOfComposition)) say('materials', materialsOf(notes, cells));
  say('careInstructions', text('careInstructions', FREE_TEXT));
  say('expectedLifespan', lifespanOf(notes, cells.expectedLifespanYears));
  say('recyclable', recyclableOf(notes, cells.recyclable));
  say('recyclingInstructions', text('recyclingInstructions', FREE_TEXT));
  say('ecommerceUrl', urlOf(notes, cells.ecommerceUrl));
  if (email === null) say('supplierName', supplierName);
  const supplier = email === null ? null : { name: supplierName ?? null, email };
  return { rowNumber, fields, isVariant: false, supplier, errors: notes.errors, warnings: notes.warnings };
}

/** Nobody else in the process waits longer because of rows, however many of them there are and whatever they hold. */
const AT_A_TIME_MS = 10;

/** Reads rows one after the other, and lets others have their turn in between. */
export async function normalizeRows(rows: readonly ImportRow[]): Promise<readonly NormalizedRow[]> {
  const normalized: NormalizedRow[] = [];
  let since = performance.now();
  for (const row of rows) {
    normalized.push(normalizeRow(row));
    if (performance.now() - since < AT_A_TIME_MS) continue;
    await afterOthers();
    since = performance.now();
  }
  return normalized;
}

const variantRow = (rowNumber: number, of: string): NormalizedRow => ({
  ...{ rowNumber, fields: { name: '' }, isVariant: true, supplier: null, errors: [] },
  warnings: [
    {
      ...{ code: 'variant_row', field: 'row' },
      message: `A further variant of ${quoted(of)}. A product is one style, so the row makes none.`,
    },
  ],
});

function codeOf(notes: Notes, cells: ImportRow['cells'], field: 'externalId' | 'sku'): string | undefined {
  const written = textOf(notes, field, cells[field], LINE);
  if (written === null) return undefined;
  const code = withoutTextMark(written);
  if (code !== written) notes.warnings.push(mapped(field, written, code));
  return code === '' ? undefined : code;
}

/** Both columns take ids and synonyms of both levels; a sub-category brings its category along. */
function categoryOf(
  notes: Notes,
  cells: ImportRow['cells'],
): { readonly categoryId: string; readonly subcategory: string | null } | null {
  const find = (field: 'category' | 'subcategory', lookUp: typeof findCategory) => {
    const cell = textOf(notes, field, cells[field], PATHS);
    if (cell === null) return null;
    const found = lookUp(cell);
    if (found === null) {
      notes.errors.push({ code: 'unknown_category', field, message: `Nobody knows the category ${quoted(cell)}.` });
    } else if (found.mapped) notes.warnings.push(mapped(field, cell, found.subcategory ?? found.categoryId));
    return found;
  };
  const category = find('category', categoryNamed);
  const subcategory = find('subcategory', subcategoryNamed);
  if (category !== null && subcategory !== null && category.categoryId !== subcategory.categoryId) {
    notes.errors.push(
      wrongValue(
        'subcategory',
        `"${subcategory.subcategory}" belongs to category "${subcategory.categoryId}", not to "${category.categoryId}".`,
      ),
    );
    return null;
  }
  return subcategory ?? category;
}

const YEARS = /^(\d+(?:[.,]\d+)?)(?:\s*(?:years?|yrs?|y|jahre?|j|ans?|annees?|anni|anno|anos?|a)\.?)?$/;

/** Years, stored as the text that the passport shows. */
function lifespanOf(notes: Notes, value: unknown): string | undefined {
  if (isBlank(value)) return undefined;
  const written = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const found = YEARS.exec(written.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''));
  const years = found?.[1] === undefined ? null : numberIn(found[1]);
  if (years === null || years <= 0 || years > MAX_YEARS) {
    notes.errors.push(
      wrongValue('expectedLifespanYears', `The expected lifespan must be a number of years, not ${quoted(value)}.`),
    );
    return undefined;
  }
  const text = `${years} ${years === 1 ? 'year' : 'years'}`;
  const isPlain = numberIn(value) !== null || written === text;
  if (!isPlain) notes.warnings.push(mapped('expectedLifespanYears', written, text));
  return text;
}

function recyclableOf(notes: Notes, value: unknown): boolean | undefined {
  if (isBlank(value)) return undefined;
  const found = booleanIn(value);
  if (found === null) {
    notes.errors.push(wrongValue('recyclable', `"recyclable" must be yes or no, not ${quoted(value)}.`));
    return undefined;
  }
  if (!found.plain) notes.warnings.push(mapped('recyclable', String(value).trim(), found.is ? 'yes' : 'no'));
  return found.is;
}

function urlOf(notes: Notes, value: unknown): string | undefined {
  const text = textOf(notes, 'ecommerceUrl', value, { max: 2_000, oneLine: true });
  if (text === null) return undefined;
  if (/^https?:\/\/[^/]/i.test(text) && URL.canParse(text) && !/\s/.test(text)) return text;
  notes.errors.push(
    wrongValue('ecommerceUrl', `The address must begin with http:// or https:// and be complete, not ${quoted(text)}.`),
  );
  return undefined;
}

/** The address itself is not repeated in the message: it is a person's. */
function emailOf(notes: Notes, value: unknown): string | null {
  const text = textOf(notes, 'supplierEmail', value, { max: 254, oneLine: true });
  if (text === null) return null;
  const email = text.toLowerCase();
  if (EMAIL.test(email)) return email;
  notes.errors.push(wrongValue('supplierEmail', 'The address of the supplier is no e-mail address.'));
  return null;
}
