import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { EventStoreUnavailable, type AllMessage, type EventLog } from '../src/infrastructure/event-store/port.js';
import type { Logger } from '../src/infrastructure/logger.js';
import { describeError } from '../src/infrastructure/outage.js';
import type { Connection, Database } from '../src/infrastructure/postgres/database.js';
import { migrate } from '../src/infrastructure/postgres/migrate.js';
import { writeInBatches } from './batching.js';
import { CHECKPOINT_LOCK } from './checkpoint.js';
import { WRITER_SETTINGS } from './projector.js';
import { createTableWriter } from './table-writer.js';

export interface Rebuilt {
  readonly events: number;
  readonly durationMs: number;
}

/** When so few events came in during a round of catching up, the rest is read under the lock, while the projector waits. */
const SMALL_ROUND = 500;
const MAX_ROUNDS = 20;
/** Tries without an event between them: six seconds, in which a cluster has another leader. */
const READ_TRIES = 6;
const FIRST_PAUSE_MS = 200;

/**
 * Makes the read models anew from the start of the log, in tables beside the live ones, while writes and reads go on; then puts
 * them in their place in one transaction. What an earlier, killed rebuild left behind is dropped first.
 */
export async function rebuild(options: {
  readonly database: Database;
  readonly eventStore: EventLog;
  readonly logger: Logger;
}): Promise<Rebuilt> {
  const { database, eventStore, logger } = options;
  const start = performance.now();
  const connection = await database.connect();
  let lost: Error | null = null;
  connection.on('error', (error) => (lost = error));
  try {
    const { rows } = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      CHECKPOINT_LOCK,
    ]);
    if (rows[0]?.taken !== true) throw new Error('another rebuild, or a move of the log, is running');
    await connection.query(`${WRITER_SETTINGS}; set statement_timeout = 0`);
    await dropLeftOver(connection, 'read_next');
    await dropLeftOver(connection, 'read_old');
    const folder = new URL('./migrations/', import.meta.url);
    await migrate(database, 'read', folder);
    await migrate(database, 'read_next', folder);
    const indexes = await takeIndexes(connection);

    const next = tablesBeside(connection, eventStore, logger);
    await next.readToEnd();
    logger.info({ events: next.events() }, 'the log is read, making the indexes');
    for (const index of indexes) await connection.query(index);
    await connection.query(ANALYZE_ALL);
    for (let round = 0, before = -1; round < MAX_ROUNDS && next.events() - before > SMALL_ROUND; round++) {
      before = next.events();
      await next.readToEnd();
    }

    await connection.query('begin');
    const live = await lockLive(connection);
    await next.readUntil(live);
    await connection.query(swap(next.position()));
    await dropLeftOver(connection, 'read_old');
    const durationMs = performance.now() - start;
    logger.info({ events: next.events(), durationMs: Math.round(durationMs) }, 'the read models are rebuilt');
    return { events: next.events(), durationMs };
  } catch (error) {
    throw lost ?? error;
  } finally {
    // It holds the advisory lock, settings of its own and perhaps an open transaction: all end with it.
    connection.release(true);
  }
}

const ANALYZE_ALL = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'read_next' loop
    execute format('analyze read_next.%I', name);
  end loop;
end $$`;

/** The tables in `read_next`, and how far they have come. */
function tablesBeside(connection: Connection, eventStore: EventLog, logger: Logger) {
  const writeTable = createTableWriter('read_next');
  let position = 0n;
  let events = 0;

  const write = async (messages: AsyncIterable<AllMessage>, stop: () => void): Promise<void> => {
    await writeInBatches({
      messages,
      after: position,
      stop,
      onCaughtUp: stop,
      write: async (batch) => {
        // No transaction: these tables are dropped when anything goes wrong.
        for (const changes of batch.changes.tables()) await writeTable(connection, changes);
        position = batch.position;
        events += batch.events;
      },
    });
  };

  return {
    position: () => position,
    events: () => events,
    /** Up to the present end of the log. A subscriber that is dropped, as slow ones are, begins again after what it has written. */
    readToEnd: async (): Promise<void> => {
      for (let attempt = 1; ; attempt++) {
        const before = position;
        const stopping = new AbortController();
        const after = before === 0n ? null : before;
        try {
          await write(eventStore.subscribeToAll({ after, signal: stopping.signal }), () => stopping.abort());
          return;
        } catch (error) {
          if (!(error instanceof EventStoreUnavailable)) throw error;
          if (position > before) attempt = 1;
          if (attempt === READ_TRIES) throw error;
          logger.warn({ reason: describeError(error), position: String(position) }, 'the log is read on from here');
          await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1));
        }
      }
    },
    /** At least up to `target`. */
    readUntil: async (target: bigint): Promise<void> => {
      if (position < target) {
        await write(messagesUntil(eventStore, position, target), () => undefined);
        // What lies between is not of this service, or a checkpoint beyond the last event.
        if (position < target) position = target;
      }
    },
  };
}

async function* messagesUntil(eventStore: EventLog, after: bigint, target: bigint): AsyncGenerator<AllMessage> {
  for await (const event of eventStore.readAll({ after: after === 0n ? null : after })) {
    if (event.position > target) return;
    yield { kind: 'event', event };
  }
}

/** Removes the indexes that serve lists from `read_next` and answers how to make them: filling the tables is faster without. */
async function takeIndexes(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query<{ name: string; definition: string }>(
    `select i.indexname as name, i.indexdef as definition
       from pg_indexes i
      where i.schemaname = 'read_next'
        and not exists (select 1 from pg_constraint c
                         where c.conname = i.indexname and c.connamespace = 'read_next'::regnamespace)`,
  );
  for (const { name } of rows) await connection.query(`drop index read_next.${name}`);
  return rows.map(({ definition }) => definition);
}

/** Holds the row that every transaction of the projector begins with, and answers how far the live tables are. */
async function lockLive(connection: Connection): Promise<bigint> {
  const { rows } = await connection.query<{ position: string }>(
    'select position::text from read.checkpoint for update',
  );
  return BigInt(rows[0]?.position ?? 0);
}

/**
 * Ends the transaction with the new tables in place. A projector that waits for the row that is held here has named the old tables:
 * it finds -1 in them and starts again. Readers are never held up, as a schema's name is not locked by those who use it.
 */
const swap = (position: bigint): string => `
  update read_next.checkpoint set position = ${position};
  update read.checkpoint set position = -1;
  alter schema read rename to read_old;
  alter schema read_next rename to read;
  select pg_notify('projected', '${position}');
  commit`;

const DROP_TRIES = 20;
const LOCK_NOT_AVAILABLE = '55P03';

/** Waits for queries that still read these tables, without making others wait behind it. */
async function dropLeftOver(connection: Connection, schema: 'read_next' | 'read_old'): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await connection.query(`set lock_timeout = '200ms'; drop schema if exists ${schema} cascade; reset lock_timeout`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== LOCK_NOT_AVAILABLE || attempt === DROP_TRIES) throw error;
      await connection.query('select pg_sleep(0.25)');
    }
  }
}
