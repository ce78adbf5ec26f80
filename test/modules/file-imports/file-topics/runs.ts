import { describe, expect, it } from 'vitest';
import { csvOf, importOf, over, productsOf, start, upload, type Topic } from '../files.js';

export const runs = ({ service, brand }: Topic): void => {
  describe('an import', () => {
    it('is the only one of its file, however often it is started', async () => {
      const uploaded = await upload(brand(), csvOf(3, ' once'));
      const url = `/brand/bulk/files/${uploaded.json.id}/commit`;
      const commits = await Promise.all([1, 2, 3].map(() => brand().call({ method: 'POST', url, payload: {} })));
      expect(new Set(commits.map(({ json }) => json.importId))).toEqual(new Set([uploaded.json.id]));
      await over(brand(), uploaded.json.id);
      expect((await brand().call({ method: 'POST', url, payload: {} })).json).toEqual({ importId: uploaded.json.id });
      const types: string[] = [];
      for await (const event of service().eventStore.readStream(`import-${uploaded.json.id}`)) types.push(event.type);
      expect(types).toEqual(['ImportStarted', 'ImportEnded']);
    });

    it('is answered again to who asks for the same, and refused to who asks for another mode or mapping', async () => {
      const text = `Ding;Kennung;Notiz\nTee;${Math.random()};x\n`;
      const mapping = { Ding: 'name', Kennung: 'external_id', Notiz: null };
      const { json } = await upload(brand(), text);
      const url = `/brand/bulk/files/${json.id}/commit`;
      const commit = (payload: object) => brand().call({ method: 'POST', url, payload });
      expect((await commit({ mode: 'upsert', mapping })).status).toBe(202);
      for (const same of [
        {},
        { mode: 'upsert' },
        { mapping },
        { mapping: { DING: 'name' } },
        { mode: 'upsert', mapping },
      ]) {
        expect(await commit(same)).toMatchObject({ status: 202, json: { importId: json.id } });
      }
      for (const other of [
        { mode: 'create' },
        { mapping: { Kennung: 'sku' } },
        { mapping: { Ding: null } },
        { mode: 'upsert', mapping: { Notiz: 'care_instructions' } },
      ]) {
        expect([other, await commit(other)]).toMatchObject([
          other,
          { status: 409, json: { code: 'import_differs', importId: json.id } },
        ]);
      }
      expect(await commit({ mapping: { Farbe: 'sku' } })).toMatchObject({ status: 422 });
      await over(brand(), json.id);
      expect(await commit({ mode: 'create' })).toMatchObject({ status: 409, json: { state: 'completed' } });
    });

    it('of calls at one moment that ask for different modes is that of one, and the others hear of it', async () => {
      const { json } = await upload(brand(), csvOf(2, ' modes'));
      const url = `/brand/bulk/files/${json.id}/commit`;
      const modes = ['create', 'upsert', 'create', 'upsert'];
      const answers = await Promise.all(modes.map((mode) => brand().call({ method: 'POST', url, payload: { mode } })));
      const { mode } = await over(brand(), json.id);
      expect(answers.map(({ status }) => status)).toEqual(modes.map((asked) => (asked === mode ? 202 : 409)));
    });

    it('that is cancelled keeps what is done and says which rows', async () => {
      const fresh = await service().asBrand();
      const id = await start(fresh, csvOf(600));
      await expect.poll(async () => (await importOf(fresh, id)).done, { timeout: 60_000 }).toBeGreaterThan(0);
      expect(await fresh.call({ method: 'POST', url: `/brand/bulk/imports/${id}/cancel` })).toMatchObject({
        status: 200,
      });
      const ended = await over(fresh, id);
      expect(ended.state).toBe('cancelled');
      expect(ended.done).toBeLessThan(600);
      expect(ended.done % 25).toBe(0);
      expect(ended.report.rows).toHaveLength(ended.done);
      expect((await productsOf(fresh)).length).toBe(ended.done);
      expect(await fresh.call({ method: 'POST', url: `/brand/bulk/imports/${id}/cancel` })).toMatchObject({
        status: 200,
        json: { state: 'cancelled' },
      });
      const listed = (await fresh.call({ url: '/brand/bulk/imports' })).json.data;
      expect(listed).toMatchObject([{ id, state: 'cancelled', done: ended.done, total: 600 }]);
    }, 120_000);

    it('that is over cannot be cancelled', async () => {
      const id = await start(brand(), csvOf(1, ' over'));
      await over(brand(), id);
      expect(await brand().call({ method: 'POST', url: `/brand/bulk/imports/${id}/cancel` })).toMatchObject({
        status: 409,
        json: { code: 'import_over', state: 'completed' },
      });
    });

    it('whose rows are gone ends as failed', async () => {
      const uploaded = await upload(brand(), csvOf(2, ' gone'));
      await service().database.query('delete from service.import_file_rows where file_id = $1', [uploaded.json.id]);
      const url = `/brand/bulk/files/${uploaded.json.id}/commit`;
      expect((await brand().call({ method: 'POST', url, payload: {} })).status).toBe(202);
      expect(await over(brand(), uploaded.json.id)).toMatchObject({ state: 'failed', done: 0, total: 2 });
    });

    it('of two organizations at the same moment makes each its own products, of one organization no key twice', async () => {
      const [one, two] = [await service().asBrand(), await service().asBrand()];
      const runs = await Promise.all([start(one, csvOf(30)), start(one, csvOf(30)), start(two, csvOf(30))]);
      const [first, second, foreign] = [
        await over(one, runs[0] ?? ''),
        await over(one, runs[1] ?? ''),
        await over(two, runs[2] ?? ''),
      ];
      expect(foreign.outcomes).toMatchObject({ create: 30, passports: 30 });
      expect(first.outcomes.create + second.outcomes.create).toBe(30);
      expect(first.outcomes.skipped + second.outcomes.skipped).toBe(30);
      for (const each of [one, two]) {
        const keys = (await productsOf(each)).map(({ externalId }) => externalId);
        expect(new Set(keys).size).toBe(30);
        expect(keys).toHaveLength(30);
      }
    }, 120_000);
  });
};
