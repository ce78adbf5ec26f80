import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';

/** What a migrated database is copied from. */
export const MIGRATED_DATABASE = 'migrated';

export interface TestDatabase {
  readonly url: string;
  /** Ends every session on it and lets nobody in for so long. */
  closeFor(ms: number): Promise<void>;
  /** A database with the same in it, as a restored backup would be. Ends every session on this one. */
  copy(): Promise<TestDatabase>;
  /** Ends every session on it, then drops it. */
  drop(): Promise<void>;
}

const asAdmin = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/**
 * A database on the run's Postgres, for one test file alone: empty, or with the tables of both schemas, which the run has made
 * once.
 */
export const createDatabase = async ({ migrated = false } = {}): Promise<TestDatabase> => {
  return create(migrated ? MIGRATED_DATABASE : null);
};

async function create(template: string | null): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name}${template === null ? '' : ` TEMPLATE ${template} STRATEGY FILE_COPY`}`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  const whileClosed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await asAdmin(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    try {
      return await work();
    } finally {
      await asAdmin(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    }
  };
  const closeFor = (ms: number): Promise<void> => whileClosed(() => sleep(ms));
  const copy = (): Promise<TestDatabase> => whileClosed(() => create(name));
  return { url: url.href, closeFor, copy, drop: () => asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
