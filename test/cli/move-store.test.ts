import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdsEvent, readCheckpoint } from '../../projections/checkpoint.js';
import { runProjector } from '../../projections/projector.js';
import { moveLog } from '../../src/cli/move-store/move.js';
import { linkHash } from '../../src/core/hash-chain.js';
import type { JsonObject } from '../../src/core/json.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog, NewEvent } from '../../src/infrastructure/event-store/port.js';
import { verifyAll } from '../../src/infrastructure/event-store/verify.js';
import { joinDeployment } from '../../src/modules/deployment/joining.js';
import { credentials } from '../contract/stores.js';
import {
  allRows,
  createReadModels,
  logger,
  metadata as metadataOf,
  type ReadModels,
} from '../projections/read-models.js';
import { organizationCreated, productCreated, type AnyEvent } from '../projections/story.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { startProgram } from '../support/program.js';

const REACTOR = 'workflows';

/** A store of its own, as a server is: with events of the server's in it, so that no position is that of another store. */
interface OwnStore {
  readonly url: string;
  readonly log: EventLog;
  readonly client: EventStoreDBClient;
  readonly close: () => Promise<void>;
}

async function startStore(eventsOfServer: number): Promise<OwnStore> {
  const database: TestDatabase = await createDatabase();
  const server: TestEventStore = await startEventStore(database.url);
  const client = EventStoreDBClient.connectionString(server.url);
  for (let n = 0; n < eventsOfServer; n += 1) {
    await client.appendToStream('$users', jsonEvent({ type: '$UsersUpdated', data: { n } }), { credentials });
  }
  const log = createEventStore({ url: server.url, logger });
  return {
    url: server.url,
    log,
    client,
    close: async () => {
      await Promise.all([log.close(), client.dispose()]);
      await server.stop();
      await database.drop();
    },
  };
}

/** What is stored of the service's own, byte for byte and in order; positions are the store's. */
async function contentsOf(log: EventLog) {
  const contents: unknown[] = [];
  for await (const { position: _position, data, metadata, ...event } of log.readAllRaw({ after: null })) {
    if (event.stream.startsWith('$')) continue;
    contents.push({ ...event, data: Buffer.from(data).toString(), metadata: Buffer.from(metadata).toString() });
  }
  return contents;
}

async function idsAfter(log: EventLog, after: bigint | null): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of log.readAll({ after })) ids.push(id);
  return ids;
}

/** Appends with the links of the chain, as the service does. */
function createWriter(log: EventLog) {
  const lastHashes = new Map<string, string>();
  const heads = new Map<string, number>();
  return async (stream: string, events: readonly AnyEvent[]) => {
    const head = heads.get(stream) ?? -1;
    const chained = events.map((event, index): NewEvent => {
      const id = randomUUID();
      const { hash: _hash, ...unsigned } = metadataOf(1_700_000_000_000 + index, 'org_1');
      const data = JSON.parse(JSON.stringify(event.data)) as JsonObject;
      const hash = linkHash({
        ...{ stream, revision: head + 1 + index, id, type: event.type, data },
        metadata: unsigned,
        previousHash: lastHashes.get(stream) ?? null,
      });
      lastHashes.set(stream, hash);
      return { id, type: event.type, data: event.data, metadata: { ...unsigned, hash } };
    });
    heads.set(stream, head + chained.length);
    return log.append(stream, head === -1 ? 'no_stream' : head, chained);
  };
}

const renamed = (productId: string, name: string): AnyEvent =>
  ({ type: 'ProductUpdated', data: { productId, changes: { name }, passportCount: 0 } }) as unknown as AnyEvent;

let source: OwnStore;
let destination: OwnStore;
let models: ReadModels;
let write: ReturnType<typeof createWriter>;
let lines: string[];

beforeEach(async () => {
  [source, destination, models] = await Promise.all([startStore(0), startStore(3), createReadModels()]);
  await start(source);
  write = createWriter(source.log);
  lines = [];
});
afterEach(() => Promise.all([source.close(), destination.close(), models.drop()]));

/** What each program does first; it founds the deployment when nobody has. */
const start = ({ log }: OwnStore) => joinDeployment({ database: models.database, eventStore: log });
const OTHER_STORE = /holds a copy of the log that Postgres follows/;

/** Products whose later events stand among those of others, so that the order between streams is one of its own. */
async function tellOf(products: number): Promise<void> {
  await write('organization-org_1', [organizationCreated('org_1')]);
  for (let n = 0; n < products; n += 1) {
    const id = `prd_${n}`;
    await write(`product-${id}`, n % 3 === 0 ? [productCreated(id), renamed(id, `Größe ${n}`)] : [productCreated(id)]);
    if (n % 2 === 1) await write(`product-prd_${n - 1}`, [renamed(`prd_${n - 1}`, `Again ${n}`)]);
  }
}

async function project(log: EventLog, until: bigint): Promise<void> {
  const stopping = new AbortController();
  const running = runProjector({ database: models.database, eventStore: log, logger, signal: stopping.signal });
  while ((await readCheckpoint(models.database)) < until) await sleep(20);
  stopping.abort();
  await running;
}

async function endOf(log: EventLog): Promise<bigint> {
  let end = 0n;
  for await (const { position } of log.readAll({ after: null })) end = position;
  return end;
}

const reactorAt = async (): Promise<bigint | null> => {
  const { rows } = await models.database.query<{ position: string }>(
    'select position::text from service.reactor_checkpoint where reactor = $1',
    [REACTOR],
  );
  return rows[0] === undefined ? null : BigInt(rows[0].position);
};

const setReactor = (position: bigint) =>
  models.database.query('insert into service.reactor_checkpoint (reactor, position) values ($1, $2)', [
    REACTOR,
    position.toString(),
  ]);

const move = (from: OwnStore, to: OwnStore): Promise<void> =>
  moveLog({
    source: { log: from.log, address: from.url },
    destination: { log: to.log, address: to.url },
    database: models.database,
    print: (line) => lines.push(line),
  });

describe('a log that moves to another store', () => {
  it('is the same there, and everybody goes on where they stood', async () => {
    await tellOf(40);
    await project(source.log, await endOf(source.log));
    const middle = [...(await idsAfter(source.log, null))].length / 2;
    let reached = 0n;
    for await (const { position } of source.log.readAll({ after: null, limit: Math.floor(middle) })) reached = position;
    await setReactor(reached);
    const [contents, rows, left] = [
      await contentsOf(source.log),
      await allRows(models.database),
      await idsAfter(source.log, reached),
    ];
    expect(left.length).toBeGreaterThan(10);

    await move(source, destination);

    expect(await contentsOf(destination.log)).toEqual(contents);
    const counts = { events: contents.length, streams: 42, problems: [] };
    expect([await verifyAll(source.log), await verifyAll(destination.log)]).toEqual([counts, counts]);
    expect(await readCheckpoint(models.database)).toBe(await endOf(destination.log));
    expect(await endOf(destination.log)).not.toBe(await endOf(source.log));
    expect(await idsAfter(destination.log, await reactorAt())).toEqual(left);
    const lastProduct = { stream: 'product-prd_39', revision: 0 };
    expect(await holdsEvent({ database: models.database, eventStore: destination.log }, lastProduct)).toBe(true);

    // What is written there is taken in; what was taken in before is not taken in again.
    const { position } = await destination.log.append('organization-org_2', 'no_stream', [
      { id: randomUUID(), ...organizationCreated('org_2'), metadata: metadataOf(1_700_000_001_000, 'org_2') },
    ]);
    await project(destination.log, position);
    const { organizations = [], ...others } = await allRows(models.database);
    const { organizations: before = [], ...othersBefore } = rows;
    expect(others).toEqual(othersBefore);
    expect(organizations.length).toBe(before.length + 1);
  });

  it('is told from its copy by the programs, before, during and after', async () => {
    await tellOf(4);
    await start(source);
    await move(source, destination);
    await start(destination);
    await expect(start(source)).rejects.toThrow(OTHER_STORE);

    // Somebody did not see that it was done.
    await move(source, destination);
    expect(lines.at(-1)).toBe(`The log is at ${destination.url} already. Nothing was done.`);
    await start(destination);
  });

  it('can go back, with what was written meanwhile', async () => {
    await tellOf(6);
    await project(source.log, await endOf(source.log));
    await setReactor(await endOf(source.log));
    await move(source, destination);
    await destination.log.append('organization-org_2', 'no_stream', chainedAlone('organization-org_2'));
    const contents = await contentsOf(destination.log);
    const left = await idsAfter(destination.log, await reactorAt());

    await move(destination, source);

    expect(await contentsOf(source.log)).toEqual(contents);
    expect(await idsAfter(source.log, await reactorAt())).toEqual(left);
    expect(left.length).toBe(1);
    await start(source);
    await expect(start(destination)).rejects.toThrow(OTHER_STORE);
  });

  it('does not move while a program of the service runs', async () => {
    await tellOf(2);
    const program = new pg.Client({ connectionString: models.url, application_name: 'projector' });
    await program.connect();
    await expect(move(source, destination)).rejects.toThrow('Programs of the service are running: projector');
    expect(await contentsOf(destination.log)).toEqual([]);
    await program.end();
  });

  it('does not move to where other events are, nor from a broken history', async () => {
    await tellOf(3);
    const own = chainedAlone('organization-org_9');
    await destination.log.append('organization-org_9', 'no_stream', own);
    await expect(move(source, destination)).rejects.toThrow(
      `holds other events than the source: event ${own[0]?.id} (revision 0 of organization-org_9)`,
    );
    expect((await contentsOf(destination.log)).length).toBe(1);

    const empty = await startStore(1);
    await source.client.deleteStream('product-prd_1', { credentials });
    await expect(move(source, empty)).rejects.toThrow(/history of .* is broken: .*hides events/);
    expect(await contentsOf(empty.log)).toEqual([]);
    await empty.close();
  });

  it('does not move to a store that has had one of its streams and deleted it', async () => {
    await tellOf(2);
    await destination.log.append('product-prd_0', 'no_stream', chainedAlone('product-prd_0'));
    await destination.client.deleteStream('product-prd_0', { credentials });
    await expect(move(source, destination)).rejects.toThrow(/product-prd_0/);
    await start(source);
  });

  it('is moved by one at a time, and from nowhere else than where it is', async () => {
    await tellOf(2);
    const third = await startStore(2);
    await move(source, destination);
    await expect(move(source, third)).rejects.toThrow(`The log of this database is not at ${source.url}`);
    const other = new pg.Client({ connectionString: models.url });
    await other.connect();
    await other.query('select pg_advisory_lock(7203115)');
    await expect(move(destination, third)).rejects.toThrow('Another move, or a rebuild, is running.');
    await other.end();
    await third.close();
  });
});

describe('the command', () => {
  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    startProgram({
      file: 'src/cli.ts',
      env: { DATABASE_URL: models.url, EVENTSTORE_URL: source.url, ...more },
      args: ['move-store', ...args],
    });
  const ended = async (program: ReturnType<typeof run>): Promise<number | null> => {
    while (program.child.exitCode === null && program.child.signalCode === null) await sleep(20);
    return program.child.exitCode;
  };

  it('goes on after it was killed, however often, and loses and doubles nothing', { timeout: 120_000 }, async () => {
    await tellOf(400);
    await setReactor(await endOf(source.log));
    const contents = await contentsOf(source.log);
    const seen: number[] = [];
    for (const share of [0.05, 0.3, 0.55, 0.8]) {
      const moving = run([destination.url]);
      while ((await contentsOf(destination.log)).length < contents.length * share) await sleep(20);
      await moving.kill('SIGKILL');
      seen.push((await contentsOf(destination.log)).length);
      await expect(start(destination)).rejects.toThrow(OTHER_STORE);
      await start(source);
    }
    // Each was killed in the middle of its work.
    expect(seen.every((count) => count < contents.length)).toBe(true);
    expect(new Set(seen).size).toBe(4);

    const moving = run([destination.url]);
    expect(await ended(moving)).toBe(0);
    expect(moving.output()).toContain(`Moved: ${contents.length} events in 402 streams`);
    expect(moving.output()).toMatch(
      /events are there already[^]*events copied, \d+ a second[^]*Next: set EVENTSTORE_URL/,
    );
    expect(await contentsOf(destination.log)).toEqual(contents);
    expect(await idsAfter(destination.log, await reactorAt())).toEqual([]);
  });

  it(
    'takes the address from a setting, shows no password, and refuses what cannot be',
    { timeout: 60_000 },
    async () => {
      await tellOf(1);
      const [nowhere, itself, unknown, bySetting] = [
        run([]),
        run([source.url.replace('esdb:', 'kurrentdb:')]),
        run(['https://example.com']),
        run([], { MOVE_STORE_TO: destination.url.replace('//', '//ops:top-secret@') }),
      ];
      expect([await ended(nowhere), nowhere.output()]).toEqual([1, expect.stringContaining('Say where to')]);
      expect([await ended(itself), itself.output()]).toEqual([1, expect.stringContaining('is the store that the log')]);
      expect([await ended(unknown), unknown.output()]).toEqual([1, expect.stringContaining('must look like esdb://')]);
      expect([await ended(bySetting), bySetting.output()]).toEqual([0, expect.stringContaining('ops:***@')]);
      expect(bySetting.output()).not.toContain('top-secret');
      await start(destination);
    },
  );
});

/** One event of a stream of its own. */
function chainedAlone(stream: string): readonly NewEvent[] {
  const id = randomUUID();
  const { type, data } = organizationCreated(stream.replace('organization-', ''));
  const { hash: _hash, ...unsigned } = metadataOf(1_700_000_002_000, null);
  const hash = linkHash({
    ...{ stream, revision: 0, id, type, data: JSON.parse(JSON.stringify(data)) as JsonObject },
    ...{ metadata: unsigned, previousHash: null },
  });
  return [{ id, type, data, metadata: { ...unsigned, hash } }];
}
