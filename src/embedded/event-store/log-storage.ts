import pg from 'pg';
import type { Logger } from 'pino';
import { boolArray, byteaArray, int8Array, textArray, timestampArray, uuidArray } from './pg-binary-array.js';
import { METADATA_TYPE, metastreamOf, revisionText, type LogRecord } from './record.js';

/** What the table says about a stream: its last event, and the last metadata written for it. */
export interface StoredStream {
  readonly stream: string;
  /** -1 when nothing was ever written to it; `TOMBSTONE_REVISION` after a tombstone. */
  readonly lastRevision: number;
  readonly lastPosition: number;
  /** Data of its last `$metadata` event. */
  readonly metadata: Uint8Array | null;
}

export interface KnownEvent {
  readonly stream: string;
  readonly id: string;
  readonly revision: number;
  readonly position: number;
}

export interface StreamPage {
  readonly stream: string;
  /** Inclusive bounds. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  /** Older events have expired; null: none has. */
  readonly createdAfterMs: number | null;
}

export interface LogStorage {
  lastPosition(): Promise<number>;
  /** One statement, so all of them or none; `synchronous_commit` is on. */
  insert(records: readonly LogRecord[]): Promise<void>;
  streams(names: readonly string[], through: 'writer' | 'readers'): Promise<StoredStream[]>;
  eventsById(ids: readonly string[]): Promise<KnownEvent[]>;
  /** Events with `after < position <= upTo`, oldest first. */
  allForwards(page: { after: number; upTo: number; limit: number }): Promise<LogRecord[]>;
  /** Events with `position < before`, newest first. */
  allBackwards(page: { before: number; limit: number }): Promise<LogRecord[]>;
  streamForwards(page: StreamPage): Promise<LogRecord[]>;
  streamBackwards(page: StreamPage): Promise<LogRecord[]>;
  /** Resolves when the connection that holds the lock is gone: nothing may be written after that. */
  readonly lost: Promise<Error>;
  close(): Promise<void>;
}

/** Another process writes this log. */
export class LogLocked extends Error {
  override readonly name = 'LogLocked';
}

// Any fixed number will do, as long as nothing else in the database uses it.
const LOCK_KEY = 7_305_882_914;
// Those who read the whole log have their own, so that many catch-ups hold up nobody who wants a stream.
const LOG_READER_CONNECTIONS = 2;
const STREAM_READER_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
// A page is held in memory by each subscriber that waits for its client.
const PAGE_BYTES = 1024 * 1024;

const SCHEMA = `
create schema if not exists event_log;
create table if not exists event_log.events (
  position bigint primary key,
  stream text collate "C" not null,
  revision bigint not null,
  event_id uuid not null,
  type text collate "C" not null,
  is_json boolean not null,
  created timestamptz not null,
  data bytea not null,
  metadata bytea not null,
  unique (stream, revision)
);
create index if not exists events_event_id on event_log.events (event_id);
`;

const INSERT = `
insert into event_log.events (position, stream, revision, event_id, type, is_json, created, data, metadata)
select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::boolean[], $7::timestamptz[],
  $8::bytea[], $9::bytea[])`;

const STREAMS = `
select name, head.revision, head.position, meta.data as metadata
from unnest($1::text[], $2::text[]) as asked(name, metastream)
left join lateral (
  select revision, position from event_log.events where stream = asked.name order by revision desc limit 1
) head on true
left join lateral (
  select data from event_log.events
  where stream = asked.metastream and type = $3 order by revision desc limit 1
) meta on true`;

/** The first events of `rows` whose bytes fit into a page, and always the first one. */
const page = (rows: string, order: string): string => `
select position, stream, revision, event_id, type, is_json, (extract(epoch from created) * 1000)::bigint as created_ms,
  data, metadata
from (
  select *, sum(octet_length(data) + octet_length(metadata)) over (order by ${order} rows unbounded preceding)
    - octet_length(data) - octet_length(metadata) as bytes_before
  from (select * from event_log.events where ${rows}) picked
) sized
where bytes_before < ${PAGE_BYTES} order by ${order}`;

const ALL_FORWARDS = page('position > $1 and position <= $2 order by position limit $3', 'position');
const ALL_BACKWARDS = page('position < $1 order by position desc limit $2', 'position desc');
const STREAM_ROWS =
  'stream = $1 and revision between $2 and $3 and created > coalesce(to_timestamp($4::float8), to_timestamp(0))';
const STREAM_FORWARDS = page(`${STREAM_ROWS} order by revision limit $5`, 'revision');
const STREAM_BACKWARDS = page(`${STREAM_ROWS} order by revision desc limit $5`, 'revision desc');

interface EventRow {
  position: string;
  stream: string;
  revision: string;
  event_id: string;
  type: string;
  is_json: boolean;
  created_ms: string;
  data: Buffer;
  metadata: Buffer;
}

const recordOf = (row: EventRow): LogRecord => ({
  position: Number(row.position),
  stream: row.stream,
  revision: Number(row.revision),
  id: row.event_id,
  type: row.type,
  isJson: row.is_json,
  createdMs: Number(row.created_ms),
  data: row.data,
  metadata: row.metadata,
});

/** To connect has a time limit; to wait for a connection of the pool has none, as everybody gets one in turn. */
class ReaderConnection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, application_name: 'event-store-reader' });
  }
}

/** Connects, takes the lock of the single writer and makes the schema. */
export async function openLogStorage(options: { databaseUrl: string; logger: Logger }): Promise<LogStorage> {
  const { databaseUrl, logger } = options;
  const writer = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'event-store-writer',
    keepAlive: true,
  });
  let closing = false;
  const lost = new Promise<Error>((resolve) => {
    writer.on('error', resolve);
    writer.on('end', () => {
      if (!closing) resolve(new Error('the connection that holds the lock has ended'));
    });
  });
  await writer.connect();
  const openReaders = (max: number): pg.Pool => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max, Client: ReaderConnection });
    pool.on('error', (error) => logger.warn({ err: error }, 'an idle reader connection has ended'));
    return pool;
  };
  const logReaders = openReaders(LOG_READER_CONNECTIONS);
  const streamReaders = openReaders(STREAM_READER_CONNECTIONS);
  const close = async (): Promise<void> => {
    closing = true;
    await Promise.all([logReaders.end(), streamReaders.end(), writer.end()]);
  };

  try {
    const lock = await writer.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [LOCK_KEY]);
    if (lock.rows[0]?.held !== true) throw new LogLocked('another event store server writes this database');
    await writer.query('set synchronous_commit = on');
    await writer.query(SCHEMA);
  } catch (error) {
    await close();
    throw error;
  }

  const streamPage = async (name: string, text: string, asked: StreamPage): Promise<LogRecord[]> => {
    const { stream, from, to, limit, createdAfterMs } = asked;
    const after = createdAfterMs === null ? null : createdAfterMs / 1000;
    const values = [stream, revisionText(from), revisionText(to), after, limit];
    return (await streamReaders.query<EventRow>({ name, text, values })).rows.map(recordOf);
  };

  return {
    lost,
    close,

    async lastPosition() {
      const { rows } = await writer.query<{ last: string | null }>(
        'select max(position) as last from event_log.events',
      );
      return Number(rows[0]?.last ?? 0);
    },

    async insert(records) {
      await writer.query({
        name: 'insert',
        text: INSERT,
        values: [
          int8Array(records.map(({ position }) => position)),
          textArray(records.map(({ stream }) => stream)),
          int8Array(records.map(({ revision }) => revision)),
          uuidArray(records.map(({ id }) => id)),
          textArray(records.map(({ type }) => type)),
          boolArray(records.map(({ isJson }) => isJson)),
          timestampArray(records.map(({ createdMs }) => createdMs)),
          byteaArray(records.map(({ data }) => data)),
          byteaArray(records.map(({ metadata }) => metadata)),
        ],
      });
    },

    async streams(names, through) {
      const connection = through === 'writer' ? writer : streamReaders;
      const { rows } = await connection.query<{
        name: string;
        revision: string | null;
        position: string | null;
        metadata: Buffer | null;
      }>({
        name: 'streams',
        text: STREAMS,
        values: [textArray(names), textArray(names.map(metastreamOf)), METADATA_TYPE],
      });
      return rows.map((row) => ({
        stream: row.name,
        lastRevision: row.revision === null ? -1 : Number(row.revision),
        lastPosition: Number(row.position ?? 0),
        metadata: row.metadata,
      }));
    },

    async eventsById(ids) {
      const { rows } = await writer.query<{ stream: string; event_id: string; revision: string; position: string }>({
        name: 'events-by-id',
        text: 'select stream, event_id, revision, position from event_log.events where event_id = any($1::uuid[])',
        values: [uuidArray(ids)],
      });
      return rows.map((row) => ({
        stream: row.stream,
        id: row.event_id,
        revision: Number(row.revision),
        position: Number(row.position),
      }));
    },

    async allForwards({ after, upTo, limit }) {
      const values = [after, upTo, limit];
      return (await logReaders.query<EventRow>({ name: 'all-forwards', text: ALL_FORWARDS, values })).rows.map(
        recordOf,
      );
    },

    async allBackwards({ before, limit }) {
      const values = [before, limit];
      return (await logReaders.query<EventRow>({ name: 'all-backwards', text: ALL_BACKWARDS, values })).rows.map(
        recordOf,
      );
    },

    streamForwards: (asked) => streamPage('stream-forwards', STREAM_FORWARDS, asked),
    streamBackwards: (asked) => streamPage('stream-backwards', STREAM_BACKWARDS, asked),
  };
}
