import type { Cell, SheetRow } from '../../infrastructure/spreadsheets/cells.js';
import {
  allowLongStatements,
  inTransaction,
  type Database,
  type Queryable,
} from '../../infrastructure/postgres/database.js';
import type { ImportMode } from '../imports/index.js';
import type { Column } from './header.js';
import type { Mapping } from './mapping.js';
import type { VariantRows } from './systems.js';

/** What is known of an uploaded sheet beside its rows. */
export interface Sheet {
  readonly format: 'xlsx' | 'csv';
  readonly name: string | null;
  /** Those of the workbook that could be read instead, and this one. */
  readonly sheets: readonly string[];
  readonly columns: readonly Column[];
  readonly notes: readonly string[];
  /** Cells of a CSV's header: a row with more has come apart. Null for a workbook. */
  readonly width: number | null;
  /** How rows that belong to the product of another row are told. */
  readonly variants: VariantRows | null;
}

export interface Upload {
  readonly id: string;
  readonly organizationId: string;
  readonly fileHash: string;
  readonly fileType: string;
  readonly mode: ImportMode;
  readonly sheet: Sheet;
  readonly mapping: Mapping;
  readonly rowCount: number;
  /** Without the rows that belong to the product of another. */
  readonly productRows: number;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A row of a file, with its place among the rows that are not blank. */
export interface StoredRow extends SheetRow {
  readonly position: number;
}

export async function insertUpload(db: Queryable, upload: Upload): Promise<void> {
  await db.query(
    `insert into service.import_files
       (id, organization_id, file_hash, file_type, mode, sheet, mapping, row_count, product_rows, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      ...[upload.id, upload.organizationId, upload.fileHash, upload.fileType, upload.mode],
      ...[JSON.stringify(upload.sheet), JSON.stringify(upload.mapping)],
      ...[upload.rowCount, upload.productRows, upload.createdAt, upload.expiresAt],
    ],
  );
}

export async function insertRows(db: Queryable, fileId: string, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into service.import_file_rows (file_id, position, row, cells)
     select $1, * from unnest($2::int[], $3::int[], $4::text[])`,
    [
      fileId,
      rows.map(({ position }) => position),
      rows.map(({ row }) => row),
      rows.map(({ cells }) => JSON.stringify(cells)),
    ],
  );
}

export async function setRowCounts(
  db: Queryable,
  fileId: string,
  { rowCount, productRows }: Pick<Upload, 'rowCount' | 'productRows'>,
): Promise<void> {
  await db.query('update service.import_files set row_count = $2, product_rows = $3 where id = $1', [
    ...[fileId, rowCount, productRows],
  ]);
}

export async function findUpload(db: Queryable, organizationId: string, id: string): Promise<Upload | null> {
  const { rows } = await db.query<{
    id: string;
    organization_id: string;
    file_hash: string;
    file_type: string;
    mode: ImportMode;
    sheet: Sheet;
    mapping: Mapping;
    row_count: number;
    product_rows: number;
    created_at: number;
    expires_at: number;
  }>('select * from service.import_files where id = $1 and organization_id = $2', [id, organizationId]);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    ...{ id: row.id, organizationId: row.organization_id, fileHash: row.file_hash, fileType: row.file_type },
    ...{ mode: row.mode, sheet: row.sheet, mapping: row.mapping, rowCount: row.row_count },
    productRows: row.product_rows,
    ...{ createdAt: row.created_at, expiresAt: row.expires_at },
  };
}

/** Rows in their order, from a position on. */
export async function rowsFrom(
  db: Queryable,
  fileId: string,
  position: number,
  limit: number,
): Promise<readonly StoredRow[]> {
  const { rows } = await db.query<{ position: number; row: number; cells: string }>(
    `select position, row, cells from service.import_file_rows
      where file_id = $1 and position >= $2 order by position limit $3`,
    [fileId, position, limit],
  );
  return rows.map(({ cells, ...row }) => ({ ...row, cells: cellsIn(cells) }));
}

/** The cells of a row as they are kept. */
export const cellsIn = (text: string): readonly Cell[] => JSON.parse(text) as readonly Cell[];

/**
 * Keeps so many uploads of an organization that nobody has imported yet, `newest` and those that came last; the others go.
 * Inside the transaction that made `newest`.
 */
export async function dropOldUploads(
  db: Queryable,
  organizationId: string,
  { newest, keep }: { readonly newest: string; readonly keep: number },
): Promise<void> {
  // One that is locked is being imported at this moment.
  const { rows } = await db.query<{ id: string }>(
    `select id from service.import_files where id in (
       select file.id from service.import_files file
        where file.organization_id = $1 and file.id <> $2
          and not exists (select from service.imports where imports.id = file.id)
        order by file.created_at desc offset $3)
      for update skip locked`,
    [organizationId, newest, keep - 1],
  );
  if (rows.length === 0) return;
  // Asked anew: an import that began before the lock was taken shows only in a second statement.
  await db.query(
    `delete from service.import_files file
      where id = any($1) and not exists (select from service.imports where imports.id = file.id)`,
    [rows.map(({ id }) => id)],
  );
}

/** Locks the upload until the transaction ends; says whether it is there. */
export async function keepUploadUntil(db: Queryable, fileId: string, expiresAt: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'update service.import_files set expires_at = greatest(expires_at, $2) where id = $1',
    [fileId, expiresAt],
  );
  return rowCount === 1;
}

/** Forgets files that have run out, one by one as each may hold many rows, at most `limit`; says how many. */
export async function purgeImportFiles(database: Database, now: number, limit: number): Promise<number> {
  let purged = 0;
  while (purged < limit && (await purgeNext(database, now))) purged += 1;
  return purged;
}

const purgeNext = (database: Database, now: number): Promise<boolean> =>
  inTransaction(database, async (db) => {
    await allowLongStatements(db);
    // One that is locked is being imported at this moment.
    const { rowCount } = await db.query(
      `delete from service.import_files where id = (
         select id from service.import_files where expires_at < $1 order by expires_at limit 1 for update skip locked)`,
      [now],
    );
    return rowCount === 1;
  });

export async function savedMapping(db: Queryable, organizationId: string, fileType: string): Promise<Mapping | null> {
  const { rows } = await db.query<{ mapping: Mapping }>(
    'select mapping from service.import_mappings where organization_id = $1 and file_type = $2',
    [organizationId, fileType],
  );
  return rows[0]?.mapping ?? null;
}

export async function saveMapping(
  db: Queryable,
  saved: { organizationId: string; fileType: string; mapping: Mapping; now: number },
): Promise<void> {
  await db.query(
    `insert into service.import_mappings (organization_id, file_type, mapping, updated_at) values ($1, $2, $3, $4)
     on conflict (organization_id, file_type) do update set mapping = excluded.mapping, updated_at = excluded.updated_at`,
    [saved.organizationId, saved.fileType, JSON.stringify(saved.mapping), saved.now],
  );
}

/** Says whether there was one. */
export async function deleteMapping(db: Queryable, organizationId: string, fileType: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from service.import_mappings where organization_id = $1 and file_type = $2',
    [organizationId, fileType],
  );
  return rowCount === 1;
}
