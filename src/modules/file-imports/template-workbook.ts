import ExcelJS from 'exceljs';
import { CATEGORIES, SUBCATEGORIES } from '../../reference-data/categories.js';
import { COUNTRY_CODES } from '../../reference-data/countries.js';
import { MATERIALS } from '../../reference-data/materials.js';
import { TEMPLATE_FIELDS } from './fields.js';

const LAST_LISTED_ROW = 1_001;
const HEADER: Partial<ExcelJS.Style> = {
  font: { bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFE8EEF7' } },
};

/** Lists of the drop-downs, by the columns that they are for. */
const LISTS: readonly { readonly name: string; readonly values: readonly string[]; readonly columns: RegExp }[] = [
  { name: 'categories', values: CATEGORIES.map(({ id }) => id), columns: /^category$/ },
  { name: 'subcategories', values: SUBCATEGORIES.map(({ id }) => id), columns: /^subcategory$/ },
  { name: 'materials', values: MATERIALS.map(({ id }) => id), columns: /^material_\d_type$/ },
  { name: 'countries', values: COUNTRY_CODES, columns: /^country_of_manufacture$|^material_\d_origin$/ },
  { name: 'yes or no', values: ['yes', 'no'], columns: /^recyclable$/ },
];

/** An empty sheet to fill in, one with examples, one that explains each column; drop-down lists that suggest and do not force. */
export async function templateWorkbook(): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  const products = book.addWorksheet('Products', { views: [{ state: 'frozen', ySplit: 1 }] });
  const examples = book.addWorksheet('Examples', { views: [{ state: 'frozen', ySplit: 1 }] });
  const explanations = book.addWorksheet('Explanations', { views: [{ state: 'frozen', ySplit: 1 }] });
  const lists = book.addWorksheet('Lists', { state: 'hidden' });

  for (const sheet of [products, examples]) {
    sheet.columns = TEMPLATE_FIELDS.map(({ column }) => ({
      header: column,
      width: Math.max(14, column.length + 2),
      // Long numbers stay whole, and codes keep their zeros.
      ...(/^(?:gtin|sku|external_id)$/.test(column) && { style: { numFmt: '@' } }),
    }));
    sheet.getRow(1).eachCell((cell) => void (cell.style = HEADER));
  }
  for (const place of [0, 1] as const) {
    examples.addRow(TEMPLATE_FIELDS.map(({ examples: values }) => (values[place] === '' ? null : values[place])));
  }

  explanations.columns = [
    { header: 'Column', width: 26 },
    { header: 'Needed', width: 16 },
    { header: 'What it holds', width: 100 },
    { header: 'Example', width: 40 },
  ];
  explanations.getRow(1).eachCell((cell) => void (cell.style = HEADER));
  for (const { column, explanation, examples: values } of TEMPLATE_FIELDS) {
    explanations.addRow([column, neededFor(column), explanation, values[0] === '' ? values[1] : values[0]]);
  }

  for (const [index, { name, values, columns }] of LISTS.entries()) {
    const letter = lists.getColumn(index + 1).letter;
    lists.getColumn(index + 1).values = [name, ...values];
    for (const [place, { column }] of TEMPLATE_FIELDS.entries()) {
      if (!columns.test(column)) continue;
      const target = products.getColumn(place + 1).letter;
      addList(products, `${target}2:${target}${LAST_LISTED_ROW}`, `Lists!$${letter}$2:$${letter}$${values.length + 1}`);
    }
  }
  return Buffer.from(await book.xlsx.writeBuffer());
}

const neededFor = (column: string): string => {
  if (column === 'name') return 'always';
  return column === 'weight_kg' || column === 'composition' || column.startsWith('material_1_t')
    ? 'for a passport'
    : 'no';
};

/** For a whole range at once; the library's types know single cells only. */
function addList(sheet: ExcelJS.Worksheet, range: string, source: string): void {
  const { dataValidations } = sheet as unknown as {
    dataValidations: { add(range: string, validation: ExcelJS.DataValidation): void };
  };
  dataValidations.add(range, {
    type: 'list',
    allowBlank: true,
    formulae: [source],
    showErrorMessage: true,
    errorStyle: 'information',
    error: 'Names in your own language are understood too.',
  });
}
