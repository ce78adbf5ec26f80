import { assertNever } from '../../../core/assert-never.js';
import {
  columnLetters,
  isBlankCell,
  type Cell,
  type SheetRow,
  type SpecialCell,
} from '../../../infrastructure/spreadsheets/cells.js';
import type { ImportField, ImportRow, RowError, RowWarning } from '../contract.js';
import { fieldOfColumn } from './fields.js';
import type { MappedColumn } from './mapping.js';
import { isInGrams } from './recognize.js';

/** Where a field is read from. */
export interface Binding {
  readonly field: ImportField;
  readonly index: number;
  readonly header: string;
  /** The numbers are grams: they are divided by 1,000. */
  readonly inGrams: boolean;
}

export const bindingsOf = (columns: readonly MappedColumn[]): readonly Binding[] =>
  columns.flatMap(({ field: column, index, header }) => {
    const field = column === null ? null : fieldOfColumn(column);
    if (field === null) return [];
    return [{ field: field.field, index, header, inGrams: field.field === 'weightKg' && isInGrams(header) }];
  });

/** The cells of a row under the names of their fields. `width`: cells beyond it mean that a CSV's row has come apart. */
export function toImportRow(
  { row, cells }: SheetRow,
  bindings: readonly Binding[],
  { width }: { readonly width: number | null },
): ImportRow {
  const errors: RowError[] = [];
  const warnings: RowWarning[] = [];
  const values: Partial<Record<ImportField, unknown>> = {};
  for (const { field, index, header, inGrams } of bindings) {
    const cell = cells[index] ?? null;
    if (isBlankCell(cell)) continue;
    const place = `"${header}" (${columnLetters(index)}${row})`;
    const value = typeof cell === 'object' && cell !== null ? special(cell, field, place, errors) : cell;
    if (value === null) continue;
    values[field] = inGrams ? fromGrams(value, field, warnings) : value;
  }
  if (width !== null && cells.slice(width).some((cell) => !isBlankCell(cell))) {
    errors.push({
      code: 'invalid_value',
      field: 'row',
      message: `The row has ${cells.length} cells, the header ${width}. Put cells that hold the separator into quotation marks.`,
    });
  }
  return {
    rowNumber: row,
    cells: values,
    ...(errors.length > 0 && { errors }),
    ...(warnings.length > 0 && { warnings }),
  };
}

function special(cell: SpecialCell, field: ImportField, place: string, errors: RowError[]): string | number | null {
  switch (cell.kind) {
    case 'percent':
      return shownPercent(cell.value);
    case 'labelled':
      return cell.value;
    case 'date':
      return cell.value;
    case 'error':
      errors.push({ code: 'formula_without_value', field, message: `${place} holds the error ${cell.value}.` });
      return null;
    case 'formula':
      errors.push({
        code: 'formula_without_value',
        field,
        message: `${place} holds a formula without a value. Open the file in a spreadsheet program and save it, or paste the value.`,
      });
      return null;
    case 'overlong':
      errors.push({
        code: 'invalid_value',
        field,
        message: `${place} holds ${cell.length} characters; a cell has at most 32767.`,
      });
      return null;
    default:
      return assertNever(cell);
  }
}

/** What the sheet shows, without the noise of binary fractions: 0.07 * 100 is 7. */
export const shownPercent = (fraction: number): string => `${Number((fraction * 100).toPrecision(12))}%`;

/** Text that is no plain number is left for the rules to refuse. */
function fromGrams(value: Cell, field: ImportField, warnings: RowWarning[]): Cell {
  const grams =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d+(?:[.,]\d+)?$/.test(value.trim())
        ? Number(value.trim().replace(',', '.'))
        : null;
  if (grams === null) return value;
  const kilograms = Number((grams / 1000).toPrecision(12));
  warnings.push({
    code: 'mapped',
    field,
    message: `${grams} g was read as ${kilograms} kg.`,
    from: `${grams} g`,
    to: `${kilograms} kg`,
  });
  return kilograms;
}
