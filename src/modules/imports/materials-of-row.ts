import { normalizeCountry } from '../../reference-data/countries.js';
import { normalizeMaterial } from '../../reference-data/materials.js';
import type { RowFields } from '../products/index.js';
import { isBlank, mapped, numberIn, quoted, remembering, textOf, wrongValue, type Notes } from './cells.js';
import { readComposition } from './composition.js';
import type { ImportRow } from './contract.js';

type Materials = NonNullable<RowFields['materials']>;

/** Cells of one material, and the names under which mistakes in them are told. */
interface MaterialCells {
  readonly type: Cell;
  readonly percent: Cell;
  readonly origin: Cell;
}
interface Cell {
  readonly field: string;
  readonly value: unknown;
}

const MAX_MATERIALS = 50;
const MICRO = 1_000_000;

const compositionIn = remembering(readComposition);
const materialNamed = remembering(normalizeMaterial);
const countryNamed = remembering(normalizeCountry);

/** The composition of a row, from whichever of the three places it stands in; undefined when all are blank or one is wrong. */
export function materialsOf(notes: Notes, cells: ImportRow['cells']): Materials | undefined {
  const found = [
    fromList(notes, cells.materials),
    fromColumns(notes, cells),
    fromText(notes, cells.composition),
  ].filter((composition) => composition !== null);
  const [first, ...others] = found;
  if (first === undefined || first === 'refused' || others.includes('refused')) return undefined;
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) {
    notes.errors.push(wrongValue('materials', 'The composition is given twice, and the two differ.'));
    return undefined;
  }
  return first;
}

type Found = Materials | 'refused' | null;

function fromList(notes: Notes, value: unknown): Found {
  if (isBlank(value)) return null;
  if (!Array.isArray(value)) return refused(notes, 'materials', '"materials" must be a list');
  if (value.length === 0) return null;
  if (value.length > MAX_MATERIALS)
    return refused(notes, 'materials', `A product has at most ${MAX_MATERIALS} materials`);
  const entries = value as readonly unknown[];
  const wrong = entries.findIndex((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry));
  if (wrong !== -1) return refused(notes, `materials.${wrong}`, 'A material must be an object');
  return read(
    notes,
    'materials',
    (entries as readonly Record<string, unknown>[]).map((entry, index) => ({
      type: { field: `materials.${index}.materialType`, value: entry['materialType'] },
      percent: { field: `materials.${index}.percentage`, value: entry['percentage'] },
      origin: { field: `materials.${index}.originCountry`, value: entry['originCountry'] },
    })),
  );
}

const MATERIAL_COLUMNS = [
  { type: 'material1Type', percent: 'material1Percent', origin: 'material1Origin' },
  { type: 'material2Type', percent: 'material2Percent', origin: 'material2Origin' },
  { type: 'material3Type', percent: 'material3Percent', origin: 'material3Origin' },
] as const;

function fromColumns(notes: Notes, cells: ImportRow['cells']): Found {
  const cell = (field: keyof typeof cells): Cell => ({ field, value: cells[field] });
  const columns = MATERIAL_COLUMNS.filter(
    ({ type, percent, origin }) => !isBlank(cells[type]) || !isBlank(cells[percent]) || !isBlank(cells[origin]),
  ).map(({ type, percent, origin }): MaterialCells => ({
    type: cell(type),
    percent: cell(percent),
    origin: cell(origin),
  }));
  return columns.length === 0 ? null : read(notes, columns[0]?.percent.field ?? 'materials', columns);
}

function fromText(notes: Notes, value: unknown): Found {
  const before = notes.errors.length;
  const text = textOf(notes, 'composition', value, { max: 5_000, oneLine: false });
  if (text === null) return notes.errors.length > before ? 'refused' : null;
  const reading = compositionIn(text);
  if (!reading.ok) {
    notes.errors.push({ code: reading.code, field: 'composition', message: reading.message });
    return 'refused';
  }
  const materials = reading.materials.map(({ materialType, percentage, originCountry }) => ({
    materialType,
    percentage,
    originCountry,
  }));
  const to = materials.map(({ materialType, percentage }) => `${percentage}% ${materialType}`).join(', ');
  notes.warnings.push({ code: 'composition_read', field: 'composition', message: reading.message, from: text, to });
  return materials;
}

function read(notes: Notes, field: string, rows: readonly MaterialCells[]): Found {
  const before = notes.errors.length;
  const types = rows.map(({ type }) => materialTypeOf(notes, type));
  const shares = rows.map(({ percent }) => percentOf(notes, percent));
  const origins = rows.map(({ origin }) => countryOf(notes, origin.field, origin.value));
  if (notes.errors.length > before) return 'refused';

  const given = shares.map((share) => share?.percentage ?? 0);
  const isFractions = isTotal(given, 1, 0.0001) && shares.every((share) => share?.isPlain === true);
  const percentages = isFractions ? given.map((share) => round(share * 100)) : given;
  if (!isTotal(percentages, 100, 0.01)) {
    const total = round(percentages.reduce((sum, percentage) => sum + percentage, 0));
    notes.errors.push({
      ...{ code: 'composition_total', field },
      message: `The percentages of the materials total ${total}, not 100.`,
    });
    return 'refused';
  }
  if (isFractions) {
    notes.warnings.push({
      ...{ code: 'composition_read', field, from: given.join(' + '), to: percentages.join(' + ') },
      message: `The shares ${given.join(' + ')} were read as percentages: ${percentages.join(' + ')}.`,
    });
  }
  return rows.map((_, index) => ({
    materialType: types[index] ?? '',
    percentage: percentages[index] ?? 0,
    originCountry: origins[index] ?? null,
  }));
}

function materialTypeOf(notes: Notes, { field, value }: Cell): string | null {
  const before = notes.errors.length;
  const text = textOf(notes, field, value, { max: 200, oneLine: true });
  if (text === null) {
    if (notes.errors.length === before) notes.errors.push(wrongValue(field, `"${field}" is missing.`));
    return null;
  }
  const known = materialNamed(text);
  if (known === null) {
    notes.errors.push({ code: 'unknown_material', field, message: `Nobody knows the material ${quoted(text)}.` });
    return null;
  }
  if (known.mapped) notes.warnings.push(mapped(field, text, known.id));
  return known.id;
}

/** `isPlain`: written without a percent sign, so that it may be a fraction. */
function percentOf(
  notes: Notes,
  { field, value }: Cell,
): { readonly percentage: number; readonly isPlain: boolean } | null {
  if (isBlank(value)) {
    notes.errors.push(wrongValue(field, `"${field}" is missing: every material needs its percentage.`));
    return null;
  }
  const written = typeof value === 'string' ? value.trim() : '';
  const isPlain = !/[%％]$/.test(written);
  const percentage = numberIn(isPlain ? value : written.slice(0, -1));
  if (percentage === null || percentage <= 0 || percentage > 100) {
    notes.errors.push(wrongValue(field, `"${field}" must be a number above 0 and up to 100, not ${quoted(value)}.`));
    return null;
  }
  return { percentage, isPlain };
}

/** A country by name or code; one that nobody knows is a warning and leaves the field empty. */
export function countryOf(notes: Notes, field: string, value: unknown): string | null {
  const text = textOf(notes, field, value, { max: 200, oneLine: true });
  if (text === null) return null;
  const found = countryNamed(text);
  if (found === null || 'ambiguous' in found) {
    const reason = found === null ? 'is no known country' : `can mean ${found.ambiguous.join(' or ')}`;
    notes.warnings.push({
      ...{ code: 'unknown_country', field, from: text },
      message: `${quoted(text)} ${reason}; the field is left empty.`,
    });
    return null;
  }
  if (found.mapped) notes.warnings.push(mapped(field, text, found.code));
  return found.code;
}

function refused(notes: Notes, field: string, message: string): 'refused' {
  notes.errors.push(wrongValue(field, `${message}.`));
  return 'refused';
}

const round = (value: number): number => Math.round(value * MICRO) / MICRO;

/** Added at 6 decimals: binary sums such as 33.4 + 33.3 + 33.3 are not exact. */
function isTotal(values: readonly number[], total: number, tolerance: number): boolean {
  const sum = values.reduce((added, value) => added + Math.round(value * MICRO), 0);
  return Math.abs(sum - total * MICRO) <= Math.round(tolerance * MICRO);
}
