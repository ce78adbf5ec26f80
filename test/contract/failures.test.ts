import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, streamNameFilter } from '@eventstore/db-client';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventMetadata } from '../../src/core/events.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import {
  AppendOutcomeUnknown,
  type EventLog,
  type ExpectedRevision,
  type NewEvent,
} from '../../src/infrastructure/event-store/port.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { startProgram } from '../support/program.js';
import { append, bytes, newStream, note, numbersOf, positionOf, readStream, watch } from './stores.js';

const logger = pino({ level: 'silent' });

const metadata: EventMetadata = {
  schemaVersion: 1,
  organizationId: null,
  actor: { type: 'system', id: null },
  correlationId: 'contract',
  causationId: null,
  recordedAt: 0,
  hash: '',
};

const fact = (n: number): NewEvent => ({ id: randomUUID(), type: 'FactKept', data: { n }, metadata });

const residentBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
};

describe('embedded event store, when things go wrong', () => {
  let database: TestDatabase;
  let server: TestEventStore;
  const opened: { close(): Promise<void> }[] = [];
  const adapter = (options: { appendTimeoutMs?: number } = {}): EventLog => {
    const eventStore = createEventStore({ url: server.url, logger, ...options });
    opened.push(eventStore);
    return eventStore;
  };
  const client = (): EventStoreDBClient => {
    const made = EventStoreDBClient.connectionString(server.url);
    opened.push({ close: () => made.dispose() });
    return made;
  };

  beforeAll(async () => {
    database = await createDatabase();
    server = await startEventStore(database.url);
  });
  afterAll(async () => {
    for (const part of opened) await part.close();
    await server.stop();
    await database.drop();
  });

  it('keeps every acknowledged event, once and in order, when it is killed amid 1,000 appends', async () => {
    const eventStore = adapter();
    const streams = Array.from({ length: 20 }, () => newStream('killed'));
    let acknowledged = 0;
    let killing: Promise<void> | undefined;
    const restart = async (): Promise<void> => {
      await server.kill('SIGKILL');
      server = await startEventStore(database.url, { port: server.port });
    };
    const write = async (stream: string): Promise<void> => {
      let expected: ExpectedRevision = 'no_stream';
      for (let n = 0; n < 50; n += 1) {
        const event = fact(n);
        for (;;) {
          try {
            expected = (await eventStore.append(stream, expected, [event])).revision;
            break;
          } catch (error) {
            // The same event at the same place, until somebody says what became of it.
            if (!(error instanceof AppendOutcomeUnknown)) throw error;
          }
        }
        acknowledged += 1;
        if (acknowledged === 400) killing = restart();
      }
    };
    await Promise.all(streams.map(write));
    await killing;
    expect(acknowledged).toBe(1_000);
    for (const stream of streams) {
      const kept: unknown[] = [];
      for await (const event of eventStore.readStream(stream)) kept.push((event.data as { n: number }).n);
      expect(kept).toEqual(Array.from({ length: 50 }, (_, n) => n));
    }
  });

  it('lets six hundred readers wait for a database that is slow, and answers each of them', async () => {
    const reading = client();
    await append(reading, newStream(), note(0));
    const sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    await sql.query('begin; lock table event_log.events in access exclusive mode');
    const readers = Array.from({ length: 600 }, async () => {
      const events: unknown[] = [];
      for await (const { event } of reading.readAll({ maxCount: 1 })) events.push(event);
      return events.length;
    });
    // Longer than a reader once waited for a connection.
    await sleep(6_000);
    await sql.end();
    expect(await Promise.all(readers)).toEqual(Array.from({ length: 600 }, () => 1));
  });

  it('stores the appends of a commit of which one cannot be stored', async () => {
    const writing = client();
    const stream = newStream('occupied');
    await append(writing, stream, note(0), 'no_stream');
    const sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    // The place of the next event is taken, which the server cannot know.
    await sql.query(
      `insert into event_log.events (position, stream, revision, event_id, type, is_json, created, data, metadata)
       select 1, stream, 1, event_id, type, is_json, created, data, metadata from event_log.events where stream = $1`,
      [stream],
    );
    await sql.end();
    const beside = Array.from({ length: 40 }, () => newStream('beside'));
    const results = await Promise.allSettled([
      ...beside.slice(0, 20).map((name) => append(writing, name, note(1), 'no_stream')),
      append(writing, stream, note(1), 0n),
      ...beside.slice(20).map((name) => append(writing, name, note(1), 'no_stream')),
    ]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    for (const name of beside) expect(await readStream(writing, name)).toHaveLength(1);
    await append(writing, stream, note(2), 1n);
  });

  it('ends an append to a frozen server as unknown by our own limit, and the same events are stored once later', async () => {
    const eventStore = adapter({ appendTimeoutMs: 300 });
    const stream = newStream('frozen');
    await eventStore.append(stream, 'no_stream', [fact(0)]);
    const events = [fact(1), fact(2)];
    server.child.kill('SIGSTOP');
    const started = Date.now();
    try {
      await expect(eventStore.append(stream, 0, events)).rejects.toBeInstanceOf(AppendOutcomeUnknown);
      expect(Date.now() - started).toBeLessThan(6_000);
    } finally {
      server.child.kill('SIGCONT');
    }
    const result = await eventStore.append(stream, 0, events);
    expect(result.revision).toBe(2);
    const kept: unknown[] = [];
    for await (const event of eventStore.readStream(stream)) kept.push((event.data as { n: number }).n);
    expect(kept).toEqual([0, 1, 2]);
  });

  it('ends a read from a frozen server by our own limit', async () => {
    const eventStore = adapter();
    await eventStore.ping();
    server.child.kill('SIGSTOP');
    try {
      await expect(eventStore.ping()).rejects.toThrow('the event store does not answer');
    } finally {
      server.child.kill('SIGCONT');
    }
  });

  it('ends a subscription with an error when it is killed, and one from the checkpoint misses nothing', async () => {
    const eventStore = adapter();
    const prefix = newStream('resumed');
    const first = await eventStore.append(`${prefix}-a`, 'no_stream', [fact(0), fact(1)]);
    const seen: number[] = [];
    let checkpoint: bigint | null = first.position - 1n;
    const follow = async (goal: number): Promise<void> => {
      const stopping = new AbortController();
      const messages = eventStore.subscribeToAll({
        after: checkpoint,
        filter: { streamPrefixes: [prefix] },
        signal: stopping.signal,
      });
      for await (const message of messages) {
        if (message.kind !== 'event') continue;
        checkpoint = message.event.position;
        seen.push((message.event.data as { n: number }).n);
        if (seen.length === goal) stopping.abort();
      }
    };
    const following = follow(99);
    const failure = expect(following).rejects.toThrow('event store');
    while (seen.length < 1) await sleep(10);
    await server.kill('SIGKILL');
    await failure;
    server = await startEventStore(database.url, { port: server.port });
    await eventStore.append(`${prefix}-b`, 'no_stream', [fact(2)]);
    await follow(3 - (2 - seen.length));
    expect(seen.at(-1)).toBe(2);
  });

  it('lets a slow subscriber wait without memory of its own and without holding up anybody', async () => {
    const reading = client();
    const prefix = newStream('slow');
    const fromPosition = positionOf(await append(reading, prefix, note(0)));
    const filter = streamNameFilter({ prefixes: [prefix] });
    const slow = Array.from({ length: 12 }, () => reading.subscribeToAll({ fromPosition, filter }));
    for (const subscription of slow) {
      subscription.on('data', () => undefined);
      subscription.pause();
    }
    const before = await residentBytes(server.pid);
    const quick = watch(client().subscribeToAll({ fromPosition, filter }));
    // 50 MB: buffered for each of the twelve it would be 600.
    for (let n = 0; n < 240; n += 4) {
      await Promise.all([0, 1, 2, 3].map((k) => append(reading, `${prefix}-${k}`, bytes(200_000))));
    }
    await quick.until(() => quick.events.length === 240);
    const grown = (await residentBytes(server.pid)) - before;
    expect(grown).toBeLessThan(150 * 1024 * 1024);
    const [late] = slow;
    let count = 0;
    late?.on('data', () => (count += 1));
    late?.resume();
    while (count < 240) await sleep(20);
    await Promise.all([quick.stop(), ...slow.map((subscription) => subscription.unsubscribe())]);
  }, 60_000);

  it('will not write beside another one: the second ends with code 1 and says why', async () => {
    const second = startProgram({
      file: 'src/embedded/event-store/main.ts',
      env: { EMBEDDED_EVENT_STORE_DATABASE_URL: database.url, EMBEDDED_EVENT_STORE_START_LIMIT_MS: '500' },
    });
    const code = await new Promise((resolve) => second.child.once('exit', resolve));
    expect(code).toBe(1);
    expect(second.output()).toContain('another event store server writes this database');
  });

  it('ends with code 1 when it loses its lock, and what was acknowledged is there after a restart', async () => {
    const writing = client();
    const stream = newStream('lock');
    await append(writing, stream, [note(0), note(1)]);
    const exited = new Promise((resolve) => server.child.once('exit', resolve));
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'event-store-writer' and datname = current_database()",
    );
    await admin.end();
    expect(await exited).toBe(1);
    expect(server.output()).toContain('has lost its database');
    server = await startEventStore(database.url, { port: server.port });
    expect(numbersOf(await readStream(client(), stream))).toEqual([0, 1]);
  });

  it('goes on after a reader connection was ended under it', async () => {
    const stream = newStream('reader');
    await append(client(), stream, [note(0)]);
    await readStream(client(), stream);
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'event-store-reader' and datname = current_database()",
    );
    await admin.end();
    await sleep(200);
    expect(numbersOf(await readStream(client(), stream))).toEqual([0]);
  });

  it('closes in order at SIGTERM although somebody subscribes, and comes back with everything', async () => {
    const writing = client();
    const stream = newStream('closed');
    const subscription = watch(writing.subscribeToAll({ fromPosition: 'end' }));
    await subscription.until(() => subscription.told.includes('caughtUp'));
    await append(writing, stream, note(0));
    const started = Date.now();
    const exited = new Promise((resolve) => server.child.once('exit', resolve));
    await server.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(Date.now() - started).toBeLessThan(2_500);
    await subscription.until(() => subscription.error() !== undefined);
    server = await startEventStore(database.url, { port: server.port });
    expect(numbersOf(await readStream(client(), stream))).toEqual([0]);
  });
});
