import { readdir, readFile } from 'node:fs/promises';
import { inTransaction, type Database } from './database.js';

const LOCK = 7_203_114;

/**
 * Applies the numbered SQL files of `folder` that `schema` has not seen, each in a transaction of its own, one process at a time.
 * The schema is created first; files name it as `:schema`. What is remembered is the whole name: two files may share a number, and
 * one that has been applied anywhere is never renamed.
 */
export async function migrate(database: Database, schema: string, folder: URL): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d+[a-z]?_.*\.sql$/.test(name)).sort();
  const known = await appliedTo(database, schema);
  const applied: string[] = [];
  for (const file of files.filter((name) => !known.has(name))) {
    const sql = (await readFile(new URL(file, folder), 'utf8')).replaceAll(':schema', schema);
    await inTransaction(database, async (connection) => {
      // An index over millions of rows takes its time, and so does waiting for another process that makes it.
      await connection.query('set local statement_timeout = 0');
      await connection.query('select pg_advisory_xact_lock($1)', [LOCK]);
      await connection.query(`create schema if not exists ${schema}`);
      await connection.query(
        `create table if not exists ${schema}.migrations (name text primary key, applied_at timestamptz not null default now())`,
      );
      const seen = await connection.query(`select 1 from ${schema}.migrations where name = $1`, [file]);
      if (seen.rowCount !== 0) return;
      await connection.query(sql);
      await connection.query(`insert into ${schema}.migrations (name) values ($1)`, [file]);
      applied.push(file);
    });
  }
  return applied;
}

/** Mostly all of them: then a start costs two questions. */
async function appliedTo(database: Database, schema: string): Promise<ReadonlySet<string>> {
  const table = await database.query<{ isThere: boolean }>(`select to_regclass($1) is not null as "isThere"`, [
    `${schema}.migrations`,
  ]);
  if (table.rows[0]?.isThere !== true) return new Set();
  const { rows } = await database.query<{ name: string }>(`select name from ${schema}.migrations`);
  return new Set(rows.map(({ name }) => name));
}
