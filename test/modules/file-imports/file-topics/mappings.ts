import { describe, expect, it } from 'vitest';
import { over, sheetIn, start, upload, type Topic } from '../files.js';

export const mappings = ({ service, brand }: Topic): void => {
  describe('a mapping', () => {
    const odd = 'Ding;Zahl\nHemd;7\n';

    it('that is missing the name is told at the upload and refused at the commit', async () => {
      const { json } = await upload(brand(), odd);
      expect(json).toMatchObject({ unmapped: ['Ding', 'Zahl'], unmappedRequired: ['name'] });
      const commit = await brand().call({ method: 'POST', url: `/brand/bulk/files/${json.id}/commit`, payload: {} });
      expect([commit.status, commit.json.code]).toEqual([422, 'name_unmapped']);
    });

    it('can be corrected, looked at, and is kept for files with the same columns', async () => {
      const { json: first } = await upload(brand(), odd);
      const mapping = { Ding: 'name', Zahl: 'sku' };
      const looked = await brand().call({
        method: 'POST',
        url: `/brand/bulk/files/${first.id}/validate`,
        payload: { mapping },
      });
      expect(looked.json).toMatchObject({ mapping, validation: { summary: { create: 1, errors: 0 } } });
      const commit = await brand().call({
        method: 'POST',
        url: `/brand/bulk/files/${first.id}/commit`,
        payload: { mapping },
      });
      expect(commit.status).toBe(202);
      expect((await over(brand(), commit.json.importId)).outcomes).toMatchObject({ create: 1 });

      const { json: second } = await upload(brand(), 'DING;zahl\nHose;8\n');
      expect(second).toMatchObject({ fileType: first.fileType, mapping: { DING: 'name', zahl: 'sku' } });
      const url = `/brand/bulk/mappings/${first.fileType}`;
      expect((await brand().call({ url })).json).toEqual({ fileType: first.fileType, mapping });
      expect((await brand().call({ method: 'DELETE', url })).json).toEqual({ ok: true });
      expect((await brand().call({ url })).status).toBe(404);
      expect((await upload(brand(), odd)).json.mapping).toEqual({ Ding: null, Zahl: null });
      const put = await brand().call({ method: 'PUT', url, payload: { mapping: { Ding: 'name' } } });
      expect(put.json.mapping).toEqual({ Ding: 'name' });
      expect((await upload(brand(), odd)).json.mapping).toEqual({ Ding: 'name', Zahl: null });
    });

    it('given with the upload is kept too, and the file of errors goes back in under it, whatever its cells look like', async () => {
      // The cells of the rows are better known names of columns than its own.
      const mapping = { Ding: 'name', Menge: null, Kennung: 'gtin' };
      const sent = { mapping: JSON.stringify(mapping) };
      const { json: first } = await upload(brand(), 'Ding;Menge;Kennung\nSKU;name;x\nEAN;Gewicht;12\n', sent);
      const url = `/brand/bulk/files/${first.id}/commit`;
      const { json: started } = await brand().call({ method: 'POST', url, payload: {} });
      expect((await over(brand(), started.importId)).outcomes).toMatchObject({ create: 0, errors: 2 });
      const errors = `/brand/bulk/imports/${started.importId}/errors.xlsx`;
      const { book, sheet } = await sheetIn(service(), brand(), errors);
      sheet.getCell('C2').value = null;
      sheet.getCell('C3').value = '4006381333948';
      const again = await upload(brand(), Buffer.from(await book.xlsx.writeBuffer()));
      expect(again.json).toMatchObject({
        fileType: first.fileType,
        mapping,
        validation: { summary: { create: 2, errors: 0 } },
      });
    });

    it('is not needed again for the errors of an update, nor the mode', async () => {
      await over(brand(), await start(brand(), 'name;external_id\nVorher;U-1\n'));
      const id = await start(brand(), 'name;external_id;gtin\nNachher;U-1;12\n', { mode: 'upsert' });
      expect((await over(brand(), id)).outcomes).toMatchObject({ errors: 1 });
      const { book, sheet } = await sheetIn(service(), brand(), `/brand/bulk/imports/${id}/errors.xlsx`);
      sheet.getCell('C2').value = null;
      const bytes = Buffer.from(await book.xlsx.writeBuffer());
      const again = await upload(brand(), bytes);
      expect(again.json).toMatchObject({ mode: 'upsert', validation: { summary: { update: 1, skipped: 0 } } });
      const told = await upload(brand(), bytes, { mode: 'create' });
      expect(told.json).toMatchObject({ mode: 'create', validation: { summary: { skipped: 1 } } });
      const url = `/brand/bulk/files/${told.json.id}/validate`;
      const other = await brand().call({ method: 'POST', url, payload: { mode: 'upsert' } });
      expect(other.json).toMatchObject({ mode: 'upsert', validation: { summary: { update: 1 } } });
    });

    it('with a field that does not exist is refused wherever it comes', async () => {
      const { json } = await upload(brand(), odd);
      const mapping = { Ding: 'colour' };
      const path = 'mapping.Ding';
      for (const answer of [
        await upload(brand(), odd, { mapping: JSON.stringify(mapping) }),
        await brand().call({ method: 'POST', url: `/brand/bulk/files/${json.id}/commit`, payload: { mapping } }),
        await brand().call({ method: 'PUT', url: `/brand/bulk/mappings/${json.fileType}`, payload: { mapping } }),
      ]) {
        expect(answer).toMatchObject({ status: 422, json: { errors: [{ path }] } });
      }
    });
  });
};
