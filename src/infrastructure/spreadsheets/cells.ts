import type { NamedEncoding } from './encoding-guess.js';

/** A cell as the person wrote it; plain JSON, so that it can be kept and written back. */
export type Cell = string | number | boolean | null | SpecialCell;

export type SpecialCell =
  /** A number formatted as a percentage: 0.95 is shown as 95 %. */
  | { readonly kind: 'percent'; readonly value: number }
  /** A number whose format puts a word behind it: 180 is shown as `180 g`. */
  | { readonly kind: 'labelled'; readonly value: number; readonly label: string }
  /** `YYYY-MM-DD`. */
  | { readonly kind: 'date'; readonly value: string }
  /** What a formula could not compute, such as `#DIV/0!`. */
  | { readonly kind: 'error'; readonly value: string }
  /** A formula whose result is not in the file. */
  | { readonly kind: 'formula'; readonly value: string }
  /** More text than a cell of a spreadsheet holds; it is not kept. */
  | { readonly kind: 'overlong'; readonly length: number };

/** A row under its number in the sheet, which begins at 1 and counts blank rows. */
export interface SheetRow {
  readonly row: number;
  readonly cells: readonly Cell[];
}

/** Cells that were made one, in the upper part of the sheet; rows from 1, columns from 0, all inclusive. */
export interface Merge {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The first rows of a sheet, long texts cut: enough to see what it is. */
export interface SheetTop {
  readonly name: string;
  readonly rows: readonly SheetRow[];
  readonly merges: readonly Merge[];
}

/** So many rows are looked at to see what a sheet holds, and where its header stands. */
export const TOP_ROWS = 30;

/** What the caller knows of a file. */
export interface ReadOptions {
  /** The sheet of a workbook; else the first that can be seen and holds something. */
  readonly sheet?: string | undefined;
  /** Of a CSV; else it is found out. */
  readonly encoding?: NamedEncoding | undefined;
}

export interface SheetHead {
  readonly format: 'xlsx' | 'csv';
  /** Name of the sheet that is read. */
  readonly sheet: string | null;
  /** The sheets of a workbook that can be seen and hold something, in their order; none of a CSV. */
  readonly sheets: readonly SheetTop[];
  /** What a person should know about how the file was read. */
  readonly notes: readonly string[];
  readonly merges: readonly Merge[];
}

/** Bounds of a file; all of them can be told before its cells are kept. */
export interface SpreadsheetLimits {
  /** Rows with something in them. */
  readonly rows: number;
  readonly columns: number;
  readonly timeLimitMs: number;
  readonly memoryMb: number;
}

/** What a cell of a spreadsheet program holds at most, in characters. */
export const MAX_CELL_LENGTH = 32_767;

export const isBlankCell = (cell: Cell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && !VISIBLE.test(cell));

/** Anything but blanks and signs without a width, which look like nothing. */
const VISIBLE = /[^\s\u00ad\u200b-\u200d\u2060]/;

export const isBlankRow = (cells: readonly Cell[]): boolean => cells.every(isBlankCell);

export const textCell = (text: string): Cell =>
  text.length > MAX_CELL_LENGTH ? { kind: 'overlong', length: text.length } : text;

/** The letters over a column: 0 is A, 27 is AB. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest === 0 ? '' : columnLetters(rest - 1)}${String.fromCharCode(65 + (index % 26))}`;
}
