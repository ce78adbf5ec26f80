import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../logger.js';
import { createOutageLog } from '../outage-log.js';
import { isOutage } from '../outage.js';

export type Database = pg.Pool;
/** A pool or one connection of it, so that a query can run inside somebody's transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;
export type Connection = pg.PoolClient;

// Positions and milliseconds are bigint columns; all of them are below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A pool whose every statement has a time limit. A server that stops shows in the log, not as the end of the process. */
export function connectDatabase(options: {
  url: string;
  size: number;
  logger: Logger;
  name: string;
  statementTimeoutMs?: number;
}): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs ?? 10_000,
    keepAlive: true,
    // Disks without a moving arm: reading along an index costs no more than reading in a row, so a page of a list is never
    // worth a sort.
    options: '-c random_page_cost=1.1',
  });
  const lost = createOutageLog(options.logger, 'lost a database connection');
  pool.on('error', (error) => lost.failed(error));
  return pool;
}

const LOOK_EVERY_MS = 1_000;

/** Waits for the server, which may start after us, and says why; until the signal aborts, if there is one. */
export async function waitForDatabase(database: Database, logger: Logger): Promise<void> {
  const waiting = createOutageLog(logger, 'waiting for the database');
  for (;;) {
    try {
      await database.query('select 1');
      return;
    } catch (error) {
      if (!isOutage(error)) throw error;
      waiting.failed(error);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Of a query whose answer many calls wait for: a connection that has gone silent, where no limit of the server's helps, is given
 * up then and holds them no longer.
 */
export const SHARED_QUERY = { query_timeout: 12_000 } as const;

/** For the rest of a transaction: a statement that goes through a whole table takes longer than one of a call may. */
export const allowLongStatements = async (connection: Connection): Promise<void> => {
  await connection.query(`set local statement_timeout = '2min'`);
};

/** Runs `work` in one transaction; an error rolls it back and is thrown on. */
export async function inTransaction<T>(database: Database, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await database.connect();
  try {
    await connection.query('begin');
    const result = await work(connection);
    await connection.query('commit');
    connection.release();
    return result;
  } catch (error) {
    // A connection that cannot roll back is not given back to the pool.
    await connection.query('rollback').then(
      () => connection.release(),
      (rollbackError: Error) => connection.release(rollbackError),
    );
    throw error;
  }
}
