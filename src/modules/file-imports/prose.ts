import type { SheetHead, SheetRow } from '../../infrastructure/spreadsheets/cells.js';
import { unsupported } from '../../infrastructure/spreadsheets/refusals.js';
import type { Header } from './header.js';
import type { Mapped } from './mapping.js';

/**
 * Refuses a text that is no table, whatever it is called: none of its columns is known, and it has one column alone, no rows, or
 * rows that mostly have other numbers of cells than its first line.
 */
export function refuseProse(
  { format }: Pick<SheetHead, 'format'>,
  header: Header,
  { columns }: Pick<Mapped, 'columns'>,
  top: readonly SheetRow[],
): void {
  if (format !== 'csv' || columns.some(({ how }) => how !== null)) return;
  const rows = top.filter(({ row, cells }) => row > header.row && cells.length > 0);
  const even = rows.filter(({ cells }) => cells.length === header.width);
  if (header.columns.length > 1 && even.length * 2 > rows.length) return;
  throw unsupported(
    'The file is neither an .xlsx workbook nor a table: its first line names no column that is known, and the lines below it are no rows of cells. Send a workbook or a CSV, or say in `mapping` what its columns are.',
  );
}
