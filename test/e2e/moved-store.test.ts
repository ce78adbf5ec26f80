import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tellStory } from '../../scripts/story.js';
import { startPostgres, type RunningPostgres } from '../../src/embedded/postgres/start-postgres.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { processesMentioning, startWholeService, type WholeService } from '../support/running-service.js';

const credentials = { username: 'admin', password: 'changeit' };
const logger = pino({ level: 'silent' });

let service: WholeService;
let folder: string;
let postgres: RunningPostgres;
let other: TestEventStore;
/** Each call of the service's to the one receiver of webhooks, answered or not. */
const calls: string[] = [];
const receiver = createServer((request, response) => {
  calls.push(String(request.headers['x-service-delivery']));
  request.resume().on('end', () => response.writeHead(200).end());
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passport-other-'));
  await chmod(folder, 0o711);
  postgres = await startPostgres({ dataDir: join(folder, 'postgres'), databases: ['eventlog'], logger });
  other = await startEventStore(postgres.urlFor('eventlog'));
  // As a server has them at its first start: no event of ours gets the position that it has elsewhere.
  const client = EventStoreDBClient.connectionString(other.url);
  await client.appendToStream('$users', jsonEvent({ type: '$UsersUpdated', data: {} }), { credentials });
  await client.dispose();
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  service = await startWholeService();
}, 150_000);

afterAll(async () => {
  await service.stop();
  await service.remove();
  await other.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  receiver.close();
}, 60_000);

const environmentOf = (more: Record<string, string>) => ({
  ...{ PATH: process.env['PATH'], DATA_DIR: service.dataDir },
  ...more,
});

const cli = (words: readonly string[], more: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, ['dist/src/cli.js', ...words], { env: environmentOf(more) }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out + err }),
    );
  });

/** Every stored event that is not the server's own; where it stands in the log is the store's business. */
async function contentsOf(url: string) {
  const log = createEventStore({ url, logger });
  try {
    const contents: unknown[] = [];
    for await (const { position: _position, data, metadata, ...event } of log.readAllRaw({ after: null })) {
      if (event.stream.startsWith('$')) continue;
      contents.push({ ...event, data: Buffer.from(data).toString(), metadata: Buffer.from(metadata).toString() });
    }
    return contents;
  } finally {
    await log.close();
  }
}

/** Every row of the read models, the checkpoint apart. */
async function readModels(): Promise<Record<string, unknown[]>> {
  const client = new pg.Client({ connectionString: service.dev.databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables
        where schemaname = 'read' and tablename not in ('checkpoint', 'migrations') order by 1`,
    );
    const rows: Record<string, unknown[]> = {};
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`select t::text as row from read.${name} t order by 1`);
      rows[name] = found.rows.map(({ row }) => row);
    }
    return rows;
  } finally {
    await client.end();
  }
}

/** Looked at until it has not changed for two seconds. */
async function settled<T>(look: () => Promise<T>): Promise<T> {
  let last = await look();
  for (;;) {
    await sleep(2_000);
    const now = await look();
    if (JSON.stringify(now) === JSON.stringify(last)) return now;
    last = now;
  }
}

const mails = async (): Promise<number> =>
  ((await (await fetch(`${service.dev.mailUrl}/messages`)).json()) as unknown[]).length;

async function signIn(): Promise<(method: string, path: string, body?: object) => Promise<{ id: string }>> {
  const { email, password, organizationId } = service.dev.demo;
  const { baseUrl } = service.dev;
  const json = { 'content-type': 'application/json' };
  const signedIn = await fetch(`${baseUrl}/auth/login`, {
    ...{ method: 'POST', headers: json, body: JSON.stringify({ email, password }) },
  });
  const { token } = (await signedIn.json()) as { token: string };
  const headers = { ...json, authorization: `Bearer ${token}`, 'x-organization-id': organizationId };
  return async (method, path, body) => {
    const answer = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers.get('x-read-lag')).toBe(null);
    return (await answer.json()) as { id: string };
  };
}

test('a service that has lived moves to another store and back, and nobody notices', { timeout: 300_000 }, async () => {
  await tellStory(service.dev, () => undefined);
  let brand = await signIn();
  const { port } = receiver.address() as AddressInfo;
  await brand('POST', '/brand/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['batch.created'] });
  const factory = await brand('POST', '/brand/suppliers/invite', {
    ...{ factoryName: 'Fiação', contactEmail: `${randomUUID()}@factory.example`, country: 'PT', tier: 1 },
  });
  const product = await brand('POST', '/brand/products', { name: 'Größe "M"' });
  const makeBatch = (poReference: string) =>
    brand('POST', '/brand/batches', {
      ...{ productId: product.id, factoryId: factory.id, poReference, quantity: 1, unit: 'piece' },
    });
  for (const n of [1, 2, 3, 4, 5]) await makeBatch(`Before-${n}`);

  const sent = await settled(async () => ({ mails: await mails(), calls: calls.length }));
  expect(sent.calls).toBe(5);
  expect(sent.mails).toBeGreaterThan(3);
  const [rows, contents] = [await readModels(), await contentsOf(service.dev.eventStoreUrl)];

  // Not while it runs.
  const tooEarly = await cli(['move-store', other.url]);
  expect(tooEarly).toEqual({ code: 1, out: expect.stringContaining('Already running') as string });
  expect(await service.stop()).toBe(0);

  for (const share of [0.1, 0.5]) {
    const moving = spawn(process.execPath, ['dist/src/cli.js', 'move-store', other.url], { env: environmentOf({}) });
    while ((await contentsOf(other.url)).length < contents.length * share) await sleep(10);
    moving.kill('SIGKILL');
    await once(moving, 'exit');
    // What it had started ends with it, and lets go of the folder.
    while ((await processesMentioning(service.dataDir)).length > 0) await sleep(50);
  }
  const moved = await cli(['move-store', other.url]);
  expect(moved).toEqual({ code: 0, out: expect.stringContaining(`Moved: ${contents.length} events`) as string });
  expect(await contentsOf(other.url)).toEqual(contents);
  expect(await processesMentioning(service.dataDir)).toEqual([]);

  service = await startWholeService({ dataDir: service.dataDir, environment: { EVENTSTORE_URL: other.url } });
  expect(await settled(async () => ({ mails: await mails(), calls: calls.length }))).toEqual(sent);
  expect(await readModels()).toEqual(rows);
  brand = await signIn();
  await makeBatch('After');
  expect((await settled(() => Promise.resolve(calls))).length).toBe(6);
  const later = await contentsOf(other.url);
  expect(later.length).toBeGreaterThan(contents.length);
  expect(await service.stop()).toBe(0);

  // The old store is there still, and would take writes that nobody finds again.
  await expect(startWholeService({ dataDir: service.dataDir })).rejects.toThrow(
    /holds a copy of the log that Postgres follows/,
  );

  const back = await cli(['move-store', 'embedded'], { EVENTSTORE_URL: other.url });
  expect(back).toEqual({ code: 0, out: expect.stringContaining('take EVENTSTORE_URL away') as string });
  service = await startWholeService({ dataDir: service.dataDir });
  expect(await contentsOf(service.dev.eventStoreUrl)).toEqual(later);
  brand = await signIn();
  await makeBatch('Back');
  expect((await settled(() => Promise.resolve(calls))).length).toBe(7);
  expect(new Set(calls).size).toBe(7);
  const verified = await cli(['verify']);
  expect(verified).toEqual({ code: 0, out: expect.stringContaining('Unbroken') as string });
});
