import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/infrastructure/spreadsheets/cells.js';
import { findHeader } from '../../../src/modules/file-imports/header.js';
import { bindingsOf, toImportRow } from '../../../src/modules/file-imports/import-row.js';
import { mapColumns } from '../../../src/modules/file-imports/mapping.js';
import { recognize } from '../../../src/modules/file-imports/recognize.js';
import { normalizeRow } from '../../../src/modules/imports/normalize.js';
import { implausibleWeight } from '../../../src/modules/imports/weight-cell.js';
import { SUBCATEGORIES } from '../../../src/reference-data/categories.js';
import { readTable } from '../../../src/reference-data/tables.js';
import { weightBoundsOf } from '../../../src/reference-data/weights.js';

/** What a sheet with these columns says in its only row. */
function rowOf(columns: Readonly<Record<string, Cell>>) {
  const headers = ['name', ...Object.keys(columns)];
  const { columns: named } = findHeader([{ row: 1, cells: headers }], []);
  const bindings = bindingsOf(mapColumns(named).columns);
  const row = toImportRow({ row: 2, cells: ['Chino', ...Object.values(columns)] }, bindings, {
    width: headers.length,
    variants: null,
  });
  const { fields, errors, warnings } = normalizeRow(row);
  return { weightKg: fields.weightKg, errors, warnings };
}

describe('a weight is read in the unit', () => {
  it.each<[string, Readonly<Record<string, Cell>>, number]>([
    ['of its column, pounds', { 'Weight (lbs)': 0.4 }, 0.181436948],
    ['of its column, ounces', { weight_oz: '6,4' }, 0.181436948],
    ['of its column, grams', { 'Gewicht in g': 450 }, 0.45],
    ['of its column, in one word', { weightGrams: 450 }, 0.45],
    ['of its column, kilograms', { 'Poids net (kg)': '0,45' }, 0.45],
    ['of a column of its own', { Nettogewicht: 450, Gewichtseinheit: 'G' }, 0.45],
    ['of a column of its own, as Akeneo writes it', { weight: 300, 'weight-unit': 'GRAM' }, 0.3],
    ['of a column of its own, in words', { Weight: '1', 'Weight Unit': 'Pounds' }, 0.45359237],
    ['of a column of its own that agrees with the header', { 'Weight (g)': 300, 'Weight Unit': 'GRM' }, 0.3],
    ['of the cell', { Gewicht: '180 g' }, 0.18],
    ['of the cell, without a blank', { Gewicht: '180g' }, 0.18],
    ['of the cell, kilograms', { Gewicht: '0,18 kg' }, 0.18],
    ['of the cell, whatever the column says', { 'Gewicht (g)': '0,18 kg' }, 0.18],
    ['of the cell, whatever the column of units says', { Gewicht: '6.4 oz', Gewichtseinheit: 'KG' }, 0.181436948],
    ['that the format of the cell shows', { Gewicht: { kind: 'labelled', value: 180, label: 'g' } }, 0.18],
    ['kg where nothing names one', { Gewicht: '.18' }, 0.18],
  ])('%s', (_name, columns, weightKg) => {
    expect(rowOf(columns)).toMatchObject({ weightKg, errors: [] });
  });

  it('and what was converted is told', () => {
    expect(rowOf({ 'Weight (lbs)': 0.4 }).warnings).toMatchObject([
      { code: 'mapped', field: 'weightKg', from: '0.4 lb', to: '0.181436948 kg' },
    ]);
    expect(rowOf({ Gewicht: '0,18 kg' }).warnings).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, Cell>>, string]>([
    ['a unit that nobody knows', { Gewicht: 1, Gewichtseinheit: 'TO' }, 'weightUnit'],
    ['a unit that nobody knows, in the cell', { Gewicht: '1 Pfund' }, 'weightKg'],
    ['a header and a column of units that differ', { 'Weight (kg)': 450, Gewichtseinheit: 'G' }, 'weightUnit'],
    ['more than one number', { Gewicht: '180-220 g' }, 'weightKg'],
    ['a separator of thousands', { Gewicht: '1.250,5 g' }, 'weightKg'],
  ])('or not at all: %s', (_name, columns, field) => {
    expect(rowOf(columns).errors).toMatchObject([{ code: 'invalid_value', field }]);
  });

  it('only where it is the weight of one piece', () => {
    for (const header of ['Weight (oz/yd²)', 'Gewicht (brutto)', 'Weight (carton)', 'Weight (g/m)', 'Gross weight']) {
      expect(recognize(header), header).toBeNull();
    }
    for (const header of ['Gewicht (netto, in g)', 'Gewicht in Gramm pro Stück', 'Weight per unit (oz)']) {
      expect(recognize(header)?.field, header).toBe('weight_kg');
    }
    expect(recognize('Weight (Unit)')?.field).not.toBe('weight_kg');
  });
});

describe('a weight is plausible', () => {
  const of = (weightKg: number, subcategory: string | null, categoryId = 'textile_apparel') =>
    implausibleWeight({ weightKg, categoryId, subcategory });

  it.each<[number, string | null]>([
    [40, 'tshirts'],
    [0.00018, 'tshirts'],
    [6.4, 'tshirts'],
    [450, null],
    [0.0005, null],
  ])('or not: %d kg of %s', (weightKg, subcategory) => {
    expect(of(weightKg, subcategory)).toMatchObject({
      code: 'invalid_value',
      field: 'weightKg',
      message: expect.stringMatching(/implausible for "(tshirts|textile_apparel)"/),
    });
  });

  it.each<[number, string | null, string]>([
    [0.04, 'tshirts', 'textile_apparel'],
    [0.008, 'leggings_tights_socks', 'textile_apparel'],
    [4, 'jackets_coats', 'textile_apparel'],
    [3.2, 'boots', 'footwear'],
    [400, null, 'textile_fabric'],
  ])('%d kg of %s', (weightKg, subcategory, categoryId) => {
    expect(of(weightKg, subcategory, categoryId)).toBeNull();
  });

  it('from a twentieth of the representative mass of its kind to ten times as much, and up to 1 kg', () => {
    const masses = readTable('categories').flatMap((row) =>
      row['rep_mass_kg'] ? [{ id: row['id'] ?? '', massKg: Number(row['rep_mass_kg']) }] : [],
    );
    expect(masses).toHaveLength(10);
    for (const { id, massKg } of masses) {
      const bounds = weightBoundsOf(id);
      expect(bounds?.minKg, id).toBeCloseTo(massKg / 20, 9);
      expect(bounds?.maxKg, id).toBeCloseTo(Math.max(1, massKg * 10), 9);
    }
    const all = masses.map(({ id }) => weightBoundsOf(id));
    expect(weightBoundsOf('textile_apparel')).toEqual({
      minKg: Math.min(...all.map((bounds) => bounds?.minKg ?? NaN)),
      maxKg: Math.max(...all.map((bounds) => bounds?.maxKg ?? NaN)),
    });
    for (const { id } of SUBCATEGORIES) expect(weightBoundsOf(id), id).not.toBeNull();
  });
});
