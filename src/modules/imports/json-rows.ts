import { textKey } from '../../reference-data/text-key.js';
import { quoted, wrongValue } from './cells.js';
import { IMPORT_FIELDS, type ImportField, type ImportRow, type RowError } from './contract.js';

/** Names of the product's own record, taken as the column's. */
const ALIASES = [
  ['category', 'categoryId'],
  ['expectedLifespanYears', 'expectedLifespan'],
] as const;

/** The header of a sheet is row 1. */
const FIRST_ROW = 2;
const MAX_ROW = 10_000_000;
/** A longer list is refused whatever it holds. */
const MAX_MATERIALS = 50;

/** Rows as a client sends them; whatever is wrong with one is told in its outcome. */
export function rowsOfJson(rows: readonly unknown[]): readonly ImportRow[] {
  const taken = new Set<number>();
  return rows.map((row, index) => {
    const position = index + FIRST_ROW;
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      return refused(taken, position, `A row must be an object, not ${quoted(row)}.`);
    }
    const sent = row as Readonly<Record<string, unknown>>;
    const { row: number = position } = sent;
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1 || number > MAX_ROW) {
      return refused(taken, position, `"row" must be the number of a row, not ${quoted(number)}.`);
    }
    if (taken.has(number)) return refused(taken, position, `Two rows of the call are numbered ${number}.`);
    taken.add(number);
    const errors = misspeltIn(sent);
    return { rowNumber: number, cells: cellsOf(sent), ...(errors.length > 0 && { errors }) };
  });
}

const bare = (name: string): string => textKey(name).replaceAll(' ', '');
const namesOf = (fields: readonly string[]) => new Map(fields.map((field) => [bare(field), field]));
const ROW_NAMES = namesOf([...IMPORT_FIELDS, ...ALIASES.map(([, alias]) => alias), 'row']);
const MATERIAL_NAMES = namesOf(['materialType', 'percentage', 'originCountry']);
/** No name of a field is written longer. */
const MAX_NAME_LENGTH = 60;

/** Names that are a field's, written otherwise (`external_id`). Other names are of columns that nobody asked for. */
function misspeltIn(sent: Readonly<Record<string, unknown>>): readonly RowError[] {
  const { materials } = sent;
  const ofMaterials = (Array.isArray(materials) ? (materials as readonly unknown[]) : [])
    .slice(0, MAX_MATERIALS)
    .flatMap((material, index) =>
      typeof material === 'object' && material !== null
        ? misspelt(material, MATERIAL_NAMES, `materials.${index}.`)
        : [],
    );
  return [...misspelt(sent, ROW_NAMES, ''), ...ofMaterials];
}

function misspelt(sent: object, names: ReadonlyMap<string, string>, path: string): readonly RowError[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const field = value == null || name.length > MAX_NAME_LENGTH ? undefined : names.get(bare(name));
    if (field === undefined || field === name) return [];
    return [wrongValue(`${path}${field}`, `A row has no field ${quoted(name)}; it is called "${field}".`)];
  });
}

/** Those that are there: most of the columns are not. */
function cellsOf(sent: Readonly<Record<string, unknown>>): ImportRow['cells'] {
  const cells: Partial<Record<ImportField, unknown>> = {};
  for (const field of IMPORT_FIELDS) {
    const value = sent[field];
    if (value != null) cells[field] = value;
  }
  for (const [field, alias] of ALIASES) {
    if (cells[field] === undefined && sent[alias] != null) cells[field] = sent[alias];
  }
  return cells;
}

/** A row without a number of its own is told by its place, or by the next number that is free. */
function refused(taken: Set<number>, position: number, message: string): ImportRow {
  let rowNumber = position;
  while (taken.has(rowNumber)) rowNumber += 1;
  taken.add(rowNumber);
  return { rowNumber, cells: {}, errors: [wrongValue('name', message)] };
}
