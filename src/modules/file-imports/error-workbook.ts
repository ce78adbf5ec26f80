import { PassThrough, type Readable } from 'node:stream';
import ExcelJS from 'exceljs';
import { notFound } from '../../core/errors.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { Cell } from '../../infrastructure/spreadsheets/cells.js';
import { joinedMessages, type RowError } from '../imports/index.js';
import { MESSAGE_HEADERS } from './header.js';
import type { Binding } from './import-row.js';
import { failedRows, type Run } from './runs.js';

const ROWS_AT_ONCE = 500;
const MARK: ExcelJS.Fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFD9D6' } };
const HEADER: Partial<ExcelJS.Style> = { font: { bold: true } };
const MAX_MESSAGE_LENGTH = 4_000;

/**
 * The rows of an import that failed, under their own header, with what is wrong in a last column and the cells marked: to be
 * corrected and sent again as it is. Written while it is read; throws 404 when the rows have run out.
 */
export async function errorWorkbook(db: Queryable, run: Run): Promise<Readable> {
  const first = await failedRows(db, run.id, 0, ROWS_AT_ONCE);
  if (!run.hasReport || first[0]?.cells === null) throw notFound('file of the import', run.id);
  const output = new PassThrough();
  write(db, run, first, output).catch((error: unknown) => output.destroy(error as Error));
  return output;
}

type FailedRows = Awaited<ReturnType<typeof failedRows>>;

async function write(db: Queryable, run: Run, first: FailedRows, output: PassThrough): Promise<void> {
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: output, useStyles: true, useSharedStrings: false });
  const sheet = book.addWorksheet('Errors', { views: [{ state: 'frozen', ySplit: 1 }] });
  const { columns } = run.sheet;
  sheet.columns = [...columns.map(() => ({ width: 20 })), { width: 70 }];
  const header = sheet.addRow([...columns.map(({ header: text }) => text), MESSAGE_HEADERS[run.mode]]);
  header.eachCell((cell) => void (cell.style = HEADER));
  header.commit();
  for (let rows = first; rows.length > 0;) {
    for (const { cells, errors } of rows) addRow(sheet, run, cells ?? [], errors);
    rows = await failedRows(db, run.id, (rows.at(-1)?.position ?? run.total) + 1, ROWS_AT_ONCE);
  }
  sheet.commit();
  await book.commit();
}

function addRow(sheet: ExcelJS.Worksheet, run: Run, cells: readonly Cell[], errors: readonly RowError[]): void {
  const { columns } = run.sheet;
  const wrong = new Set(errors.flatMap(({ field }) => columnsOf(field, run.bindings)));
  const row = sheet.addRow([]);
  for (const [place, { index }] of columns.entries()) {
    const cell = row.getCell(place + 1);
    writeCell(cell, cells[index] ?? null);
    if (wrong.has(index)) cell.fill = MARK;
  }
  const message = row.getCell(columns.length + 1);
  writeCell(message, joinedMessages(errors, '\n').slice(0, MAX_MESSAGE_LENGTH));
  message.fill = MARK;
  message.alignment = { wrapText: true, vertical: 'top' };
  row.commit();
}

/** The cells that a field of the rules was read from; `materials.0.percentage` has a column of its own, or all are in one. */
function columnsOf(field: string, bindings: readonly Binding[]): readonly number[] {
  const own = bindings.filter((binding) => binding.field === field);
  if (own.length > 0) return own.map(({ index }) => index);
  const [, place, part] = /^materials(?:\.(\d+))?(?:\.(\w+))?$/.exec(field) ?? [];
  if (!field.startsWith('materials')) return field === 'categoryId' ? columnsOf('category', bindings) : [];
  const suffix = { materialType: 'Type', percentage: 'Percent', originCountry: 'Origin' }[part ?? ''] ?? '';
  const prefix = place === undefined ? 'material' : `material${Number(place) + 1}${suffix}`;
  const named = bindings.filter((binding) => binding.field.startsWith(prefix));
  const all = bindings.filter((binding) => binding.field === 'composition');
  return [...named, ...all].map(({ index }) => index);
}

/** Text stays text, also when it begins like a formula; a value that was not there stays an error that can be seen. */
function writeCell(target: ExcelJS.Cell, cell: Cell): void {
  if (cell === null) return;
  if (typeof cell === 'string') {
    target.value = cell;
    target.numFmt = '@';
    return;
  }
  if (typeof cell !== 'object') {
    target.value = cell;
    return;
  }
  switch (cell.kind) {
    case 'percent':
      target.value = cell.value;
      target.numFmt = Number.isInteger(Number((cell.value * 100).toPrecision(12))) ? '0%' : '0.0###%';
      return;
    case 'labelled':
      target.value = cell.value;
      target.numFmt = `${Number.isInteger(cell.value) ? '0' : '0.0########'}" ${cell.label}"`;
      return;
    case 'date':
      target.value = new Date(`${cell.value}T00:00:00Z`);
      target.numFmt = 'yyyy-mm-dd';
      return;
    case 'error':
    case 'formula':
    case 'overlong':
      target.value = { error: '#VALUE!' };
  }
}
