import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SheetRow } from '../../../src/infrastructure/spreadsheets/cells.js';
import { readFile } from '../../../src/infrastructure/spreadsheets/read-file.js';
import type { Merge } from '../../../src/infrastructure/spreadsheets/cells.js';
import { createCandidates, decideRow } from '../../../src/modules/imports/decide-row.js';
import { findHeader } from '../../../src/modules/file-imports/header.js';
import { bindingsOf, toImportRow } from '../../../src/modules/file-imports/import-row.js';
import { mapColumns } from '../../../src/modules/file-imports/mapping.js';
import { variantRowsOf } from '../../../src/modules/file-imports/systems.js';
import { normalizeRow } from '../../../src/modules/imports/normalize.js';

const LIMITS = { rows: 1_000, columns: 200, timeLimitMs: 30_000, memoryMb: 256 };

/** What an export is taken for, and what each of its rows would make in an empty catalogue. */
async function readExport(name: string) {
  const rows: SheetRow[] = [];
  let merges: readonly Merge[] = [];
  const path = join(import.meta.dirname, '..', '..', 'fixtures', 'spreadsheets', 'exports', name);
  for await (const part of readFile(path, LIMITS)) {
    if ('format' in part) merges = part.merges;
    else rows.push(...part);
  }
  const header = findHeader(rows, merges);
  const { columns, mapping, notes } = mapColumns(header.columns);
  const form = { width: null, variants: variantRowsOf(header.columns) };
  const bindings = bindingsOf(columns);
  const none = createCandidates([]);
  const outcomes = rows.slice(1).map((row) => {
    const normalized = normalizeRow(toImportRow(row, bindings, form));
    const { decision, warnings } = decideRow(normalized, 'create', none);
    const told = [...normalized.warnings, ...warnings].map(({ code, field }) => `${code} ${field}`);
    if (decision.kind === 'create') return { ...decision.fields, told };
    return decision.kind === 'error' ? decision.errors.map(({ code, field }) => `${code} ${field}`) : told;
  });
  return {
    mapping: Object.fromEntries(Object.entries(mapping).filter(([, field]) => field !== null)),
    notes,
    outcomes,
  };
}

const material = (materialType: string, percentage: number) => ({ materialType, percentage });

describe('an export is mapped by itself', () => {
  test('from Shopify: a product for each handle, grams, barcodes, paths; the vendor is the brand', async () => {
    const { mapping, notes, outcomes } = await readExport('shopify.csv');
    expect(mapping).toEqual({
      Handle: 'external_id',
      Title: 'name',
      'Product Category': 'category',
      'Variant SKU': 'sku',
      'Variant Grams': 'weight_kg',
      'Variant Barcode': 'gtin',
      'Composition (product.metafields.custom.composition)': 'composition',
      'Care instructions (product.metafields.shopify.care-instructions)': 'care_instructions',
    });
    expect(notes[0]).toBe('The columns are those of an export from Shopify.');
    expect(notes.join('\n')).toMatch(/further variants[^]*"Vendor" is the brand[^]*"Type" would be "category" too/);
    expect(outcomes).toMatchObject([
      {
        ...{ name: 'Classic Tee', externalId: 'classic-tee', sku: 'CT-S', gtin: '4006381333931', weightKg: 0.18 },
        ...{ categoryId: 'textile_apparel', subcategory: 'tshirts', careInstructions: 'Wash at 30 °C' },
        materials: [material('cotton_organic', 95), material('elastane', 5)],
        told: ['mapped gtin', 'mapped category', 'mapped weightKg', 'composition_read composition'],
      },
      ['variant_row row'],
      ['variant_row row'],
      { externalId: 'rain-jacket', subcategory: 'jackets_coats', weightKg: 0.65, weightEstimated: false },
      // A shop writes 0 g where nobody has weighed.
      {
        ...{ externalId: 'wool-beanie', subcategory: null, categoryId: 'textile_accessories', weightEstimated: true },
        told: ['mapped category', 'composition_read composition', 'missing_weight weightKg'],
      },
      ['unknown_category category'],
    ]);
    expect(outcomes[0]).not.toHaveProperty('supplierName');
  });

  test('from Shopify with the newer names of its columns', async () => {
    const { mapping, outcomes } = await readExport('shopify-new.csv');
    expect(mapping).toMatchObject({
      ...{ 'URL handle': 'external_id', Title: 'name', 'Product category': 'category', SKU: 'sku', Barcode: 'gtin' },
      'Weight value (grams)': 'weight_kg',
    });
    expect(outcomes).toMatchObject([
      { externalId: 'linen-dress', gtin: '4006381333955', weightKg: 0.32, subcategory: 'dresses_skirts_jumpsuits' },
      ['variant_row row'],
    ]);
  });

  test('from WooCommerce: pounds, several categories, variations', async () => {
    const { mapping, outcomes } = await readExport('woocommerce.csv');
    expect(mapping).toEqual({
      ID: 'external_id',
      SKU: 'sku',
      'GTIN, UPC, EAN, or ISBN': 'gtin',
      Name: 'name',
      'Weight (lbs)': 'weight_kg',
      Categories: 'category',
      'Meta: composition': 'composition',
    });
    expect(outcomes).toMatchObject([
      {
        ...{ externalId: '101', sku: 'LS-01', name: 'Linen Shirt', gtin: '4006381333931', weightKg: 0.2494758035 },
        ...{ subcategory: 'shirts_blouses', materials: [material('linen', 100)] },
      },
      { externalId: '110', sku: 'DJ-01', subcategory: 'jeans', weightKg: 0.680388555 },
      ['variant_row row'],
      ['variant_row row'],
      ['unknown_category category'],
      ['invalid_value weightKg'],
    ]);
  });

  test('from Akeneo: locales, metrics with their unit, codes that are no composition', async () => {
    const { mapping, notes, outcomes } = await readExport('akeneo.csv');
    expect(mapping).toEqual({
      sku: 'sku',
      family: 'category',
      'care_instructions-en_US': 'care_instructions',
      composition: 'composition',
      country_of_manufacture: 'country_of_manufacture',
      ean: 'gtin',
      'name-en_US': 'name',
      supplier: 'supplier_name',
      weight: 'weight_kg',
      'weight-unit': 'weight_unit',
    });
    expect(notes.join('\n')).toMatch(/export the product models[^]*"name-de_DE" would be "name" too/);
    expect(outcomes).toMatchObject([
      {
        ...{ sku: 'tee-white', name: 'White tee', weightKg: 0.18, subcategory: 'tshirts', gtin: '4006381333931' },
        ...{ countryOfManufacture: 'PT', materials: [material('cotton_organic', 100)], supplierName: 'zaro' },
      },
      { sku: 'jeans-blue-32', weightKg: 0.75, subcategory: 'jeans' },
      { sku: 'belt', weightKg: 0.198446661875, categoryId: 'textile_accessories', materials: [] },
      ['unknown_category category', 'invalid_value weightUnit'],
    ]);
  });

  test('from Centric PLM: styles, net weights with their unit', async () => {
    const { mapping, outcomes } = await readExport('centric.xlsx');
    expect(mapping).toEqual({
      Style: 'name',
      Code: 'sku',
      'Style Type': 'category',
      Composition: 'composition',
      'Country of Origin': 'country_of_manufacture',
      'Net Weight': 'weight_kg',
      'Weight UOM': 'weight_unit',
      'Production Supplier': 'supplier_name',
    });
    expect(outcomes).toMatchObject([
      {
        ...{ name: 'Hoodie Fjord', sku: 'ST-2041', weightKg: 0.61, subcategory: 'sweaters_midlayers' },
        ...{ countryOfManufacture: 'PT', supplierName: 'Fiação do Norte' },
        materials: [material('cotton', 80), material('polyester_recycled', 20)],
      },
      { sku: 'ST-2042', weightKg: 0.0595339985625, subcategory: 'leggings_tights_socks' },
      ['unknown_category category', 'invalid_value weightUnit'],
    ]);
  });

  test('from SAP in German: the material is the article, grams, 0 for what nobody has weighed', async () => {
    const { mapping, outcomes } = await readExport('sap.xlsx');
    expect(mapping).toEqual({
      Material: 'sku',
      Materialkurztext: 'name',
      Warengruppe: 'category',
      Nettogewicht: 'weight_kg',
      Gewichtseinheit: 'weight_unit',
      'EAN/UPC-Code': 'gtin',
      Ursprungsland: 'country_of_manufacture',
      Faserzusammensetzung: 'composition',
    });
    expect(outcomes).toMatchObject([
      {
        ...{ sku: '000000000000104711', name: 'Chino Herren', weightKg: 0.45, subcategory: 'pants_shorts' },
        ...{ gtin: '4006381333931', countryOfManufacture: 'BD' },
        materials: [material('cotton', 98), material('elastane', 2)],
      },
      { name: 'Wollmantel', weightKg: 1.1, subcategory: 'jackets_coats', countryOfManufacture: 'TR' },
      { name: 'T-Shirt Damen', weightKg: 0.25, weightEstimated: true },
      ['invalid_value weightKg'],
      ['unknown_category category'],
    ]);
  });

  test('from Sage 100 in French: units in words', async () => {
    const { mapping, outcomes } = await readExport('sage.csv');
    expect(mapping).toEqual({
      'Référence article': 'sku',
      Désignation: 'name',
      Famille: 'category',
      'Code-barres': 'gtin',
      'Poids net': 'weight_kg',
      'Unité de poids': 'weight_unit',
      "Pays d'origine": 'country_of_manufacture',
      Composition: 'composition',
      Entretien: 'care_instructions',
      'Fournisseur principal': 'supplier_name',
    });
    expect(outcomes).toMatchObject([
      {
        ...{ sku: 'ROBE01', name: "Robe d'été", weightKg: 0.32, subcategory: 'dresses_skirts_jumpsuits' },
        ...{ gtin: '3560070123452', countryOfManufacture: 'PT', careInstructions: 'Laver à 30 °C' },
      },
      { sku: 'PULL02', weightKg: 0.55, subcategory: 'sweaters_midlayers' },
      ['unknown_category category'],
      ['invalid_value weightUnit'],
    ]);
  });
});

test.each([
  ["'4006381333931", '4006381333931'],
  ['="04006381333931"', '04006381333931'],
])('a number that is kept from spreadsheet programs as %s is read', (cell, code) => {
  const { fields, errors, warnings } = normalizeRow({ rowNumber: 2, cells: { name: 'A', gtin: cell, sku: cell } });
  expect([fields.gtin, fields.sku, errors]).toEqual([code, code, []]);
  expect(warnings).toMatchObject([
    { code: 'mapped', field: 'sku', from: cell, to: code },
    { code: 'mapped', field: 'gtin', from: cell, to: code },
  ]);
});
