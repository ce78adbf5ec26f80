import { describe, expect, it } from 'vitest';
import { csvOf, multipart, over, start, upload, type Topic } from '../files.js';

export const uploads = ({ service, brand }: Topic): void => {
  describe('an upload', () => {
    it('beyond the free plan is refused before anything is written', async () => {
      const free = await service().asBrand({ plan: 'free' });
      const { status, json } = await upload(free, csvOf(51));
      expect([status, json.code]).toEqual([403, 'plan_limit']);
      const kept = await service().database.query('select 1 from service.import_files where organization_id = $1', [
        free.organizationId,
      ]);
      expect(kept.rowCount).toBe(0);
      expect((await upload(free, csvOf(50))).status).toBe(201);
    });

    it('that is no file, no spreadsheet or no multipart is refused with a reason', async () => {
      expect(await upload(brand(), Buffer.from('89504e470d0a1a0a00', 'hex'))).toMatchObject({ status: 415 });
      expect(await upload(brand(), '')).toMatchObject({ status: 422, json: { code: 'file_unreadable' } });
      expect(await upload(brand(), 'name;sku;SKU\na;b;c\n')).toMatchObject({ status: 422 });
      expect(await upload(brand(), 'name\n"a\n')).toMatchObject({
        status: 422,
        json: { detail: expect.stringMatching(/^Line 2/) },
      });
      const url = '/brand/bulk/files';
      expect(await brand().call({ method: 'POST', url, payload: { mode: 'create' } })).toMatchObject({ status: 415 });
      const { headers } = multipart('x');
      const cut = await brand().call({ method: 'POST', url, headers, payload: Buffer.from('--a-boundary-that-no') });
      expect(cut).toMatchObject({ status: 400, json: { code: 'malformed_request' } });
      const none =
        '--a-boundary-that-no-file-holds\r\nContent-Disposition: form-data; name="mode"\r\n\r\ncreate\r\n--a-boundary-that-no-file-holds--\r\n';
      expect(await brand().call({ method: 'POST', url, headers, payload: none })).toMatchObject({
        status: 422,
        json: { errors: [{ path: 'file' }] },
      });
      expect(await upload(brand(), csvOf(1), { mode: 'replace' })).toMatchObject({
        status: 422,
        json: { errors: [{ path: 'mode' }] },
      });
      expect(await upload(brand(), csvOf(1), { mapping: '{' })).toMatchObject({
        status: 422,
        json: { errors: [{ path: 'mapping' }] },
      });
    });

    it('that is prose under the name of a workbook is refused as no table, and a table of unknown columns is not', async () => {
      const letter =
        'Dear Anna,\n\nplease find below what we have agreed on, with one change.\nThe tees, 200 of them, come in May; the rest, as we said, in June.\n\nKind regards,\nBerta\n';
      const lines = ['An order', 'Two hundred tees', 'A hundred trousers'].join('\n');
      for (const text of [letter, lines, 'Just one sentence, and no more.', letter.repeat(50)]) {
        expect([text, await upload(brand(), text)]).toMatchObject([
          text,
          {
            status: 415,
            json: { code: 'unsupported_media_type', detail: expect.stringMatching(/neither .* nor a table/) },
          },
        ]);
      }
      for (const text of ['Ding;Kennung\nTee;1\nHose;2\n', 'name\nTee\n', 'name;sku\n']) {
        expect([text, (await upload(brand(), text)).status]).toEqual([text, 201]);
      }
      expect((await upload(brand(), 'Ding\nTee\n', { mapping: '{"Ding":"name"}' })).status).toBe(201);
    });

    it('in an encoding of its own is read in the one that is told, and asked about where it is unclear', async () => {
      const turkish = Buffer.from('name;sku\nTi\xfe\xf6rt;T\n', 'latin1');
      expect(await upload(brand(), turkish)).toMatchObject({
        status: 422,
        json: { code: 'file_unreadable', errors: [{ path: 'encoding' }] },
      });
      const told = await upload(brand(), turkish, { encoding: 'windows-1254' });
      expect(told).toMatchObject({ status: 201, json: { preview: [{ cells: { name: 'Tişört' } }] } });
      expect(await upload(brand(), turkish, { encoding: 'ebcdic' })).toMatchObject({
        status: 422,
        json: { errors: [{ path: 'encoding' }] },
      });
    });

    it('whose body breaks off anywhere is refused as such', async () => {
      const { payload, headers } = multipart(csvOf(100), { mode: 'create' });
      for (const url of ['/brand/bulk/files', '/brand/bulk/products']) {
        for (const share of [0, 0.01, 0.05, 0.5, 0.999]) {
          const cut = payload.subarray(0, Math.floor(payload.length * share));
          const { status, json } = await brand().call({ method: 'POST', url, headers, payload: cut });
          expect([url, share, status, json.code]).toEqual([url, share, expect.any(Number), expect.any(String)]);
          expect([400, 422], `${url} ${share}`).toContain(status);
        }
        const boundless = { 'content-type': 'multipart/form-data' };
        expect((await brand().call({ method: 'POST', url, headers: boundless, payload })).status).toBe(400);
      }
    });

    it('under one key answers one file, and the key is not good for another file', async () => {
      const first = await upload(brand(), csvOf(1), { key: 'upload-1' });
      const again = await upload(brand(), csvOf(1), { key: 'upload-1' });
      expect(again).toMatchObject({ status: 201, json: { id: first.json.id } });
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(await upload(brand(), csvOf(2), { key: 'upload-1' })).toMatchObject({
        status: 422,
        json: { code: 'idempotency_key_reused' },
      });
    });

    it('stays, however many have come since it began, and of the others the newest', async () => {
      const many = await service().asBrand();
      const { json: old } = await upload(many, csvOf(1));
      await service().database.query(
        `insert into service.import_files
           (id, organization_id, file_hash, file_type, mode, sheet, mapping, row_count, created_at, expires_at)
         select 'imp_many_' || n, organization_id, file_hash, file_type, mode, sheet, mapping, 0, created_at + 3600000 + n, expires_at
           from service.import_files, generate_series(1, 25) as n where id = $1`,
        [old.id],
      );
      const { json: last } = await upload(many, csvOf(1));
      const { rows } = await service().database.query<{ id: string }>(
        'select id from service.import_files where organization_id = $1 order by created_at',
        [many.organizationId],
      );
      expect(rows.map(({ id }) => id)).toEqual([last.id, ...Array.from({ length: 19 }, (_, n) => `imp_many_${n + 7}`)]);
    });

    it('is another organization’s secret', async () => {
      const stranger = await service().asBrand();
      const id = await start(brand(), csvOf(1, ' of ours'));
      await over(brand(), id);
      for (const [method, url] of [
        ['GET', `/brand/bulk/files/${id}`],
        ['POST', `/brand/bulk/files/${id}/commit`],
        ['POST', `/brand/bulk/files/${id}/validate`],
        ['GET', `/brand/bulk/imports/${id}`],
        ['GET', `/brand/bulk/imports/${id}/events`],
        ['GET', `/brand/bulk/imports/${id}/errors.xlsx`],
        ['POST', `/brand/bulk/imports/${id}/cancel`],
      ] as const) {
        expect([url, (await stranger.call({ method, url, ...(method === 'POST' && { payload: {} }) })).status]).toEqual(
          [url, 404],
        );
      }
      expect((await stranger.call({ url: '/brand/bulk/imports' })).json.data).toEqual([]);
    });
  });
};
