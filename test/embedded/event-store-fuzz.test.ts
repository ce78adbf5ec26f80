import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Metadata, credentials as channel, status } from '@grpc/grpc-js';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { EventStoreDBClient } from '@eventstore/db-client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { append, newStream, note, notes, numbersOf, readStream } from '../contract/stores.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startEventStore, type TestEventStore } from '../support/event-store.js';
import { connectRaw } from '../support/raw-calls.js';
import { mutatedBytes, mutatedMeaning, seeded, type RawRequest } from './mutated-requests.js';

const SEED = 20_261_122;
const HALF = 1_000;
const AT_ONCE = 8;
/** Subscriptions go on until they are ended. */
const CALL_LIMIT_MS = 400;
const LONGEST_STALL_MS = 1_000;
/** For one that stands still without computing. */
const LONGEST_ANSWER_MS = 10_000;
const MS_PER_TICK = 10;

/** Processor time that a process has used so far, of all its threads. */
const processorMs = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may hold anything: state is the first, user and system time are the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
};

/** What a caller may be told. The store's own failures (UNKNOWN, INTERNAL, UNAVAILABLE) are not among them. */
const FAIR = [
  status.OK,
  status.CANCELLED,
  status.INVALID_ARGUMENT,
  status.FAILED_PRECONDITION,
  status.DEADLINE_EXCEEDED,
  status.UNIMPLEMENTED,
];

describe(`${2 * HALF} mutated requests (seed ${SEED})`, () => {
  let database: TestDatabase;
  let server: TestEventStore;
  let client: EventStoreDBClient;
  let sql: pg.Client;

  beforeAll(async () => {
    database = await createDatabase();
    server = await startEventStore(database.url);
    client = EventStoreDBClient.connectionString(server.url);
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
    await client.dispose();
    await server.stop();
    await database.drop();
  });

  const last = async (): Promise<string> => {
    const { rows } = await sql.query<{ last: string }>('select max(position) as last from event_log.events');
    return rows[0]?.last ?? '0';
  };
  const digestUpTo = async (position: string): Promise<unknown> =>
    (
      await sql.query(
        'select count(*), md5(string_agg(md5(e::text), null order by position)) from event_log.events e where position <= $1',
        [position],
      )
    ).rows;

  /**
   * Asks for something small again and again. How long the store stood still is the longest wait for it in the store's own
   * processor time: what the machine does meanwhile for others counts for nothing.
   */
  const watchStalls = (): { end(): Promise<number> } => {
    const features = new serverFeatures.ServerFeaturesClient(`127.0.0.1:${server.port}`, channel.createInsecure());
    let longestMs = 0;
    let isOver = false;
    const ask = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const deadline = Date.now() + LONGEST_ANSWER_MS;
        features.getSupportedMethods(new shared.Empty(), new Metadata(), { deadline }, (error) =>
          error === null ? resolve() : reject(error),
        );
      });
    const asking = (async () => {
      while (!isOver) {
        const before = await processorMs(server.pid);
        await ask();
        longestMs = Math.max(longestMs, (await processorMs(server.pid)) - before);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    return {
      async end() {
        isOver = true;
        await asking;
        features.close();
        return longestMs;
      },
    };
  };

  it('stop nobody, change nothing that is stored, and are answered as what they are', async () => {
    const known = ['fuzzed-0', 'fuzzed-1', 'ünlü-fuzzed'];
    for (const stream of known) await append(client, stream, notes(5), 'no_stream');
    await client.setStreamMetadata('fuzzed-0', { maxCount: 4 });
    const before = await last();
    const digest = await digestUpTo(before);

    const random = seeded(SEED);
    const requests: RawRequest[] = [
      ...Array.from({ length: HALF }, () => mutatedBytes(random, known)),
      ...Array.from({ length: HALF }, () => mutatedMeaning(random, known)),
    ];

    const bystander = newStream('bystander');
    let written = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await append(client, bystander, note(written), written === 0 ? 'no_stream' : BigInt(written - 1));
        written += 1;
      }
    })();
    const stalls = watchStalls();

    const raw = connectRaw(server.url);
    const codes = new Map<status, number>();
    const unfair: unknown[] = [];
    const pending = requests.entries();
    const worker = async (): Promise<void> => {
      for (const [index, { method, messages }] of pending) {
        const { code, details } = await raw.call(method, messages, CALL_LIMIT_MS);
        codes.set(code, (codes.get(code) ?? 0) + 1);
        if (!FAIR.includes(code)) {
          const sent = messages.map((message) => Buffer.from(message).toString('hex').slice(0, 400));
          unfair.push({ index, method, sent, code: status[code], details });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    isOver = true;
    await writing;
    const longestStallMs = await stalls.end();
    raw.close();

    expect(unfair).toEqual([]);
    expect(server.child.exitCode).toBeNull();
    expect(longestStallMs).toBeLessThan(LONGEST_STALL_MS);
    // Mutated, but not so much that none of them gets through.
    expect(codes.get(status.OK)).toBeGreaterThan(HALF / 4);
    expect(codes.get(status.INVALID_ARGUMENT)).toBeGreaterThan(HALF / 4);

    expect(await digestUpTo(before)).toEqual(digest);
    expect(numbersOf(await readStream(client, bystander))).toEqual(Array.from({ length: written }, (_, n) => n));
    // And it goes on as it was.
    await append(client, `after-${randomUUID()}`, note(1), 'no_stream');
  }, 120_000);
});
