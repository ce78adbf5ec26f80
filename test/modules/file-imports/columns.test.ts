import { describe, expect, it } from 'vitest';
import type { Cell, SheetRow } from '../../../src/infrastructure/spreadsheets/cells.js';
import { FILE_COLUMNS } from '../../../src/modules/file-imports/fields.js';
import { findHeader } from '../../../src/modules/file-imports/header.js';
import { bindingsOf, toImportRow } from '../../../src/modules/file-imports/import-row.js';
import { mapColumns } from '../../../src/modules/file-imports/mapping.js';
import { recognize } from '../../../src/modules/file-imports/recognize.js';
import { systemOf, type KnownSystem } from '../../../src/modules/file-imports/systems.js';
import { readJson, readTable } from '../../../src/reference-data/tables.js';

const sheet = (...rows: (readonly Cell[])[]): readonly SheetRow[] =>
  rows.map((cells, index) => ({ row: index + 1, cells }));
const columnsOf = (...headers: string[]) => findHeader(sheet(headers), []).columns;

describe('a header', () => {
  it.each([
    ['name', 'name', 'exact'],
    ['External ID', 'external_id', 'normalized'],
    ['externalId', 'external_id', 'normalized'],
    ['MATERIAL-1-TYPE', 'material_1_type', 'normalized'],
    ['Materialzusammensetzung', 'composition', 'meaning'],
    ['Style name', 'name', 'meaning'],
    ['Herkunftsland', 'country_of_manufacture', 'meaning'],
    ['Herkunftsland Material 1', 'material_1_origin', 'meaning'],
    ['Herkunftsland der Faser', 'material_1_origin', 'meaning'],
    ['Gewicht (kg)', 'weight_kg', 'meaning'],
    ['Poids en kg', 'weight_kg', 'meaning'],
    ['Faser 2 Anteil (%)', 'material_2_percent', 'meaning'],
    ['Material 3', 'material_3_type', 'meaning'],
    ['% Material 1', 'material_1_percent', 'meaning'],
    ['Pays d’origine', 'country_of_manufacture', 'meaning'],
    ['Código de barras', 'gtin', 'meaning'],
    ['Istruzioni di lavaggio', 'care_instructions', 'meaning'],
    ['E-Mail Lieferant', 'supplier_email', 'meaning'],
  ])('"%s" is %s (%s)', (header, field, how) => {
    expect(recognize(header)).toEqual({ field, how });
  });

  it.each(['Saison', 'Farbe', 'Material 4', 'Grammage (g/m²)', 'Preis', ''])(
    '"%s" is nothing that is imported',
    (header) => {
      expect(recognize(header)).toBeNull();
    },
  );

  it('means one field in all five languages', () => {
    const rows = readTable('import_headers');
    expect(new Set(rows.map(({ language }) => language))).toEqual(new Set(['en', 'de', 'fr', 'it', 'es']));
    const owners = new Map<string, string>();
    for (const { column = '', header = '' } of rows) {
      expect(owners.get(header) ?? column, header).toBe(column);
      owners.set(header, column);
      expect(recognize(header)?.field, header).toBe(column);
    }
  });

  it('of a known system means a column that there is', () => {
    const systems = readJson('import_systems') as readonly KnownSystem[];
    expect(systems.length).toBeGreaterThan(5);
    for (const { name, columns, signs } of systems) {
      for (const column of Object.values(columns)) expect(FILE_COLUMNS, name).toContain(column);
      for (const names of signs) expect(systemOf(names.map((header) => ({ header })))?.name).toBe(name);
    }
  });

  it('is found below a title and blank rows', () => {
    const header = findHeader(
      sheet([], ['Herbst 2026'], [], ['Artikelname', 'EAN', 'Saison'], ['Hemd', '1', 'HW']),
      [],
    );
    expect(header).toMatchObject({ row: 4, columns: [{ letters: 'A' }, { letters: 'B' }, { letters: 'C' }] });
    expect(header.notes).toEqual(['The header was found in row 4; what stands above it is ignored.']);
  });

  it('is the row that has the names told, or the one of the file of errors, whatever the cells below look like', () => {
    const rows = sheet(['Ding', 'Kennung'], ['SKU', 'name'], ['EAN', 'gtin']);
    expect(findHeader(rows, []).row).not.toBe(1);
    expect(findHeader(rows, [], ['ding']).row).toBe(1);
    expect(findHeader(sheet(['Ding', 'Kennung', 'Import message'], ['SKU', 'name', 'Row 2: ...']), []).row).toBe(1);
  });

  it('of two rows, with cells above made one, is read as one', () => {
    const rows = sheet(
      ['Artikelname', 'Material 1', null, null],
      [null, 'Art', 'Anteil', 'Herkunft'],
      ['Hemd', 'Leinen', 100, 'FR'],
    );
    const merges = [
      { top: 1, bottom: 1, left: 1, right: 3 },
      { top: 1, bottom: 2, left: 0, right: 0 },
    ];
    const header = findHeader(rows, merges);
    expect(header.row).toBe(2);
    expect(Object.values(mapColumns(header.columns).mapping)).toEqual([
      'name',
      'material_1_type',
      'material_1_percent',
      'material_1_origin',
    ]);
  });

  it('that was made of two cells is one column, not two of one name', () => {
    const header = findHeader(sheet(['name', null, 'sku'], ['a', 'b', 'c']), [
      { top: 1, bottom: 1, left: 0, right: 1 },
    ]);
    expect(header.columns.map(({ letters }) => letters)).toEqual(['A', 'C']);
  });

  it('with one name twice is refused, and both columns are named', () => {
    expect(() => findHeader(sheet(['name', 'SKU', 'sku ']), [])).toThrow(/columns B and C have the same name/);
  });

  it('identifies a file type whatever the case of its names', () => {
    const type = (...headers: string[]) => findHeader(sheet(headers), []).fileType;
    expect(type('Name', ' SKU')).toBe(type('name', 'sku'));
    expect(type('name', 'sku')).not.toBe(type('sku', 'name'));
    expect(type('name')).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a mapping', () => {
  it('is proposed, and says what is left and what is missing', () => {
    expect(mapColumns(columnsOf('SKU', 'Saison'))).toMatchObject({
      mapping: { SKU: 'sku', Saison: null },
      unmapped: ['Saison'],
      unmappedRequired: ['name'],
    });
  });

  it('gives a field to the surer of two columns', () => {
    const { mapping, notes } = mapColumns(columnsOf('Produkt', 'name', 'Artikelname'));
    expect(mapping).toEqual({ Produkt: null, name: 'name', Artikelname: null });
    expect(notes).toHaveLength(2);
  });

  it('as given wins over the saved one, and that over what the header says', () => {
    const columns = columnsOf('Bezeichnung', 'Modell', 'SKU');
    const { columns: mapped, mapping } = mapColumns(columns, {
      saved: { modell: 'name', SKU: null },
      given: { SKU: 'external_id' },
    });
    expect(mapping).toEqual({ Bezeichnung: null, Modell: 'name', SKU: 'external_id' });
    expect(mapped.map(({ how }) => how)).toEqual([null, 'saved', 'given']);
  });

  it.each([
    [{ Nothing: 'name' }, /no column "Nothing"/],
    [{ A: 'colour' }, /no field "colour"/],
    [{ A: 'name', B: 'name' }, /cannot both be "name"/],
  ])('%j is refused', (given, message) => {
    expect(() => mapColumns(columnsOf('A', 'B'), { given: given })).toThrow(message);
  });
});

describe('a row of a file', () => {
  const headers = ['name', 'gtin', 'Gewicht (g)', 'material_1_type', 'material_1_percent', 'recyclable', 'care'];
  const bindings = bindingsOf(mapColumns(columnsOf(...headers)).columns);
  const rowOf = (...cells: Cell[]) =>
    toImportRow({ row: 7, cells }, bindings, { width: headers.length, variants: null });

  it('keeps numbers, text and booleans, shows percentages as the sheet does, and says the unit of the weight', () => {
    expect(rowOf('A', 4012345678901, '182,5', 'cotton', { kind: 'percent', value: 0.07 }, true, null)).toEqual({
      rowNumber: 7,
      cells: {
        name: 'A',
        gtin: 4012345678901,
        weightKg: '182,5',
        weightUnit: 'g',
        material1Type: 'cotton',
        material1Percent: '7%',
        recyclable: true,
      },
    });
  });

  it('tells every cell that has no value to read, by its place', () => {
    const { errors } = rowOf({ kind: 'formula', value: '=A1' }, { kind: 'error', value: '#N/A' }, null, {
      kind: 'overlong',
      length: 40_000,
    });
    expect(errors?.map(({ code, field }) => [code, field])).toEqual([
      ['formula_without_value', 'name'],
      ['formula_without_value', 'gtin'],
      ['invalid_value', 'material1Type'],
    ]);
    expect(errors?.[1]?.message).toBe('"gtin" (column B) holds the error #N/A.');
  });

  it('that has come apart at a separator is an error', () => {
    expect(rowOf('Shirt', null, '0', '25', null, null, null, 'cotton').errors).toMatchObject([
      { code: 'invalid_value', field: 'row' },
    ]);
  });
});
