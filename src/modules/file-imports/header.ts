import { createHash } from 'node:crypto';
import {
  columnLetters,
  isBlankCell,
  isBlankRow,
  TOP_ROWS,
  type Cell,
  type Merge,
  type SheetRow,
  type SheetTop,
} from '../../infrastructure/spreadsheets/cells.js';
import { unreadable } from '../../infrastructure/spreadsheets/refusals.js';
import { textKey } from '../../reference-data/text-key.js';
import type { ImportMode } from '../imports/index.js';
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
  const { filled, candidates, own, known, widest } = search(rows, merges, told);
  if (known === undefined) throw unreadable('The sheet is empty.');
  const wide = candidates.find(({ texts }) => texts.filter((text) => text !== '').length >= Math.max(1, widest / 2));
  const found = own.length > 0 || known.known > 0 ? known : (wide ?? known);
  return headerOf(found, filled[0]?.row ?? 1);
}

/**
 * The sheet that is most like a catalogue: the one with the names that somebody has told, else with the best known names of
 * columns, else the widest; the first of equals. A cover or a legend before it is passed over.
 */
export function likeliestSheet(sheets: readonly SheetTop[], told: readonly string[]): string | null {
  const found = sheets.map(({ name, rows, merges }) => ({ name, ...search(rows, merges, told) }));
  const rank = ({ own, known, widest }: (typeof found)[number]): readonly number[] => [
    own.length > 0 ? 1 : 0,
    known?.known ?? 0,
    known === undefined || known.known > 0 ? 0 : widest,
  ];
  const [best] = found.toSorted((a, b) => {
    const [ranksA, ranksB] = [rank(a), rank(b)];
    return ranksB.map((value, place) => value - (ranksA[place] ?? 0)).find((difference) => difference !== 0) ?? 0;
  });
  return best?.name ?? null;
}

function search(rows: readonly SheetRow[], merges: readonly Merge[], told: readonly string[]) {
  const filled = rows.slice(0, TOP_ROWS).filter(({ cells }) => !isBlankRow(cells));
  const candidates = filled.flatMap((row) => candidatesAt(row, rows, merges));
  // The file of errors tells it by itself.
  const named = [...Object.values(MESSAGE_HEADERS).map((name) => [name]), told]
    .filter((names) => names.length > 0)
    .map((names) => names.map(headerKey));
  const own = candidates.filter(({ texts }) => {
    const keys = new Set(texts.map(headerKey));
    return named.some((names) => names.every((name) => keys.has(name)));
  });
  const known = (own.length > 0 ? own : candidates).reduce<Candidate | undefined>(
    (best, candidate) => (best === undefined || candidate.known > best.known ? candidate : best),
    undefined,
  );
  return { filled, candidates, own, known, widest: Math.max(0, ...filled.map(({ cells }) => filledCells(cells))) };
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
