import { describe, expect, it } from 'vitest';
import { inTransaction, type Connection } from '../../../../src/infrastructure/postgres/database.js';
import { endImport, importNextRows } from '../../../../src/modules/file-imports/chunk.js';
import { purgeReports } from '../../../../src/modules/file-imports/runs.js';
import { dropOldUploads, keepUploadUntil, purgeImportFiles } from '../../../../src/modules/file-imports/store.js';
import type { Answer } from '../../../support/service.js';
import { csvOf, importOf, start, upload, type Topic } from '../files.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long files and reports are kept, also when somebody wants to import what somebody else is about to forget. */
export const keptFiles = ({ service, brand }: Topic): void => {
  const importFile = (id: string): Promise<Answer> =>
    brand().call({ method: 'POST', url: `/brand/bulk/files/${id}/commit`, payload: {} });

  /** As the worker does. */
  async function carryOut(importId: string) {
    const deps = { ...service(), consumerUrl: service().config.CONSUMER_URL, clock: () => Date.now() };
    const step = { importId, organizationId: brand().organizationId, now: Date.now() };
    while ((await importNextRows(deps, step)) === 'more');
    await endImport(deps, { ...step, state: 'completed', failure: null });
    return importOf(brand(), importId);
  }

  const isKept = async (id: string) => {
    const { rows } = await service().database.query<{ rows: number }>(
      `select count(cells)::int as rows from service.import_files
         left join service.import_file_rows on file_id = id where id = $1 group by id`,
      [id],
    );
    return rows[0]?.rows ?? null;
  };

  const runOut = (id: string) =>
    service().database.query('update service.import_files set expires_at = 1 where id = $1', [id]);

  /** Calls while a transaction holds what it has locked, without having to wait for it. */
  async function meanwhile(hold: (db: Connection) => Promise<unknown>, call: () => Promise<unknown>): Promise<void> {
    await inTransaction(service().database, async (db) => {
      await hold(db);
      await call();
    });
  }

  /** The same, but the transaction ends once the call has to wait for it. */
  async function waitingFor(hold: (db: Connection) => Promise<unknown>, call: () => Promise<Answer>): Promise<Answer> {
    const called = await inTransaction(service().database, async (db) => {
      await hold(db);
      const answer = call();
      await expect
        .poll(async () => {
          const { rowCount } = await db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rowCount;
        })
        .toBe(1);
      return { answer };
    });
    return called.answer;
  }

  describe('a file whose import is about to begin', () => {
    const begins = (id: string) => (db: Connection) => keepUploadUntil(db, id, Date.now() + DAY_MS);
    const survivors = {
      'a newer upload that would push it out': (id: string) =>
        inTransaction(service().database, (db) =>
          dropOldUploads(db, brand().organizationId, { newest: `not ${id}`, keep: 1 }),
        ),
      'the purge of files that have run out': () => purgeImportFiles(service().database, Date.now(), 10),
    };

    it.each(Object.entries(survivors))('outlives %s', async (_name, drop) => {
      const { json } = await upload(brand(), csvOf(3, ' in use'));
      await runOut(json.id);
      await meanwhile(begins(json.id), () => drop(json.id));
      expect(await isKept(json.id)).toBe(3);
      expect((await importFile(json.id)).status).toBe(202);
      await survivors['a newer upload that would push it out'](json.id);
      expect(await carryOut(json.id)).toMatchObject({ state: 'completed', done: 3, outcomes: { errors: 0 } });
    });
  });

  describe('a file that is being forgotten', () => {
    it.each([
      [
        'as newer ones came',
        (id: string, db: Connection) => dropOldUploads(db, brand().organizationId, { newest: `not ${id}`, keep: 1 }),
      ],
      [
        'as it has run out',
        (id: string, db: Connection) => db.query('delete from service.import_files where id = $1', [id]),
      ],
    ])('%s is not found by whoever wants to import it, and nothing of an import is left', async (_name, forget) => {
      const { json } = await upload(brand(), csvOf(3, ' too late'));
      const answer = await waitingFor(
        (db) => forget(json.id, db),
        () => importFile(json.id),
      );
      expect(answer).toMatchObject({ status: 404, json: { code: 'not_found' } });
      expect(answer.json.detail).toContain(`file "${json.id}"`);
      expect(await isKept(json.id)).toBeNull();
      expect((await brand().call({ url: `/brand/bulk/imports/${json.id}` })).status).toBe(404);
    });
  });

  it('the report of an import is kept for a while from its end on, its counts for good', async () => {
    const [old, young] = [await start(brand(), csvOf(30, ' old')), await start(brand(), csvOf(1, ' young'))];
    const report = (await carryOut(old)).report;
    expect(report.rows).toHaveLength(30);
    await carryOut(young);
    await service().database.query('update service.imports set ended_at = ended_at - $2 where id = $1', [old, DAY_MS]);
    expect(await purgeReports(service().database, Date.now() - DAY_MS / 2, 10)).toBe(1);
    expect(await importOf(brand(), old)).toMatchObject({ done: 30, outcomes: report.summary, report: null });
    expect((await brand().call({ url: `/brand/bulk/imports/${old}/errors.xlsx` })).status).toBe(404);
    expect((await importOf(brand(), young)).report.rows).toHaveLength(1);
    const { rows } = await service().database.query(
      'select distinct import_id from service.import_outcomes where import_id = any($1)',
      [[old, young]],
    );
    expect(rows).toEqual([{ import_id: young }]);
    expect(await purgeReports(service().database, Date.now() - DAY_MS / 2, 10)).toBe(0);
  });
};
