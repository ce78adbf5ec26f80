import { pageOf, startOf, type Page, type Paged } from '../../../projections/page.js';
import type { Actor } from '../../core/events.js';
import type { ImportCounts } from '../../core/vocabulary.js';
import {
  allowLongStatements,
  inTransaction,
  type Database,
  type Queryable,
} from '../../infrastructure/postgres/database.js';
import type { Cell } from '../../infrastructure/spreadsheets/cells.js';
import { type ImportMode, NO_COUNTS, type RowError, type RowOutcome } from '../imports/index.js';
import type { ImportEnd } from './events.js';
import type { Binding } from './import-row.js';
import { cellsIn, type Sheet } from './store.js';

/** The import of one file, as it stands. */
export interface Run {
  readonly id: string;
  readonly organizationId: string;
  readonly fileHash: string;
  readonly mode: ImportMode;
  readonly bindings: readonly Binding[];
  readonly sheet: Sheet;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly state: 'queued' | 'running' | ImportEnd;
  readonly failure: string | null;
  readonly total: number;
  readonly done: number;
  readonly counts: ImportCounts;
  readonly cancelRequested: boolean;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly movedAt: number | null;
  readonly endedAt: number | null;
  /** What was said of its rows is still there. */
  readonly hasReport: boolean;
}

/** What is told of an import while it runs. */
export type RunProgress = Pick<Run, 'id' | 'state' | 'mode' | 'fileHash' | 'failure' | 'done' | 'total' | 'counts'> &
  Pick<Run, 'createdAt' | 'startedAt' | 'movedAt' | 'endedAt'>;

type RunRow = {
  id: string;
  organization_id: string;
  file_hash: string;
  mode: ImportMode;
  bindings: readonly Binding[];
  sheet: Sheet;
  actor: Actor;
  correlation_id: string;
  state: Run['state'];
  failure: string | null;
  total: number;
  done: number;
  counts: ImportCounts;
  cancel_requested: boolean;
  created_at: number;
  started_at: number | null;
  moved_at: number | null;
  ended_at: number | null;
  has_report: boolean;
};

const toRun = (row: RunRow): Run => ({
  ...{ id: row.id, organizationId: row.organization_id, fileHash: row.file_hash, mode: row.mode },
  ...{ bindings: row.bindings, sheet: row.sheet, actor: row.actor, correlationId: row.correlation_id },
  ...{ state: row.state, failure: row.failure, total: row.total, done: row.done, counts: row.counts },
  ...{ cancelRequested: row.cancel_requested, createdAt: row.created_at, startedAt: row.started_at },
  ...{ movedAt: row.moved_at, endedAt: row.ended_at, hasReport: row.has_report },
});

/** Makes the import of a file, if there is none yet; what is there stays as it is. */
export async function insertRun(
  db: Queryable,
  run: Pick<Run, 'id' | 'organizationId' | 'fileHash' | 'mode' | 'bindings' | 'sheet' | 'actor' | 'correlationId'> &
    Pick<Run, 'total' | 'createdAt'>,
): Promise<void> {
  await db.query(
    `insert into service.imports
       (id, organization_id, file_hash, mode, bindings, sheet, actor, correlation_id, total, counts, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing`,
    [
      ...[run.id, run.organizationId, run.fileHash, run.mode, JSON.stringify(run.bindings), JSON.stringify(run.sheet)],
      ...[JSON.stringify(run.actor), run.correlationId, run.total, JSON.stringify(NO_COUNTS), run.createdAt],
    ],
  );
}

export async function findRun(db: Queryable, organizationId: string, id: string): Promise<Run | null> {
  const { rows } = await db.query<RunRow>('select * from service.imports where id = $1 and organization_id = $2', [
    id,
    organizationId,
  ]);
  return rows[0] === undefined ? null : toRun(rows[0]);
}

/** Without what belongs to the file, which may be long. */
export async function progressOfRuns(db: Queryable, ids: readonly string[]): Promise<readonly RunProgress[]> {
  const { rows } = await db.query<RunProgress>(
    `select id, state, mode, file_hash as "fileHash", failure, done, total, counts, created_at as "createdAt",
            started_at as "startedAt", moved_at as "movedAt", ended_at as "endedAt"
       from service.imports where id = any($1)`,
    [ids],
  );
  return rows;
}

/** Newest first. */
export async function listRuns(db: Queryable, organizationId: string, page: Page): Promise<Paged<Run>> {
  const { rows } = await db.query<RunRow>(
    `select * from service.imports where organization_id = $1 and (created_at, id) < ($2, $3)
      order by created_at desc, id desc limit $4`,
    [organizationId, ...startOf(page), page.limit + 1],
  );
  return pageOf(rows.map(toRun), page, ({ createdAt }) => createdAt);
}

/** Those that have not begun and were asked for before `until`, oldest first. */
export async function queuedRuns(db: Queryable, until: number, limit: number): Promise<readonly Run[]> {
  const { rows } = await db.query<RunRow>(
    `select * from service.imports where state = 'queued' and created_at < $1 order by created_at limit $2`,
    [until, limit],
  );
  return rows.map(toRun);
}

export async function beginRun(db: Queryable, id: string, now: number): Promise<void> {
  await db.query(
    `update service.imports set state = 'running', started_at = $2, moved_at = $2 where id = $1 and state = 'queued'`,
    [id, now],
  );
}

/**
 * Writes down what the next rows did; `from` is the place of the first. Only if nobody has done so before: then the counts move
 * with the rows, once.
 */
export async function addOutcomes(
  db: Queryable,
  id: string,
  { from, outcomes, counts, now }: { from: number; outcomes: readonly RowOutcome[]; counts: ImportCounts; now: number },
): Promise<void> {
  await db.query(
    `with moved as (
       update service.imports set
         done = done + $3, moved_at = $4,
         counts = (select jsonb_object_agg(key, (counts ->> key)::int + value::int) from jsonb_each_text($5::jsonb))
       where id = $1 and done = $2 and ended_at is null returning id)
     insert into service.import_outcomes (import_id, position, outcome, detail, product_id)
     select moved.id, rows.position, rows.outcome, rows.detail, rows.product_id
       from moved, unnest($6::int[], $7::text[], $8::text[], $9::text[]) as rows (position, outcome, detail, product_id)
     on conflict do nothing`,
    [
      ...[id, from, outcomes.length, now, JSON.stringify(counts)],
      outcomes.map((_, index) => from + index),
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ passports: _passports, ...outcome }) => JSON.stringify(outcome)),
      outcomes.map(({ productId }) => productId ?? null),
    ],
  );
}

export async function requestCancel(db: Queryable, id: string): Promise<void> {
  await db.query('update service.imports set cancel_requested = true where id = $1 and ended_at is null', [id]);
}

export async function endRun(
  db: Queryable,
  id: string,
  end: { state: ImportEnd; failure: string | null; now: number },
): Promise<void> {
  await db.query(
    'update service.imports set state = $2, failure = $3, ended_at = $4 where id = $1 and ended_at is null',
    [id, end.state, end.failure, end.now],
  );
}

/** Forgets what was said of the rows of imports that ended before `until`, one by one, at most `limit`; says of how many. */
export async function purgeReports(database: Database, until: number, limit: number): Promise<number> {
  let purged = 0;
  while (purged < limit && (await purgeReport(database, until))) purged += 1;
  return purged;
}

const purgeReport = (database: Database, until: number): Promise<boolean> =>
  inTransaction(database, async (db) => {
    await allowLongStatements(db);
    const { rows } = await db.query<{ id: string }>(
      `update service.imports set has_report = false where id = (
         select id from service.imports where has_report and ended_at < $1 order by ended_at limit 1
         for update skip locked)
       returning id`,
      [until],
    );
    const [old] = rows;
    if (old === undefined) return false;
    await db.query('delete from service.import_outcomes where import_id = $1', [old.id]);
    return true;
  });

/** Outcomes as they are answered, as JSON, in the order of the rows. */
export async function outcomeTexts(
  db: Queryable,
  id: string,
  position: number,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await db.query<{ detail: string }>(
    `select detail from service.import_outcomes where import_id = $1 and position >= $2 order by position limit $3`,
    [id, position, limit],
  );
  return rows.map(({ detail }) => detail);
}

/** The rows that failed, from a place on: their mistakes and their cells, null when the file has run out. */
export async function failedRows(
  db: Queryable,
  id: string,
  position: number,
  limit: number,
): Promise<readonly { position: number; errors: readonly RowError[]; cells: readonly Cell[] | null }[]> {
  const { rows } = await db.query<{ position: number; detail: string; cells: string | null }>(
    `select outcome.position, outcome.detail, row.cells
       from service.import_outcomes outcome
       left join service.import_file_rows row on row.file_id = outcome.import_id and row.position = outcome.position
      where outcome.import_id = $1 and outcome.position >= $2 and outcome.outcome = 'error'
      order by outcome.position limit $3`,
    [id, position, limit],
  );
  return rows.map(({ position: place, detail, cells }) => ({
    position: place,
    errors: (JSON.parse(detail) as Pick<RowOutcome, 'errors'>).errors,
    cells: cells === null ? null : cellsIn(cells),
  }));
}
