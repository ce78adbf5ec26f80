import { isBlankCell, type Cell } from '../../infrastructure/spreadsheets/cells.js';
import { textKey } from '../../reference-data/text-key.js';
import type { Column } from './header.js';

/** A system whose exports are known by their columns, and read by what those mean there. */
export interface KnownSystem {
  readonly name: string;
  /** All names of one of these lists are columns of its export. */
  readonly signs: readonly (readonly string[])[];
  /** Its columns that mean something else than their names say elsewhere; null: not to be imported. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** What stands before the names of the brand's own columns. */
  readonly prefix?: string;
  /** Rows that are part of the product that `product` names, known by what stands in `mark`. */
  readonly variants?: {
    readonly product: readonly string[];
    readonly mark: string;
    readonly is: 'blank' | 'variation';
  };
  readonly notes: readonly string[];
}

/** From the documentation of each; the samples in the tests have these forms. */
const SYSTEMS: readonly KnownSystem[] = [
  {
    name: 'Shopify',
    signs: [
      ['Handle', 'Title', 'Variant SKU'],
      ['Handle', 'Title', 'Variant Grams'],
      ['URL handle', 'Title', 'SKU'],
    ],
    columns: {
      ...{ Handle: 'external_id', 'URL handle': 'external_id', Title: 'name' },
      ...{ 'Variant SKU': 'sku', SKU: 'sku', 'Variant Barcode': 'gtin', Barcode: 'gtin' },
      ...{ 'Variant Grams': 'weight_kg', 'Weight value (grams)': 'weight_kg' },
      // The unit that the shop shows; the numbers are grams all the same.
      ...{ 'Variant Weight Unit': null, 'Weight unit for display': null },
      ...{ 'Product Category': 'category', Type: 'category', Vendor: null },
    },
    variants: { product: ['Handle', 'URL handle'], mark: 'Title', is: 'blank' },
    notes: [
      'Rows that repeat only the handle are further variants or pictures of a product and make none; its SKU, barcode and weight are those of its first row.',
      '"Vendor" is the brand and not the supplier; it is not imported.',
    ],
  },
  {
    name: 'WooCommerce',
    signs: [
      ['ID', 'Type', 'SKU', 'Name', 'Regular price'],
      ['ID', 'Type', 'SKU', 'Name', 'Categories'],
    ],
    columns: {
      ...{ ID: 'external_id', Type: null, SKU: 'sku', 'GTIN, UPC, EAN, or ISBN': 'gtin', Name: 'name' },
      ...{ Categories: 'category', 'External URL': null, Parent: null },
    },
    prefix: 'Meta: ',
    variants: { product: ['Parent'], mark: 'Type', is: 'variation' },
    notes: [
      'Rows of type "variation" are sizes or colours of the product in "Parent" and make none.',
      'A composition that is kept as an attribute is read once you map it, such as "Attribute 1 value(s)" to "composition".',
    ],
  },
  {
    name: 'Akeneo',
    signs: [
      ['sku', 'family', 'enabled'],
      ['identifier', 'family', 'enabled'],
      ['uuid', 'family', 'enabled'],
      ['code', 'family_variant'],
    ],
    columns: {
      ...{ uuid: 'external_id', sku: 'sku', identifier: 'sku', code: 'sku', family: 'category', categories: null },
      // Codes of options, without shares.
      ...{ material: null, parent: null },
    },
    notes: [
      'Each row makes a product, a variant of a product model too: export the product models to import one product for each style.',
    ],
  },
  {
    name: 'Centric PLM',
    signs: [
      ['Style', 'Code', 'Season'],
      ['Style', 'Code', 'Style Type'],
    ],
    columns: {
      ...{ Style: 'name', Code: 'sku', 'Style Type': 'category', URL: null },
      ...{ 'Production Supplier': 'supplier_name', Supplier: 'supplier_name' },
    },
    notes: [],
  },
  {
    name: 'SAP',
    signs: [
      ['Material', 'Materialkurztext'],
      ['Materialnummer', 'Materialkurztext'],
      ['MATNR', 'MAKTX'],
    ],
    columns: {
      ...{ Material: 'sku', Materialnummer: 'sku', MATNR: 'sku', Materialkurztext: 'name', MAKTX: 'name' },
      ...{ 'EAN/UPC': 'gtin', 'EAN/UPC-Code': 'gtin', EAN11: 'gtin', Warengruppe: 'category', MATKL: 'category' },
      ...{ NTGEW: 'weight_kg', GEWEI: 'weight_unit' },
      ...{ HERKL: 'country_of_manufacture', Materialart: null, Materialbezeichnung: 'name', WRKST: null },
      // The number of the supplier's account.
      ...{ Lieferant: null, LIFNR: null },
    },
    notes: [],
  },
  {
    name: 'Sage 100',
    signs: [
      ['Référence article', 'Désignation', 'Famille'],
      ['Référence', 'Désignation', 'Famille'],
      ['AR_Ref', 'AR_Design'],
    ],
    columns: {
      ...{
        'Référence article': 'sku',
        AR_Ref: 'sku',
        AR_Design: 'name',
        Famille: 'category',
        FA_CodeFamille: 'category',
      },
      ...{ 'Code-barres': 'gtin', AR_CodeBarre: 'gtin', AR_PoidsNet: 'weight_kg', AR_UnitePoids: 'weight_unit' },
      ...{ AR_Pays: 'country_of_manufacture', 'Fournisseur principal': 'supplier_name' },
    },
    notes: [],
  },
];

const COLUMNS = new Map(
  SYSTEMS.map(({ name, columns }) => [
    name,
    new Map(Object.entries(columns).map(([header, field]) => [textKey(header), field])),
  ]),
);

/** The system that a file with these columns was exported from, if it is a known one. */
export function systemOf(columns: readonly Pick<Column, 'header'>[]): KnownSystem | null {
  const keys = new Set(columns.map(({ header }) => textKey(header)));
  return SYSTEMS.find(({ signs }) => signs.some((names) => names.every((name) => keys.has(textKey(name))))) ?? null;
}

/** The field that a column is in a system's export, null for one that is not to be imported; undefined if it is as elsewhere. */
export const fieldInSystem = (system: KnownSystem, header: string): string | null | undefined =>
  COLUMNS.get(system.name)?.get(textKey(header));

/** Its name without what the system puts before the brand's own columns. */
export const ownName = (system: KnownSystem | null, header: string): string =>
  system?.prefix !== undefined && header.startsWith(system.prefix) ? header.slice(system.prefix.length) : header;

/** How to tell rows that belong to the product of another row, by the places of their cells. */
export interface VariantRows {
  readonly product: number;
  readonly mark: number;
  readonly is: 'blank' | 'variation';
}

export function variantRowsOf(columns: readonly Column[]): VariantRows | null {
  const variants = systemOf(columns)?.variants;
  if (variants === undefined) return null;
  const placeOf = (names: readonly string[]): number | undefined =>
    columns.find(({ header }) => names.some((name) => textKey(name) === textKey(header)))?.index;
  const [product, mark] = [placeOf(variants.product), placeOf([variants.mark])];
  return product === undefined || mark === undefined ? null : { product, mark, is: variants.is };
}

/** The product that a row belongs to without making it; null for a row of its own. */
export function productOfVariant(cells: readonly Cell[], rule: VariantRows | null): string | null {
  if (rule === null) return null;
  const [product = null, mark = null] = [cells[rule.product], cells[rule.mark]];
  const isVariant =
    rule.is === 'blank'
      ? isBlankCell(mark) && !isBlankCell(product)
      : typeof mark === 'string' && mark.split(',').some((type) => type.trim().toLowerCase() === 'variation');
  if (!isVariant) return null;
  return typeof product === 'string' || typeof product === 'number' ? String(product).trim() : '';
}
