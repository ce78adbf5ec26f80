import { quoted, wrongValue } from './cells.js';
import { IMPORT_FIELDS, type ImportField, type ImportRow } from './contract.js';

/** Names of the product's own record, taken as the column's. */
const ALIASES = [
  ['category', 'categoryId'],
  ['expectedLifespanYears', 'expectedLifespan'],
] as const;

/** The header of a sheet is row 1. */
const FIRST_ROW = 2;
const MAX_ROW = 10_000_000;

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
    return { rowNumber: number, cells: cellsOf(sent) };
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
