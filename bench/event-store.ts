import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventStoreDBClient, NO_STREAM, jsonEvent, type EventData } from '@eventstore/db-client';
import pg from 'pg';
import { pino } from 'pino';
import { createEventStore } from '../src/infrastructure/event-store/eventstoredb.js';
import type { BenchRow } from './row.js';

/**
 * The embedded event store as `npm start` runs it: the compiled program, a process of its own, a database of its own.
 * Two of them stand side by side, one empty and one with half a million events, and take turns, so that whatever else
 * the machine does falls on both.
 */
const FILLED_EVENTS = 500_000;
const IN_FLIGHT = [1, 32, 128];
const ROUNDS = 5;
const ROUND_MS = 1_500;
const PROGRAM = join(import.meta.dirname, '..', 'dist', 'src', 'embedded', 'event-store', 'main.js');
const credentials = { username: 'admin', password: 'changeit' };

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
  readonly client: EventStoreDBClient;
}

export async function benchEventStore(env: { databaseUrl: string }): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const databases: string[] = [];
  const servers: Server[] = [];
  const start = async (events: number): Promise<Server> => {
    const { name, url } = await createDatabase(env.databaseUrl);
    databases.push(name);
    // The server makes its own tables; the events are put in while it is not running.
    await stop(await startServer(url));
    if (events > 0) await fill(url, events);
    const server = await startServer(url);
    servers.push(server);
    return server;
  };
  try {
    const filled = await start(FILLED_EVENTS);
    const empty = await start(0);
    for (const inFlight of IN_FLIGHT) {
      const rates = { empty: [] as number[], filled: [] as number[] };
      await appendsPerSecond(empty.client, inFlight, ROUND_MS);
      await appendsPerSecond(filled.client, inFlight, ROUND_MS);
      for (let round = 0; round < ROUNDS; round += 1) {
        rates.empty.push(await appendsPerSecond(empty.client, inFlight, ROUND_MS));
        rates.filled.push(await appendsPerSecond(filled.client, inFlight, ROUND_MS));
      }
      const atEmpty = median(rates.empty);
      const atFilled = median(rates.filled);
      rows.push({
        name: `event store: appends, ${inFlight} in flight, at 500,000 events`,
        unit: '/s',
        value: atFilled,
        baseline: atEmpty,
        baselineName: 'empty log',
        ratio: atFilled / atEmpty,
        goal: '>= 0.9',
      });
    }

    const raw = await rawReadsPerSecond(filled.client);
    const subscribed = await catchUpPerSecond(filled.url);
    rows.push({
      name: 'event store: catching up with $all through the adapter',
      unit: 'events/s',
      value: subscribed,
      baseline: raw,
      baselineName: "client's readAll",
      ratio: subscribed / raw,
      goal: '>= 0.7',
    });
    rows.push({
      name: 'event store: memory at 500,000 events',
      unit: 'MB',
      value: await residentMegabytes(filled),
      baseline: null,
      baselineName: null,
      ratio: null,
      goal: '< 300',
      note: 'after the appends above and two reads of the whole log',
    });
    return rows;
  } finally {
    for (const server of servers) await stop(server);
    for (const name of databases) await dropDatabase(env.databaseUrl, name);
  }
}

async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function createDatabase(adminUrl: string): Promise<{ name: string; url: string }> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await withDatabase(adminUrl, (client) => client.query(`create database ${name}`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

const dropDatabase = (adminUrl: string, name: string): Promise<unknown> =>
  withDatabase(adminUrl, (client) => client.query(`drop database if exists ${name} with (force)`));

/** Streams of ten events with about 300 bytes of data and 150 of metadata, as the service's are. */
const fill = (url: string, events: number): Promise<void> =>
  withDatabase(url, async (client) => {
    await client.query(
      `insert into event_log.events (position, stream, revision, event_id, type, is_json, created, data, metadata)
       select n * 600, 'filled-' || n / 10, n % 10, gen_random_uuid(), 'BenchDone', true, now(),
         convert_to('{"n":' || n || ',"text":"' || repeat(md5(n::text), 9) || '"}', 'UTF8'),
         convert_to('{"schemaVersion":1,"correlationId":"' || repeat(md5(n::text), 3) || '"}', 'UTF8')
       from generate_series(10, $1::int + 9) n`,
      [events],
    );
    await client.query('vacuum (analyze) event_log.events');
    await client.query('checkpoint');
  });

async function startServer(databaseUrl: string): Promise<Server> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env['PATH'], EMBEDDED_EVENT_STORE_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let output = '';
    child.once('exit', () => reject(new Error(`the event store ended: ${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      const found = /"port":(\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
  });
  const url = `esdb://127.0.0.1:${port}?tls=false`;
  return { url, child, client: EventStoreDBClient.connectionString(url) };
}

async function stop({ child, client }: Server): Promise<void> {
  await client.dispose();
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

const event = (n: number): EventData =>
  jsonEvent({
    type: 'BenchDone',
    data: { n, text: 'x'.repeat(280) },
    metadata: { schemaVersion: 1, correlationId: 'y'.repeat(100) },
  });

/** Each writer keeps to a stream of its own, at the exact revision, ten events a stream. */
async function appendsPerSecond(client: EventStoreDBClient, inFlight: number, durationMs: number): Promise<number> {
  let done = 0;
  const started = performance.now();
  const write = async (writer: number): Promise<void> => {
    const prefix = `bench-${randomBytes(4).toString('hex')}-${writer}`;
    for (let n = 0; performance.now() - started < durationMs; n += 1) {
      const revision = n % 10;
      await client.appendToStream(`${prefix}-${Math.floor(n / 10)}`, event(n), {
        expectedRevision: revision === 0 ? NO_STREAM : BigInt(revision - 1),
        credentials,
      });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, writer) => write(writer)));
  return (done / (performance.now() - started)) * 1000;
}

async function rawReadsPerSecond(client: EventStoreDBClient): Promise<number> {
  let count = 0;
  const started = performance.now();
  for await (const _event of client.readAll()) count += 1;
  return (count / (performance.now() - started)) * 1000;
}

async function catchUpPerSecond(url: string): Promise<number> {
  const eventStore = createEventStore({ url, logger: pino({ level: 'silent' }) });
  const stopping = new AbortController();
  let count = 0;
  const started = performance.now();
  for await (const message of eventStore.subscribeToAll({ after: null, signal: stopping.signal })) {
    if (message.kind === 'event') count += 1;
    else if (message.kind === 'caught_up') stopping.abort();
  }
  await eventStore.close();
  return (count / (performance.now() - started)) * 1000;
}

async function residentMegabytes({ child }: Server): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
