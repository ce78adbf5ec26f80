import type ExcelJS from 'exceljs';
import {
  columnLetters,
  isBlankRow,
  textCell,
  TOP_ROWS,
  type Cell,
  type Merge,
  type SheetHead,
  type SheetRow,
  type SheetTop,
} from './cells.js';
import { takeElementsOfOthers } from './exceljs-elements.js';
import { keepResultsOfFormulas } from './exceljs-formulas.js';
import { noSheet, unreadable } from './refusals.js';
import type { SpreadsheetLimits } from './cells.js';
import { checkWorkbook } from './zip-check.js';

/** A workbook of more sheets is nobody's catalogue. */
const MAX_TOPS = 50;
/** No name of a column is longer. */
const TOP_TEXT_LENGTH = 200;
const ROWS_AT_ONCE = 500;

/** Neither has anything to do with cells; validations over whole columns would be unfolded cell by cell. */
const IGNORED = [
  'dataValidations',
  'conditionalFormatting',
  'extLst',
  'drawing',
  'legacyDrawing',
  'picture',
  'tableParts',
];

/** Reads the sheet that is named, else the first visible one that has anything in it. */
export async function* readXlsx(
  path: string,
  limits: SpreadsheetLimits,
  sheetName: string | null,
): AsyncGenerator<SheetHead | readonly SheetRow[]> {
  await checkWorkbook(path, limits);
  // Loaded only for a workbook: it takes longer to load than most CSVs to read.
  const { default: Excel } = await import('exceljs');
  keepResultsOfFormulas();
  takeElementsOfOthers();
  const workbook = new Excel.Workbook();
  try {
    await workbook.xlsx.readFile(path, { ignoreNodes: IGNORED });
  } catch {
    throw unreadable(
      'The workbook is damaged: its parts do not fit together. Open it in a spreadsheet program and save it again.',
    );
  }
  const { sheet, sheets, notes } = chooseSheet(workbook, sheetName);
  const tops = sheets.slice(0, MAX_TOPS).map((one) => topOf(one, limits.columns));
  yield { format: 'xlsx', sheet: sheet.name, sheets: tops, notes, merges: mergesOf(sheet) };
  let batch: SheetRow[] = [];
  let widest = 0;
  for (let number = 1; number <= sheet.rowCount; number++) {
    const cells = cellsOf(sheet.findRow(number));
    widest = Math.max(widest, cells.length);
    if (widest > limits.columns) throw tooWide(widest, limits.columns);
    batch.push({ row: number, cells });
    if (batch.length >= ROWS_AT_ONCE) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}

const tooWide = (columns: number, limit: number) =>
  unreadable(`The sheet has ${columns} columns (up to ${columnLetters(columns - 1)}); at most ${limit} are read.`);

interface Chosen {
  readonly sheet: ExcelJS.Worksheet;
  /** Those that can be seen and hold something. */
  readonly sheets: readonly ExcelJS.Worksheet[];
  readonly notes: readonly string[];
}

function chooseSheet(workbook: ExcelJS.Workbook, name: string | null): Chosen {
  const visible = workbook.worksheets.filter(({ state }) => state === 'visible' || (state as unknown) === undefined);
  const sheets = visible.filter(hasValues);
  const hidden = workbook.worksheets.filter((sheet) => !visible.includes(sheet));
  const sheet = name === null ? sheets[0] : workbook.worksheets.find((one) => one.name.trim() === name.trim());
  const names = (some: readonly ExcelJS.Worksheet[]) => some.map((one) => `"${one.name}"`).join(', ');
  if (sheet === undefined && name !== null) {
    throw noSheet(`The workbook has no sheet "${name}"; it has ${names(workbook.worksheets).slice(0, 500)}.`);
  }
  if (sheet === undefined) {
    throw unreadable(
      hidden.some(hasValues)
        ? 'The workbook has values on hidden sheets only, and those are not read. Show the sheet and save the file again.'
        : 'The workbook is empty: no sheet has a value in it.',
    );
  }
  const others = sheets.filter((other) => other !== sheet);
  const unseen = hidden.filter((other) => other !== sheet);
  return {
    sheet,
    sheets,
    notes: [
      ...(others.length === 0 ? [] : [`Only the sheet "${sheet.name}" was read, not ${names(others)}.`]),
      ...(unseen.length === 0 ? [] : [`Hidden sheets are ignored: ${names(unseen)}.`]),
    ],
  };
}

function topOf(sheet: ExcelJS.Worksheet, columns: number): SheetTop {
  const cut = (cell: Cell): Cell => (typeof cell === 'string' ? cell.slice(0, TOP_TEXT_LENGTH) : cell);
  const rows = Array.from({ length: Math.min(sheet.rowCount, TOP_ROWS) }, (_, index) => ({
    row: index + 1,
    cells: cellsOf(sheet.findRow(index + 1))
      .slice(0, columns)
      .map(cut),
  }));
  return { name: sheet.name, rows, merges: mergesOf(sheet) };
}

function hasValues(sheet: ExcelJS.Worksheet): boolean {
  for (let number = 1; number <= sheet.rowCount; number++) {
    if (!isBlankRow(cellsOf(sheet.findRow(number)))) return true;
  }
  return false;
}

/** Merges below the top are a matter of the data: only their first cell has a value. */
function mergesOf(sheet: ExcelJS.Worksheet): readonly Merge[] {
  const merges: Merge[] = [];
  for (const range of sheet.model.merges) {
    const [from = '', to = from] = String(range).split(':');
    const [first, last] = [place(from), place(to)];
    if (first === null || last === null || first.row > TOP_ROWS) continue;
    merges.push({ top: first.row, bottom: last.row, left: first.column, right: last.column });
  }
  return merges;
}

function place(address: string): { row: number; column: number } | null {
  const match = /^\$?([A-Z]+)\$?(\d+)$/.exec(address);
  if (match?.[1] === undefined) return null;
  const column = [...match[1]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return { row: Number(match[2]), column };
}

function cellsOf(row: ExcelJS.Row | undefined): readonly Cell[] {
  if (row === undefined) return [];
  const cells: Cell[] = [];
  row.eachCell({ includeEmpty: false }, (cell, column) => {
    const value = cellOf(cell);
    if (value === null) return;
    while (cells.length < column - 1) cells.push(null);
    cells[column - 1] = value;
  });
  return cells;
}

function cellOf(cell: ExcelJS.Cell): Cell {
  // Read again in each of its cells, a merged header would look like columns of one name.
  if (cell.isMerged && cell.master !== cell) return null;
  return cell.type === FORMULA ? formulaCell(cell) : plain(cell.value, cell.numFmt);
}

const FORMULA: ExcelJS.ValueType.Formula = 6;

/** Of a formula its result, which the cell itself has: its value leaves out 0, FALSE and an empty text. */
function formulaCell({ result, value, numFmt }: ExcelJS.Cell): Cell {
  if (result !== undefined && (result as unknown) !== null) return plain(result, numFmt);
  const { formula, sharedFormula = '' } = value as Partial<ExcelJS.CellFormulaValue & ExcelJS.CellSharedFormulaValue>;
  return { kind: 'formula', value: `=${formula ?? sharedFormula}`.slice(0, 200) };
}

function plain(value: ExcelJS.CellValue, format: string | undefined): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value === '' ? null : textCell(value);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return numberCell(value, format);
  if (value instanceof Date) return dateCell(value);
  if ('richText' in value) return textCell(value.richText.map(({ text }) => text).join(''));
  if ('hyperlink' in value) return linkCell(value);
  return { kind: 'error', value: 'error' in value ? value.error : '#VALUE!' };
}

/** The text may be rich text itself. */
function linkCell({ text, hyperlink }: ExcelJS.CellHyperlinkValue): Cell {
  const shown: unknown = text;
  const words =
    typeof shown === 'object' && shown !== null ? plain(shown as ExcelJS.CellRichTextValue, undefined) : text;
  return words === null || words === '' ? textCell(hyperlink) : typeof words === 'string' ? textCell(words) : words;
}

function numberCell(value: number, format: string | undefined): Cell {
  if (!Number.isFinite(value)) return { kind: 'error', value: '#NUM!' };
  if (format === undefined) return value;
  if (format.replace(/"[^"]*"|\\./g, '').includes('%')) return { kind: 'percent', value: trimmed(value) };
  // A number shown with leading zeros is a code, and the zeros belong to it.
  if (/^0{2,20}$/.test(format) && Number.isSafeInteger(value) && value >= 0) {
    return String(value).padStart(format.length, '0');
  }
  const label = labelOf(format);
  return label === null ? trimmed(value) : { kind: 'labelled', value: trimmed(value), label };
}

/** The word that a format puts behind a number: `kg` in `0.000" kg"` and in `0\ \k\g`. */
function labelOf(format: string): string | null {
  const [section = ''] = format.split(';');
  const digits = Math.max(...['0', '#', '?'].map((sign) => section.lastIndexOf(sign)));
  const label = section
    .slice(digits + 1)
    .replace(/["\\]/g, '')
    .trim();
  return digits !== -1 && /^[a-z]{1,4}$/i.test(label) ? label : null;
}

/** What arithmetic in binary left behind: 0.1 + 0.2 is shown as 0.3. */
const trimmed = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(15)));

const dateCell = (value: Date): Cell =>
  Number.isNaN(value.getTime())
    ? { kind: 'error', value: '#VALUE!' }
    : { kind: 'date', value: value.toISOString().slice(0, 10) };
