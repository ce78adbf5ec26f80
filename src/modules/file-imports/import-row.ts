import { assertNever } from '../../core/assert-never.js';
import {
  columnLetters,
  isBlankCell,
  type SheetRow,
  type SpecialCell,
} from '../../infrastructure/spreadsheets/cells.js';
import { weightUnitOf, type WeightUnit } from '../../reference-data/weights.js';
import { type ImportField, type ImportRow, numberIn, quoted, type RowError } from '../imports/index.js';
import { fieldOfColumn } from './fields.js';
import type { MappedColumn } from './mapping.js';
import { unitOfHeader } from './recognize.js';
import { productOfVariant, systemOf, type VariantRows } from './systems.js';

/** Where a field is read from. */
export interface Binding {
  readonly field: ImportField;
  readonly index: number;
  readonly header: string;
  /** Of a weight: the unit that the header names. */
  readonly unit: WeightUnit | null;
  /** Of a weight: systems write 0 where they know none. */
  readonly zeroIsBlank: boolean;
}

export function bindingsOf(columns: readonly MappedColumn[]): readonly Binding[] {
  const isExport = systemOf(columns) !== null;
  return columns.flatMap(({ field: column, index, header }) => {
    const field = column === null ? null : fieldOfColumn(column);
    if (field === null) return [];
    const isWeight = field.field === 'weightKg';
    const unit = isWeight ? unitOfHeader(header) : null;
    return [{ field: field.field, index, header, unit, zeroIsBlank: isWeight && isExport }];
  });
}

/** What of a sheet beside its columns says how its rows are read. */
export interface RowForm {
  /** Cells beyond it mean that a CSV's row has come apart; null for a workbook. */
  readonly width: number | null;
  readonly variants: VariantRows | null;
}

/** The cells of a row under the names of their fields. */
export function toImportRow(
  { row, cells }: SheetRow,
  bindings: readonly Binding[],
  { width, variants }: RowForm,
): ImportRow {
  const variantOf = productOfVariant(cells, variants);
  if (variantOf !== null) return { rowNumber: row, cells: {}, variantOf };
  const errors: RowError[] = [];
  const values: Partial<Record<ImportField, unknown>> = {};
  for (const { field, index, header, zeroIsBlank } of bindings) {
    const cell = cells[index] ?? null;
    if (isBlankCell(cell)) continue;
    const place = `"${header}" (column ${columnLetters(index)})`;
    const value = typeof cell === 'object' && cell !== null ? special(cell, field, place, errors) : cell;
    if (value === null || (zeroIsBlank && numberIn(value) === 0)) continue;
    values[field] = value;
  }
  const weight = bindings.find(({ field }) => field === 'weightKg');
  if (weight?.unit != null && values.weightKg !== undefined) {
    const { weightUnit: told = weight.unit } = values;
    if (weightUnitOf(String(told)) !== weight.unit) errors.push(otherUnit(weight.header, weight.unit, told));
    values.weightUnit = weight.unit;
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
  };
}

function special(cell: SpecialCell, field: ImportField, place: string, errors: RowError[]): string | number | null {
  switch (cell.kind) {
    case 'percent':
      return shownPercent(cell.value);
    case 'labelled':
      // The unit that a weight is shown with belongs to it; other words are decoration.
      return field === 'weightKg' ? `${cell.value} ${cell.label}` : cell.value;
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

const otherUnit = (header: string, unit: WeightUnit, told: unknown): RowError => ({
  code: 'invalid_value',
  field: 'weightUnit',
  message: `The weight is in ${unit} by the name of its column, "${header}", and in ${quoted(told)} by that of its unit. Say in \`mapping\` which of the two is not to be read.`,
});
