import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import { over, sheetIn, start, upload, type Topic } from '../files.js';

export const workbooks = ({ service, brand }: Topic): void => {
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
