import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { EventLog } from '../src/infrastructure/event-store/port.js';
import type { Logger } from '../src/infrastructure/logger.js';
import type { Connection, Database } from '../src/infrastructure/postgres/database.js';
import { startFollower, type Follower } from '../src/infrastructure/followers.js';
import { createOutageLog } from '../src/infrastructure/outage-log.js';
import { isOutage } from '../src/infrastructure/outage.js';
import { EventNotTaken, writeInBatches, type Batch } from './batching.js';
import { readCheckpoint } from './checkpoint.js';
import { createTableWriter } from './table-writer.js';

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/** These tables have gone on without us: they were replaced by a rebuild, or another projector is at work. */
class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
}

/** Something in these events cannot be written: they are taken one by one, to find it. */
class BatchNotTaken extends Error {
  override readonly name = 'BatchNotTaken';
  readonly position: bigint;
  constructor({ position, events }: Batch, cause: unknown) {
    super(`${events} events cannot be written together: taking them one by one`, { cause });
    this.position = position;
  }
}

/** A fault that comes and goes is over by then. */
const TRIES_OF_AN_EVENT = 3;

/**
 * Settings of a connection that writes read models. They can be made again from the log, and rows and checkpoint are lost together
 * or not at all, so no commit waits for the disk. Every statement finds its rows by key, whatever the planner has heard of the
 * size of a table that was empty a moment ago.
 */
export const WRITER_SETTINGS =
  'set synchronous_commit = off; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off';

/**
 * Follows the whole log from the stored checkpoint on and writes the read models, until `signal` aborts. A lost event store or
 * database is waited for. Rows and checkpoint are in one transaction, so a kill at any moment loses and doubles nothing. An event
 * that cannot be taken halts it: read models without it would be wrong. It says so, and tries again from time to time.
 */
export async function runProjector(options: {
  readonly database: Database;
  readonly eventStore: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { database, eventStore, logger, signal } = options;
  let retryMs = FIRST_RETRY_MS;
  let oneByOneUntil = 0n;
  let tries = { eventId: '', count: 0 };
  const follower = startFollower({
    ...{ name: 'projector', database, eventStore, logger, signal },
    readPosition: async () => (await readCheckpoint(database)) || null,
  });
  const stopped = createOutageLog(logger, 'the projector has stopped and will resume from its checkpoint');
  const onWritten = () => {
    retryMs = FIRST_RETRY_MS;
    stopped.worked();
  };
  while (!signal.aborted) {
    try {
      await follow({ database, eventStore, logger, signal, follower, oneByOneUntil, onWritten });
    } catch (error) {
      if (error instanceof CheckpointMoved) {
        logger.info(error.message);
        // Two projectors by mistake take turns, and don't race.
        await sleep(FIRST_RETRY_MS, undefined, { signal }).catch(() => undefined);
        continue;
      }
      if (error instanceof BatchNotTaken) oneByOneUntil = error.position;
      if (error instanceof EventNotTaken) {
        const { event } = error;
        tries = { eventId: event.id, count: tries.eventId === event.id ? tries.count + 1 : 1 };
        if (tries.count >= TRIES_OF_AN_EVENT) follower.halted(event, error.cause);
      }
      stopped.failed(error);
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }
}

async function follow(options: {
  readonly database: Database;
  readonly eventStore: EventLog;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly follower: Follower;
  readonly oneByOneUntil: bigint;
  readonly onWritten: () => void;
}): Promise<void> {
  const { database, eventStore, logger, follower, oneByOneUntil, onWritten } = options;
  const connection = await database.connect();
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  // The pool tells of connections that it holds, not of those that are out.
  connection.on('error', () => stopping.abort());
  try {
    await connection.query(WRITER_SETTINGS);
    const { rows } = await connection.query<{ position: string }>('select position::text from read.checkpoint');
    let position = BigInt(rows[0]?.position ?? 0);
    const writeTable = createTableWriter('read');
    logger.info({ position: String(position) }, 'following the log');
    await writeInBatches({
      messages: eventStore.subscribeToAll({ after: position === 0n ? null : position, signal }),
      after: position,
      oneByOneUntil,
      stop: () => stopping.abort(),
      onCaughtUp: () => logger.info({ position: String(position) }, 'caught up'),
      write: async (batch) => {
        const stored = await beginWithCheckpoint(connection);
        if (stored !== position) {
          throw new CheckpointMoved(`the checkpoint is ${stored} and not ${position}: starting again from there`);
        }
        try {
          for (const changes of batch.changes.tables()) await writeTable(connection, changes);
        } catch (error) {
          if (stopping.signal.aborted || isOutage(error) || batch.last === null) throw error;
          throw batch.events === 1 ? new EventNotTaken(batch.last, error) : new BatchNotTaken(batch, error);
        }
        await connection.query(
          `update read.checkpoint set position = ${batch.position}; select pg_notify('projected', '${batch.position}'); commit`,
        );
        follower.passed(batch.position);
        position = batch.position;
        onWritten();
      },
    });
    if (stopping.signal.aborted) throw new Error('lost the database connection');
  } finally {
    // Its settings are not those of the pool, and a transaction may be open: it is closed rather than given back.
    connection.release(true);
  }
}

/** Begins a transaction that holds the checkpoint's row: nobody else moves it before the end. */
async function beginWithCheckpoint(connection: Connection): Promise<bigint> {
  const results = (await connection.query(
    'begin; select position::text from read.checkpoint for update',
  )) as unknown as pg.QueryResult<{ position: string }>[];
  return BigInt(results[1]?.rows[0]?.position ?? -1);
}
