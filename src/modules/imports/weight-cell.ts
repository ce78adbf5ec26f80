import { inKilograms, weightBoundsOf, weightUnitOf, type WeightUnit } from '../../reference-data/weights.js';
import type { ProductFields } from '../products/index.js';
import { isBlank, numberIn, quoted, textOf, wrongValue, type Notes } from './cells.js';
import type { RowError, RowWarning } from './contract.js';

const MAX_WEIGHT_KG = 1_000;
/** A number and, where there is one, its unit: `180 g`, `0,18kg`, `.18`. */
const WRITTEN = /^([\d.,+-]+)\s*(\p{L}*)\.?$/u;

/** The weight in kilograms. A unit in the cell itself counts before the one that is told beside it; without any it is kg. */
export function weightOf(notes: Notes, value: unknown, toldUnit: unknown): number | undefined {
  if (isBlank(value)) return undefined;
  const written = writtenIn(value);
  const unit = written === null || written.word === '' ? unitOf(notes, toldUnit) : weightUnitOf(written.word);
  if (unit === 'unknown') return undefined;
  const weightKg = written === null || unit === null ? null : inKilograms(written.number, unit);
  if (written === null || unit === null || weightKg === null || weightKg <= 0 || weightKg > MAX_WEIGHT_KG) {
    const message = `The weight must be a number of kg above 0 and up to ${MAX_WEIGHT_KG}, or as much in g, lb or oz with that unit, not ${quoted(value)}.`;
    notes.errors.push(wrongValue('weightKg', message));
    return undefined;
  }
  if (unit !== 'kg') notes.warnings.push(converted(written.number, unit, weightKg));
  return weightKg;
}

function writtenIn(value: unknown): { readonly number: number; readonly word: string } | null {
  const [, digits, word = ''] = typeof value === 'string' ? (WRITTEN.exec(value.trim()) ?? []) : [];
  const number = numberIn(typeof value === 'number' ? value : digits);
  return number === null ? null : { number, word };
}

function unitOf(notes: Notes, told: unknown): WeightUnit | 'unknown' {
  if (isBlank(told)) return 'kg';
  const text = textOf(notes, 'weightUnit', told, { max: 200, oneLine: true });
  const unit = text === null ? null : weightUnitOf(text);
  if (unit !== null) return unit;
  if (text !== null) {
    const message = `${quoted(text)} is no unit of weight that is known: kg, g, lb or oz.`;
    notes.errors.push(wrongValue('weightUnit', message));
  }
  return 'unknown';
}

const converted = (number: number, unit: WeightUnit, weightKg: number): RowWarning => ({
  ...{ code: 'mapped', field: 'weightKg', from: `${number} ${unit}`, to: `${weightKg} kg` },
  message: `${number} ${unit} was read as ${weightKg} kg.`,
});

/** A weight that no such product has: its unit is another one, or a digit is wrong. */
export function implausibleWeight({
  weightKg,
  categoryId,
  subcategory,
}: Pick<ProductFields, 'weightKg' | 'categoryId' | 'subcategory'>): RowError | null {
  if (weightKg === null) return null;
  const id = subcategory ?? categoryId;
  const bounds = weightBoundsOf(id);
  if (bounds === null || (weightKg >= bounds.minKg && weightKg <= bounds.maxKg)) return null;
  return wrongValue(
    'weightKg',
    `A weight of ${weightKg} kg is implausible for "${id}", of which a piece weighs ${bounds.minKg} to ${bounds.maxKg} kg. ` +
      'Correct it or name its unit, in the cell ("180 g"), in the name of the column or in a column of its own.',
  );
}
