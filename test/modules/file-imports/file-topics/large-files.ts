import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProgram } from '../../../support/program.js';
import { breakOff, peakGrowthMib, sendFile, startApi } from '../api-process.js';
import { csvOf, upload, type Topic } from '../files.js';

const MIB = 1024 * 1024;

/** Files of their own process: what they take of its memory, and what is left of them when it dies. */
export const largeFiles = ({ service, brand }: Topic): void => {
  describe('an API that is sent too much', () => {
    let folder: string;
    let api: RunningProgram;
    let url: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'large-files-'));
      ({ api, url } = await startApi(service(), folder));
      // What is loaded by the first call of its kind is no growth.
      expect(await sendFile(url, brand(), [csvOf(2_000)])).toMatchObject({ status: 201 });
    });
    afterAll(async () => {
      await api.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const listed = async (): Promise<number> =>
      (await fetch(`${url}/brand/products`, { headers: brand().headers })).status;
    const nothingLeft = () => expect.poll(() => readdir(folder)).toEqual([]);

    it('refuses 200 MB in flat memory, however they come, and answers others meanwhile', async () => {
      const line = 'Shirt;cotton;100;0,2\n'.repeat(50_000).slice(0, MIB);
      const pieces = function* () {
        yield 'name;material_1_type;material_1_percent;weight_kg\n';
        for (let sent = 0; sent < 200; sent++) yield line;
      };
      const others: number[] = [];
      const growth = await peakGrowthMib(api, async () => {
        let isOver = false;
        const refused = sendFile(url, brand(), pieces()).finally(() => void (isOver = true));
        while (!isOver) others.push(await listed());
        expect(await refused).toMatchObject({
          status: 413,
          code: 'payload_too_large',
          detail: expect.stringMatching(/50 MiB/),
        });
      });
      // What a collector leaves lying about for a while, and not what was sent.
      expect(growth).toBeLessThan(120);
      expect(new Set(others)).toEqual(new Set([200]));

      const length = { 'content-length': String(200 * MIB) };
      expect(await sendFile(url, brand(), pieces(), length)).toMatchObject({ status: 413 });
      await nothingLeft();
    });

    it('forgets what a caller has sent who goes away in the midst of it', async () => {
      const begun = async () => (await readdir(folder)).length > 0;
      await breakOff(url, brand(), csvOf(5_000), begun);
      await nothingLeft();
      expect(await filesKept()).toBe(1);
      expect(await listed()).toBe(200);
    });

    it('refuses 1,000,000 rows by the limit that is documented, in bounded memory', async () => {
      const rows = 'Shirt;cotton;100;0,2\n'.repeat(10_000);
      const pieces = function* () {
        yield 'name;material_1_type;material_1_percent;weight_kg\n';
        for (let sent = 0; sent < 100; sent++) yield rows;
      };
      const growth = await peakGrowthMib(api, async () => {
        const refused = await sendFile(url, brand(), pieces());
        expect(refused).toMatchObject({ status: 413, detail: expect.stringMatching(/more than 100,000 rows/) });
      });
      expect(growth).toBeLessThan(150);
      await nothingLeft();
      expect(await filesKept()).toBe(1);
    });

    const filesKept = async () => {
      const { rows } = await service().database.query<{ id: string }>(
        'select id from service.import_files where organization_id = $1',
        [brand().organizationId],
      );
      return rows.length;
    };

    it('and killed while it keeps a file has kept nothing of it; sent again under its key it is kept once', async () => {
      const content = csvOf(10_000);
      const key = 'killed-upload';
      const sent = sendFile(url, brand(), [content], { 'idempotency-key': key }).then(
        () => 'answered',
        () => 'cut off',
      );
      const isKeeping = async () => {
        const { rows } = await service().database.query(
          `select 1 from pg_stat_activity
            where datname = current_database() and query like 'insert into service.import_file_rows%'`,
        );
        return rows.length > 0;
      };
      while (!(await isKeeping()));
      await api.kill('SIGKILL');
      expect(await sent).toBe('cut off');
      expect(await filesKept()).toBe(1);

      const again = await upload(brand(), content, { key });
      expect([again.status, again.json.rowCount], again.body.slice(0, 500)).toEqual([201, 10_000]);
      // Written while its rows are looked at, so every one of them is there.
      expect(again.json.validation.summary).toMatchObject({ create: 10_000, errors: 0, passports: 10_000 });
      expect(again.json.validation.rows.map(({ row }: { row: number }) => row)).toEqual(
        Array.from({ length: 10_000 }, (_, index) => index + 2),
      );
      expect((await upload(brand(), content, { key })).json.id).toBe(again.json.id);
      expect(await filesKept()).toBe(2);
    });
  });
};
