import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventMetadata } from '../../src/core/events.js';
import { linkHash } from '../../src/core/hash-chain.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog, NewEvent } from '../../src/infrastructure/event-store/port.js';
import { verifyAll, verifyStream } from '../../src/infrastructure/event-store/verify.js';
import { credentials } from '../contract/stores.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';

/** Four events of one stream, chained as the service chains them. */
function chainOf(stream: string): NewEvent[] {
  let previousHash: string | null = null;
  return [0, 1, 2, 3].map((revision) => {
    const id = randomUUID();
    const type = 'FactKept';
    const data = { n: revision, text: 'Größe', weight: 0.1 };
    const metadata = {
      schemaVersion: 1,
      organizationId: null,
      actor: { type: 'system', id: null },
      correlationId: 'cor',
      causationId: null,
      recordedAt: 1_700_000_000_000,
    };
    const hash: string = linkHash({ stream, revision, id, type, data, metadata, previousHash });
    previousHash = hash;
    return { id, type, data, metadata: { ...metadata, hash } as EventMetadata };
  });
}

describe('verifying the history', () => {
  let database: TestDatabase;
  let server: TestEventStore;
  let eventStore: EventLog;
  let client: EventStoreDBClient;
  let sql: pg.Client;
  let stream: string;
  let events: NewEvent[];

  beforeAll(async () => {
    database = await createDatabase();
    server = await startEventStore(database.url);
    eventStore = createEventStore({ url: server.url, logger: pino({ level: 'silent' }) });
    client = EventStoreDBClient.connectionString(server.url);
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
    await client.dispose();
    await eventStore.close();
    await server.stop();
    await database.drop();
  });
  beforeEach(async () => {
    stream = `product-${randomUUID()}`;
    events = chainOf(stream);
    await eventStore.append(stream, 'no_stream', events.slice(0, 2));
    await eventStore.append(stream, 1, events.slice(2));
  });

  const alter = (statement: string, revision = 1): Promise<unknown> =>
    sql.query(`update event_log.events set ${statement} where stream = $1 and revision = $2`, [stream, revision]);

  /** What is found in the stream by itself, and in one pass over the log, where other tests have left their damage. */
  const both = async (): Promise<unknown[]> => [
    (await verifyStream(eventStore, stream)).problems,
    (await verifyAll(eventStore)).problems.filter((problem) => problem.stream === stream),
  ];

  it('finds nothing in a history that is as it was written', async () => {
    expect(await verifyStream(eventStore, stream)).toEqual({ streams: 1, events: 4, problems: [] });
    expect(await verifyAll(eventStore)).toEqual({ streams: 1, events: 4, problems: [] });
  });

  it('names the one event of which a byte was changed', async () => {
    await alter("data = convert_to(replace(convert_from(data, 'UTF8'), '0.1', '0.2'), 'UTF8')");
    const problem = {
      stream,
      revision: 1,
      id: events[1]?.id,
      reason: 'its hash does not match its content and the event before it',
    };
    expect(await both()).toEqual([[problem], [problem]]);
  });

  it('sees each single byte of an event', async () => {
    const stored = await sql.query<{ data: Buffer; metadata: Buffer }>(
      'select data, metadata from event_log.events where stream = $1 and revision = 1',
      [stream],
    );
    const [row] = stored.rows;
    if (row === undefined) throw new Error('the event is not in the table');
    for (const column of ['data', 'metadata'] as const) {
      for (let at = 0; at < row[column].length; at += 3) {
        const changed = Buffer.from(row[column]);
        changed[at] = (changed[at] ?? 0) ^ 1;
        await sql.query(`update event_log.events set ${column} = $2 where stream = $1 and revision = 1`, [
          stream,
          changed,
        ]);
        const { problems } = await verifyStream(eventStore, stream);
        // A changed digit of the stored hash shows at the event and at the one that was chained to it.
        expect(problems[0], `byte ${at} of ${column}`).toMatchObject({ stream, revision: 1 });
      }
      await sql.query(`update event_log.events set ${column} = $2 where stream = $1 and revision = 1`, [
        stream,
        row[column],
      ]);
    }
    expect((await verifyStream(eventStore, stream)).problems).toEqual([]);
  });

  it.each([
    ['a space between two members', `'{"n": 1'`, `'{"n":1'`],
    ['a digit beyond the reach of a double', `'0.10000000000000000001'`, `'0.1'`],
    ['a second member of the same name', `'{"n":9,"n":1'`, `'{"n":1'`],
  ])('sees %s', async (_what, to, from) => {
    await alter(`data = convert_to(replace(convert_from(data, 'UTF8'), ${from}, ${to}), 'UTF8')`);
    const { problems } = await verifyStream(eventStore, stream);
    expect(problems).toMatchObject([{ revision: 1, reason: 'the bytes of its data were changed' }]);
  });

  it.each([
    ['type', "type = 'FactForged'"],
    ['id', "event_id = '00000000-0000-4000-8000-000000000000'"],
  ])('sees another %s', async (_what, statement) => {
    await alter(statement);
    expect((await verifyStream(eventStore, stream)).problems).toMatchObject([{ revision: 1 }]);
  });

  it('sees every byte of the type of the last event, one that makes it a system event too', async () => {
    for (const type of ['$actKept', 'factKept', 'FactKep$', '$metadata', '$>']) {
      await alter(`type = '${type}'`, 3);
      const reason = 'its hash does not match its content and the event before it';
      expect(await both()).toMatchObject([[{ revision: 3, reason }], [{ revision: 3, reason }]]);
    }
  });

  it('sees a system event that was appended to a stream of ours', async () => {
    await client.appendToStream(stream, jsonEvent({ type: '$note', data: {} }), { expectedRevision: 3n, credentials });
    expect(await both()).toMatchObject([[{ revision: 4 }], [{ revision: 4 }]]);
  });

  it('sees two events that have changed places', async () => {
    await alter('revision = 99', 1);
    await alter('revision = 1', 2);
    await alter('revision = 2', 99);
    expect((await verifyStream(eventStore, stream)).problems[0]).toMatchObject({ revision: 1 });
  });

  it('names the event after a gap, once', async () => {
    await sql.query('delete from event_log.events where stream = $1 and revision = 1', [stream]);
    const problem = { revision: 2, reason: 'revisions 1 to 1 before it are missing' };
    expect(await both()).toMatchObject([[problem], [problem]]);
  });

  it('sees that the beginning is gone', async () => {
    await sql.query('delete from event_log.events where stream = $1 and revision = 0', [stream]);
    expect((await verifyStream(eventStore, stream)).problems).toMatchObject([
      { revision: 1, reason: 'revisions 0 to 0 before it are missing' },
    ]);
  });

  it.each([
    ['$tb', { truncateBefore: 2 }],
    ['$maxCount', { maxCount: 2 }],
    ['$maxAge', { maxAge: 1_000_000 }],
  ])('names %s in the metadata of a stream as a break', async (key, metadata) => {
    await client.setStreamMetadata(stream, metadata);
    const named = { stream, reason: `its metadata hides events (${key})` };
    const [one, all] = await both();
    expect((one as unknown[])[0]).toMatchObject(named);
    expect((all as unknown[])[0]).toMatchObject(named);
  });

  it('sees a deleted stream', async () => {
    await client.deleteStream(stream);
    expect((await verifyStream(eventStore, stream)).problems[0]).toMatchObject({
      reason: 'its metadata hides events ($tb)',
    });
  });

  it('sees a tombstoned stream', async () => {
    await client.tombstoneStream(stream);
    const [one, all] = await both();
    expect(one).toMatchObject([{ stream, reason: 'the stream has been tombstoned' }]);
    expect(all).toMatchObject([{ stream, reason: 'the stream has been tombstoned' }]);
  });

  it('sees an event that was appended without a hash', async () => {
    await client.appendToStream(stream, jsonEvent({ type: 'FactForged', data: { n: 4 }, metadata: { by: 'me' } }), {
      expectedRevision: 3n,
      credentials,
    });
    expect((await verifyStream(eventStore, stream)).problems).toMatchObject([
      { revision: 4, reason: 'it carries no hash' },
    ]);
  });

  it('passes over system streams and their types', async () => {
    await client.appendToStream('$settings', jsonEvent({ type: '$settings', data: {} }), { credentials });
    expect((await verifyAll(eventStore)).problems.filter((problem) => problem.stream.startsWith('$'))).toEqual([]);
  });
});
