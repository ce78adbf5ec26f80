import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { multipart, over, sheetIn, start, upload, type Topic } from '../files.js';

/** A workbook of sheets, the first of them first. */
async function workbookOf(
  sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>,
): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets)) book.addWorksheet(name).addRows(rows as never);
  return Buffer.from(await book.xlsx.writeBuffer());
}

const COVER = [['Catalogue autumn 2026'], [], ['Brand', 'Nordlicht'], ['Contact', 'anna@example.com'], ['Products', 2]];
const LEGEND = [
  ['Column', 'Meaning'],
  ['Artikelname', 'The name'],
  ['EAN', 'The GTIN'],
  ['Gewicht (g)', 'The weight'],
];
const DATA = [
  ['Artikelname', 'EAN', 'Gewicht (g)'],
  ['Kleid', '4006381333931', 210],
  ['Hose', '4012345678901', 420],
];

export const workbooks = ({ service, brand }: Topic): void => {
  describe('of the sheets of a workbook', () => {
    it('a cover and a legend are passed over', async () => {
      const { json } = await upload(brand(), await workbookOf({ Deckblatt: COVER, Legende: LEGEND, Artikel: DATA }));
      expect(json).toMatchObject({ sheet: 'Artikel', sheets: ['Deckblatt', 'Legende', 'Artikel'], rowCount: 2 });
      expect(json.notes).toContain('Only the sheet "Artikel" was read, not "Deckblatt", "Legende".');
      expect(Object.values(json.mapping)).toEqual(['name', 'gtin', 'weight_kg']);
    });

    it('the one that a mapping speaks of is read, and the widest where nobody knows a name', async () => {
      const own = [
        ['Ding', 'Kennung', 'Farbe'],
        ['Kleid', 'K1', 'rot'],
      ];
      const book = await workbookOf({ Deckblatt: COVER, Eigenes: own, Artikel: DATA });
      expect((await upload(brand(), book)).json).toMatchObject({ sheet: 'Artikel' });
      const mapping = JSON.stringify({ Ding: 'name', Kennung: 'external_id' });
      expect((await upload(brand(), book, { mapping })).json).toMatchObject({ sheet: 'Eigenes', rowCount: 1 });
      const unknown = await workbookOf({ Deckblatt: COVER, Eigenes: own });
      expect((await upload(brand(), unknown)).json).toMatchObject({ sheet: 'Eigenes', rowCount: 1 });
    });

    it('the first of two alike is read, and any other that is chosen', async () => {
      const women = [DATA[0] ?? [], ['Bluse', '', 150]];
      const book = await workbookOf({ Damen: women, Herren: DATA });
      expect((await upload(brand(), book)).json).toMatchObject({ sheet: 'Damen', rowCount: 1 });
      const chosen = await upload(brand(), book, { sheet: 'Herren' });
      expect(chosen.json).toMatchObject({ sheet: 'Herren', rowCount: 2, validation: { summary: { errors: 0 } } });
      expect(await upload(brand(), book, { sheet: 'Kinder' })).toMatchObject({
        status: 422,
        json: {
          code: 'invalid_input',
          errors: [{ path: 'sheet', message: expect.stringMatching(/"Damen", "Herren"/) }],
        },
      });
      expect(await upload(brand(), 'name\nx\n', { sheet: 'Herren' })).toMatchObject({
        status: 422,
        json: { errors: [{ path: 'sheet' }] },
      });
    });

    it('the legacy call reads the one with the products as well', async () => {
      const { payload, headers } = multipart(await workbookOf({ Deckblatt: COVER, Artikel: DATA }));
      const as = await service().asBrand();
      expect(await as.call({ method: 'POST', url: '/brand/bulk/products', payload, headers })).toMatchObject({
        status: 200,
        json: { created: 2 },
      });
    });
  });

  it('the file of errors writes cells that begin like a formula as text', async () => {
    const id = await start(brand(), 'name;gtin\n=1+1;x\n+2;x\n-3;x\n@SUM(A1);x\n');
    await over(brand(), id);
    const { sheet } = await sheetIn(service(), brand(), `/brand/bulk/imports/${id}/errors.xlsx`);
    for (const [row, text] of ['=1+1', '+2', '-3', '@SUM(A1)'].entries()) {
      expect(sheet.getCell(row + 2, 1)).toMatchObject({ value: text, type: ExcelJS.ValueType.String });
    }
  });

  it('the template has the columns, lists to choose from, examples that pass, and explains each column', async () => {
    const { bytes, book } = await sheetIn(service(), brand(), '/brand/bulk/template.xlsx');
    expect(book.worksheets.map(({ name, state }) => [name, state])).toEqual([
      ['Products', 'visible'],
      ['Examples', 'visible'],
      ['Explanations', 'visible'],
      ['Lists', 'hidden'],
    ]);
    const header = (book.getWorksheet('Products')?.getRow(1).values as string[]).slice(1);
    const mode = book.getWorksheet('Products')?.getCell(2, header.indexOf('category') + 1).dataValidation;
    expect(mode).toMatchObject({ type: 'list' });
    expect(book.getWorksheet('Explanations')?.rowCount).toBe(header.length + 1);
    const empty = await upload(brand(), bytes);
    expect(empty.json).toMatchObject({ rowCount: 0, unmapped: [], validation: { rows: [] } });

    for (const name of ['Products', 'Explanations', 'Lists']) book.removeWorksheet(book.getWorksheet(name)?.id ?? 0);
    const filled = await upload(await service().asBrand(), Buffer.from(await book.xlsx.writeBuffer()));
    expect(filled.json.validation.summary).toMatchObject({ create: 2, errors: 0, passports: 2 });
  });
};
