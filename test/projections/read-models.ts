import type { DomainEvent, EventMetadata, Recorded } from '../../src/core/events.js';
import type { NewEvent } from '../../src/infrastructure/event-store/port.js';
import { connectDatabase, inTransaction, type Database } from '../../src/infrastructure/postgres/database.js';
import { createLogger } from '../../src/infrastructure/logger.js';
import { createChanges } from '../../projections/changes.js';
import { TABLES } from '../../projections/registry.js';
import { createTableWriter } from '../../projections/table-writer.js';
import { createDatabase } from '../support/database.js';

export const logger = createLogger('test', 'silent');

export interface ReadModels {
  readonly url: string;
  readonly database: Database;
  readonly drop: () => Promise<void>;
}

/** A database of the test file's own with the tables of both schemas. */
export async function createReadModels(): Promise<ReadModels> {
  const created = await createDatabase({ migrated: true });
  const { url } = created;
  const database = connectDatabase({ url, size: 6, logger, name: 'test', statementTimeoutMs: 60_000 });
  return {
    url,
    database,
    drop: async () => {
      await database.end();
      await created.drop();
    },
  };
}

/** Empties every table, as the migration leaves them. */
export async function empty(database: Database): Promise<void> {
  await database.query(`truncate ${TABLES.map(({ name }) => `read.${name}`).join(', ')}`);
  await database.query('update read.checkpoint set position = 0');
}

const writeTable = createTableWriter('read');

/** Writes the events as the projector writes one batch of them. */
export async function writeBatch(database: Database, events: readonly Recorded[]): Promise<void> {
  const changes = createChanges();
  for (const event of events) changes.apply(event);
  await inTransaction(database, async (connection) => {
    for (const table of changes.tables()) await writeTable(connection, table);
  });
}

/** Every row of every table, in the order of its key. */
export async function allRows(database: Database, schema = 'read'): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const { name, key } of TABLES) {
    rows[name] = (await database.query(`select * from ${schema}.${name} order by ${key.join(', ')}`)).rows;
  }
  return rows;
}

export const metadata = (recordedAt: number, organizationId: string | null = null): EventMetadata => ({
  schemaVersion: 1,
  organizationId,
  actor: { type: 'system', id: null },
  correlationId: 'test',
  causationId: null,
  recordedAt,
  hash: '0'.repeat(64),
});

/** The events as they would come from the log, in this order. */
export const recorded = (events: readonly DomainEvent[], startAt = 1_000): Recorded[] =>
  events.map((event, index) => ({
    id: uuid(index),
    stream: 'test',
    revision: index,
    position: BigInt(index + 1),
    type: event.type,
    data: event.data,
    metadata: metadata(startAt + index),
  }));

let appended = 0;

/** The event as it is handed to the event store. */
export const newEvent = (event: DomainEvent, recordedAt = Date.now()): NewEvent => ({
  id: uuid(appended++),
  type: event.type,
  data: event.data,
  metadata: metadata(recordedAt),
});

const uuid = (index: number): string => `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
