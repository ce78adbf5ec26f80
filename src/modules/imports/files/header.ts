import { createHash } from 'node:crypto';
import {
  columnLetters,
  isBlankCell,
  isBlankRow,
  type Cell,
  type Merge,
  type SheetRow,
} from '../../../infrastructure/spreadsheets/cells.js';
import { unreadable } from '../../../infrastructure/spreadsheets/refusals.js';
import { textKey } from '../../../reference-data/text-key.js';
import type { ImportMode } from '../contract.js';
import { recognize } from './recognize.js';

/** A column with a name; `index` counts from 0. */
export interface Column {
  readonly index: number;
  /** As the spreadsheet program shows it: `A`, `B`, ... */
  readonly letters: string;
  readonly header: string;
}

export interface Header {
  /** The last row of the header; the data begin below it. */
  readonly row: number;
  readonly columns: readonly Column[];
  /** Cells of the header, unnamed ones included. */
  readonly width: number;
  /** Identifies files with the same columns. */
  readonly fileType: string;
  /** Of the import whose errors these are; null for any other file. */
  readonly mode: ImportMode | null;
  readonly notes: readonly string[];
}

/** The header stands among the first of these. */
export const HEADER_WITHIN_ROWS = 30;
const MAX_HEADER_LENGTH = 200;
/** The column that the file of errors adds; sent back with it, a file is still one of its type, and goes in in the same mode. */
export const MESSAGE_HEADERS: Readonly<Record<ImportMode, string>> = {
  create: 'Import message',
  upsert: 'Import message (upsert)',
};

/**
 * Finds the header: the row among the first that has all the names that somebody has told, else the one whose cells are the best
 * known names of columns, else the first that is wide enough to be one. A header of two rows, where cells above were made one
 * (`Material 1` over `Type` and `Percent`), is read as one.
 */
export function findHeader(rows: readonly SheetRow[], merges: readonly Merge[], told: readonly string[] = []): Header {
  const filled = rows.slice(0, HEADER_WITHIN_ROWS).filter(({ cells }) => !isBlankRow(cells));
  if (filled.length === 0) throw unreadable('The sheet is empty.');
  const widest = Math.max(...filled.map(({ cells }) => filledCells(cells)));
  const candidates = filled.flatMap((row) => candidatesAt(row, rows, merges));
  // The file of errors tells it by itself.
  const named = [...Object.values(MESSAGE_HEADERS).map((name) => [name]), told]
    .filter((names) => names.length > 0)
    .map((names) => names.map(headerKey));
  const own = candidates.filter(({ texts }) => {
    const keys = new Set(texts.map(headerKey));
    return named.some((names) => names.every((name) => keys.has(name)));
  });
  const known = (own.length > 0 ? own : candidates).reduce((best, candidate) =>
    candidate.known > best.known ? candidate : best,
  );
  const wide = candidates.find(({ texts }) => texts.filter((text) => text !== '').length >= Math.max(1, widest / 2));
  const found = own.length > 0 || known.known > 0 ? known : (wide ?? known);
  return headerOf(found, filled[0]?.row ?? 1);
}

interface Candidate {
  readonly first: number;
  readonly last: number;
  readonly texts: readonly string[];
  readonly known: number;
}

function candidatesAt(row: SheetRow, rows: readonly SheetRow[], merges: readonly Merge[]): readonly Candidate[] {
  const single = candidate(row.row, row.row, row.cells.map(headerText));
  const below = rows.find(({ row: number }) => number === row.row + 1);
  const across = merges.filter(({ top, left, right }) => top === row.row && right > left);
  const isOneTitle = across.length === 1 && filledCells(row.cells) === 1;
  if (below === undefined || across.length === 0 || isOneTitle) return [single];
  if (!below.cells.every((cell) => cell === null || typeof cell === 'string')) return [single];
  const upper = row.cells.map(headerText);
  for (const { left, right } of across)
    for (let index = left + 1; index <= right; index++) upper[index] = upper[left] ?? '';
  const width = Math.max(upper.length, below.cells.length);
  const texts = Array.from({ length: width }, (_, index) =>
    [upper[index] ?? '', headerText(below.cells[index] ?? null)].filter((text) => text !== '').join(' '),
  );
  return [single, candidate(row.row, row.row + 1, texts)];
}

function candidate(first: number, last: number, texts: readonly string[]): Candidate {
  const fields = new Set(texts.flatMap((text) => recognize(text)?.field ?? []));
  return { first, last, texts, known: fields.size };
}

function headerOf({ first, last, texts }: Candidate, firstFilled: number): Header {
  const columns: Column[] = [];
  const notes: string[] = [];
  if (first > 1) {
    notes.push(
      first > firstFilled
        ? `The header was found in row ${last}; what stands above it is ignored.`
        : `The header was found in row ${first}; the rows above it are blank.`,
    );
  }
  const seen = new Map<string, Column>();
  let mode: ImportMode | null = null;
  for (const [index, text] of texts.entries()) {
    const messagesOf = modeOf(text);
    mode ??= messagesOf;
    if (text === '' || messagesOf !== null) continue;
    const column = { index, letters: columnLetters(index), header: text.slice(0, MAX_HEADER_LENGTH) };
    const twin = seen.get(headerKey(text));
    if (twin !== undefined) {
      throw unreadable(
        `The columns ${twin.letters} and ${column.letters} have the same name, "${column.header}". Rename or delete one of them.`,
      );
    }
    seen.set(headerKey(text), column);
    columns.push(column);
  }
  return { row: last, columns, width: texts.length, fileType: fileTypeOf(columns), mode, notes };
}

function modeOf(header: string): ImportMode | null {
  const modes = Object.keys(MESSAGE_HEADERS) as ImportMode[];
  return modes.find((mode) => headerKey(MESSAGE_HEADERS[mode]) === headerKey(header)) ?? null;
}

/** Two headers with one key are one name. */
export const headerKey = (header: string): string => textKey(header) || header.trim();

const fileTypeOf = (columns: readonly Column[]): string =>
  createHash('sha256')
    .update(columns.map(({ header }) => headerKey(header)).join('\n'))
    .digest('hex');

const filledCells = (cells: readonly Cell[]): number => cells.filter((cell) => !isBlankCell(cell)).length;

/** Every cell of the first rows is looked at as a name of a column; what comes after so many characters makes none. */
const headerText = (cell: Cell): string => {
  if (typeof cell === 'string') return cell.slice(0, MAX_HEADER_LENGTH).replace(/\s+/g, ' ').trim();
  return typeof cell === 'number' || typeof cell === 'boolean' ? String(cell) : '';
};
