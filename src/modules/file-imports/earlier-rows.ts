import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { EarlierRow, RowOutcome } from '../imports/index.js';
import { toImportRow } from './import-row.js';
import type { Run } from './runs.js';
import { cellsIn } from './store.js';

/** Of the rows that an import has done so far: the one that made each of the products, and the last that led to it. */
export async function earlierRows(
  db: Queryable,
  run: Pick<Run, 'id' | 'done' | 'bindings' | 'sheet'>,
  productIds: readonly string[],
): Promise<readonly EarlierRow[]> {
  // Nothing comes before the first rows.
  if (run.done === 0) return [];
  const { rows } = await db.query<{ product_id: string; outcome: string; detail: string; row: number; cells: string }>(
    `select done.product_id, done.outcome, done.detail, file.row, file.cells
       from service.import_outcomes done
       join service.import_file_rows file on file.file_id = done.import_id and file.position = done.position
      where done.import_id = $1 and done.product_id = any($2) and done.position < $3
        and (done.outcome = 'create' or done.position =
              (select max(position) from service.import_outcomes
                where import_id = $1 and product_id = done.product_id and position < $3))
      order by done.position`,
    [run.id, productIds, run.done],
  );
  return rows.map(({ product_id: productId, outcome, detail, row, cells }) => ({
    productId,
    row: toImportRow({ row, cells: cellsIn(cells) }, run.bindings, run.sheet),
    made: outcome === 'create',
    dppId: (JSON.parse(detail) as Pick<RowOutcome, 'dppId'>).dppId ?? null,
  }));
}
