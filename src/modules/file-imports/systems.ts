import { isBlankCell, type Cell } from '../../infrastructure/spreadsheets/cells.js';
import { readJson } from '../../reference-data/tables.js';
import { textKey } from '../../reference-data/text-key.js';
import type { Column } from './header.js';

/** A system whose exports are known by their columns, and read by what those mean there: an entry of `import_systems.json`. */
export interface KnownSystem {
  readonly name: string;
  /** All names of one of these lists are columns of its export. */
  readonly signs: readonly (readonly string[])[];
  /** Its columns that mean something else than their names say elsewhere. */
  readonly columns: Readonly<Record<string, string>>;
  /** Columns that are not to be imported, and why. */
  readonly ignored?: Readonly<Record<string, string>>;
  /** What stands before the names of the brand's own columns. */
  readonly prefix?: string;
  /** Rows that are part of the product that `product` names, known by what stands in `mark`. */
  readonly variants?: {
    readonly product: readonly string[];
    readonly mark: string;
    readonly is: 'blank' | 'variation';
  };
  /** What whoever uploads it is told. */
  readonly notes?: readonly string[];
}

const SYSTEMS = readJson('import_systems') as readonly KnownSystem[];

const COLUMNS = new Map(
  SYSTEMS.map(({ name, columns, ignored = {} }) => [
    name,
    new Map<string, string | null>([
      ...Object.entries(columns).map(([header, field]) => [textKey(header), field] as const),
      ...Object.keys(ignored).map((header) => [textKey(header), null] as const),
    ]),
  ]),
);

/** The system that a file with these columns was exported from, if it is a known one. */
export function systemOf(columns: readonly Pick<Column, 'header'>[]): KnownSystem | null {
  const keys = new Set(columns.map(({ header }) => textKey(header)));
  return SYSTEMS.find(({ signs }) => signs.some((names) => names.every((name) => keys.has(textKey(name))))) ?? null;
}

/** The field that a column is in a system's export, null for one that is not to be imported; undefined if it is as elsewhere. */
export const fieldInSystem = (system: KnownSystem, header: string): string | null | undefined =>
  COLUMNS.get(system.name)?.get(textKey(header));

/** Its name without what the system puts before the brand's own columns. */
export const ownName = (system: KnownSystem | null, header: string): string =>
  system?.prefix !== undefined && header.startsWith(system.prefix) ? header.slice(system.prefix.length) : header;

/** How to tell rows that belong to the product of another row, by the places of their cells. */
export interface VariantRows {
  readonly product: number;
  readonly mark: number;
  readonly is: 'blank' | 'variation';
}

export function variantRowsOf(columns: readonly Column[]): VariantRows | null {
  const variants = systemOf(columns)?.variants;
  if (variants === undefined) return null;
  const placeOf = (names: readonly string[]): number | undefined =>
    columns.find(({ header }) => names.some((name) => textKey(name) === textKey(header)))?.index;
  const [product, mark] = [placeOf(variants.product), placeOf([variants.mark])];
  return product === undefined || mark === undefined ? null : { product, mark, is: variants.is };
}

/** The product that a row belongs to without making it; null for a row of its own. */
export function productOfVariant(cells: readonly Cell[], rule: VariantRows | null): string | null {
  if (rule === null) return null;
  const [product = null, mark = null] = [cells[rule.product], cells[rule.mark]];
  const isVariant =
    rule.is === 'blank'
      ? isBlankCell(mark) && !isBlankCell(product)
      : typeof mark === 'string' && mark.split(',').some((type) => type.trim().toLowerCase() === 'variation');
  if (!isVariant) return null;
  return typeof product === 'string' || typeof product === 'number' ? String(product).trim() : '';
}
