import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../src/embedded/ports.js';
import { toRefusal } from '../../src/http/problem.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import { BY_EXCEPTION, BY_STATUS } from '../../src/infrastructure/event-store/failures.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  EventStoreUnavailable,
  StreamTombstoned,
  WrongExpectedRevision,
  type EventLog,
  type NewEvent,
} from '../../src/infrastructure/event-store/port.js';
import { isOutage } from '../../src/infrastructure/outage.js';
import { startFailingStore, type Ending, type FailingStore } from '../support/failing-store.js';

type Kind = new (...values: never[]) => Error;
interface Expected {
  readonly ending: Ending;
  readonly append: Kind;
  readonly read: Kind;
  /** How often the same bytes are sent. */
  readonly sent: number;
}

const REFUSED = { append: EventStoreUnavailable, read: EventStoreUnavailable, sent: 1 };
const AWAY = { append: AppendOutcomeUnknown, read: EventStoreUnavailable, sent: 4 };
/** A server says most with a trailer; the rest of what a real one sends along is at times missing. */
const exception = (name: string, more: Record<string, string> = {}): Ending => ({
  code: status.FAILED_PRECONDITION,
  trailers: { exception: name, ...more },
});

const EXCEPTIONS: Readonly<Record<string, Expected>> = {
  'not-leader': {
    ending: exception('not-leader'),
    append: EventStoreUnavailable,
    read: EventStoreUnavailable,
    sent: 4,
  },
  'stream-deleted': { ending: exception('stream-deleted'), append: StreamTombstoned, read: StreamTombstoned, sent: 1 },
  'wrong-expected-version': {
    ending: exception('wrong-expected-version', { 'actual-version': '7' }),
    ...{ append: WrongExpectedRevision, read: EventStoreUnavailable, sent: 1 },
  },
  'maximum-append-size-exceeded': {
    ending: exception('maximum-append-size-exceeded'),
    ...{ append: AppendTooLarge, read: EventStoreUnavailable, sent: 1 },
  },
  'access-denied': { ending: exception('access-denied'), ...REFUSED },
};
const STATUSES = new Map<status, Omit<Expected, 'ending'>>([
  [status.UNAVAILABLE, AWAY],
  [status.DEADLINE_EXCEEDED, AWAY],
  [status.ABORTED, AWAY],
  [status.CANCELLED, AWAY],
  [status.RESOURCE_EXHAUSTED, AWAY],
  [status.UNKNOWN, AWAY],
  [status.INTERNAL, AWAY],
  [status.UNAUTHENTICATED, REFUSED],
  [status.PERMISSION_DENIED, REFUSED],
]);
const empty = Buffer.from(new streams.AppendResp().serializeBinary());
/** Of no table: as bad as it can be. */
const UNFORESEEN: readonly (readonly [string, Ending])[] = [
  ['a status of no meaning here', { code: status.DATA_LOSS }],
  ['an argument that is refused', { code: status.INVALID_ARGUMENT }],
  ['an exception that a later version has', { code: status.NOT_FOUND, trailers: { exception: 'brand-new' } }],
  ['an answer of an append that says nothing', { bytes: empty }],
];

const fact = (): NewEvent => ({
  id: randomUUID(),
  type: 'FactKept',
  data: { n: 1 },
  metadata: {
    ...{ schemaVersion: 1, organizationId: null, actor: { type: 'system', id: null } },
    ...{ correlationId: 'failures', causationId: null, recordedAt: 0, hash: '' },
  },
});
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const appended = (eventStore: EventLog): Promise<unknown> => failureOf(eventStore.append('stream-1', 0, [fact()]));
const read = (eventStore: EventLog): Promise<unknown> =>
  failureOf(eventStore.readStream('stream-1')[Symbol.asyncIterator]().next());
const followed = (eventStore: EventLog): Promise<unknown> => {
  const { signal } = new AbortController();
  return failureOf(eventStore.subscribeToAll({ after: null, signal })[Symbol.asyncIterator]().next());
};

describe('what a server says of a call that failed', () => {
  let store: FailingStore;
  let eventStore: EventLog;
  const lines: { isForeseen?: boolean; cause?: string }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line) as object) });
  const connected = () => createEventStore({ url: store.url, logger, appendTimeoutMs: 2_000 });
  beforeAll(async () => {
    store = await startFailingStore();
    eventStore = connected();
  });
  afterAll(async () => {
    await eventStore.close();
    store.close();
  });

  const holds = async ({ ending, append, read: ofRead, sent }: Expected): Promise<void> => {
    store.endings = [ending];
    expect(await appended(eventStore)).toBeInstanceOf(append);
    expect(store.appends).toHaveLength(sent);
    for (const again of store.appends) expect(again.equals(store.appends[0] ?? Buffer.alloc(0))).toBe(true);
    store.endings = [ending];
    expect(await read(eventStore)).toBeInstanceOf(ofRead);
    store.endings = [ending];
    const ended = await followed(eventStore);
    expect(ended).toBeInstanceOf(EventStoreUnavailable);
    expect(toRefusal(ended).code).toBe('event_store_unavailable');
    expect(isOutage(ended)).toBe(true);
  };

  it.each(Object.keys(BY_EXCEPTION))('%s', async (name) => {
    const expected = EXCEPTIONS[name];
    if (expected === undefined) throw new Error(`say here what becomes of ${name}`);
    await holds(expected);
  });

  it.each([...BY_STATUS.keys()].map((code) => [status[code], code] as const))('%s', async (name, code) => {
    const expected = STATUSES.get(code);
    if (expected === undefined) throw new Error(`say here what becomes of ${name}`);
    await holds({ ...expected, ending: { code } });
  });

  it.each(UNFORESEEN)('%s: as bad as it can be, and told in the log', async (_name, ending) => {
    // One adapter says a cause once in 30 s.
    lines.length = 0;
    const eventStore = connected();
    onTestFinished(() => eventStore.close());
    store.endings = [ending];
    expect(await appended(eventStore)).toBeInstanceOf(AppendOutcomeUnknown);
    expect(store.appends).toHaveLength(4);
    expect(lines[0]?.isForeseen).toBe(false);
    // Each cause once, however often it was tried.
    expect(new Set(lines.map(({ cause }) => cause)).size).toBe(lines.length);
    if (typeof ending === 'string' || 'bytes' in ending) return;
    store.endings = [ending];
    expect(await read(eventStore)).toBeInstanceOf(EventStoreUnavailable);
    expect(lines.at(-1)).toMatchObject({ isForeseen: false, cause: `event store: it has failed (${ending.code})` });
  });

  it('an answer to a read that is no protobuf', async () => {
    store.endings = [{ bytes: Buffer.from([0x0a, 0xff]) }];
    expect(await read(eventStore)).toBeInstanceOf(EventStoreUnavailable);
  });

  it('silence', async () => {
    const impatient = createEventStore({ url: store.url, logger: pino({ level: 'silent' }), appendTimeoutMs: 100 });
    store.endings = ['silence'];
    expect(await appended(impatient)).toBeInstanceOf(AppendOutcomeUnknown);
    expect(store.appends).toHaveLength(4);
    expect(await failureOf(impatient.ping())).toBeInstanceOf(EventStoreUnavailable);
    await impatient.close();
  });

  it('first nothing, then that it refuses: the first may have been stored', async () => {
    store.endings = [{ code: status.UNAVAILABLE }, { code: status.UNAUTHENTICATED }];
    expect(await appended(eventStore)).toBeInstanceOf(AppendOutcomeUnknown);
    expect(store.appends).toHaveLength(2);
  });

  it('first nothing, then that somebody else was first: then the first was not stored', async () => {
    store.endings = [{ code: status.ABORTED }, EXCEPTIONS['wrong-expected-version']?.ending ?? 'silence'];
    expect(await appended(eventStore)).toMatchObject({ name: 'WrongExpectedRevision', actual: 7 });
  });

  it('first nothing, then where it is: it is stored, though it cannot be read', async () => {
    const success = new streams.AppendResp.Success().setCurrentRevision('1').setNoPosition(new shared.Empty());
    const bytes = Buffer.from(new streams.AppendResp().setSuccess(success).serializeBinary());
    store.endings = [{ code: status.ABORTED }, { bytes }, { code: status.UNAVAILABLE }];
    expect(await appended(eventStore)).toBeInstanceOf(AppendOutcomeUnknown);
  });

  it('a follower that names its leader: the call is made there', async () => {
    const leader = await startFailingStore();
    leader.endings = [exception('wrong-expected-version', { 'actual-version': '3' })];
    const named = { 'leader-endpoint-host': '127.0.0.1', 'leader-endpoint-port': String(leader.port) };
    store.endings = [exception('not-leader', named)];
    expect(await appended(eventStore)).toMatchObject({ name: 'WrongExpectedRevision', actual: 3 });
    leader.close();
  });
});

describe('a way to the server that ends', () => {
  const servers: { close(): void }[] = [];
  afterAll(() => servers.forEach((server) => server.close()));
  const listen = async (greet: (socket: Socket) => void): Promise<number> => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      greet(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push({ close: () => void server.close(sockets.forEach((socket) => socket.destroy()) as undefined) });
    return (server.address() as AddressInfo).port;
  };
  const cut = async (): Promise<string> => {
    const store = await startFailingStore();
    servers.push(store);
    store.endings = ['cut'];
    return store.url;
  };
  const plain = (port: number): string => `esdb://127.0.0.1:${port}?tls=false`;

  it.each<[string, () => Promise<string>]>([
    ['nobody listens', async () => plain(await findFreePort())],
    ['no such name', () => Promise.resolve('esdb://nobody.invalid:2113?tls=false')],
    ['cut off at once', async () => plain(await listen((socket) => socket.destroy()))],
    ['cut off in the middle of a call', cut],
    ['taken and never answered', async () => plain(await listen(() => undefined))],
    ['a server of HTTP/1', async () => plain(await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))],
    ['TLS where there is none', async () => `esdb://127.0.0.1:${await listen((socket) => socket.end('no'))}`],
    ['a cluster of which nobody listens', async () => `esdb://127.0.0.1:${await findFreePort()},127.0.0.1:1?tls=false`],
    ['a cluster that speaks no gossip', async () => (await cut()).replace('esdb:', 'esdb+discover:')],
    ['a cluster that is silent', async () => `esdb+discover://127.0.0.1:${await listen(() => undefined)}?tls=false`],
  ])('%s: an append and a read are 503', { timeout: 60_000 }, async (_name, urlOf) => {
    const eventStore = createEventStore({
      url: await urlOf(),
      logger: pino({ level: 'silent' }),
      appendTimeoutMs: 300,
    });
    const failures = await Promise.all([appended(eventStore), read(eventStore), followed(eventStore)]);
    await eventStore.close();
    expect(failures.map((error) => toRefusal(error).code)).toEqual(failures.map(() => 'event_store_unavailable'));
    expect(failures.every(isOutage)).toBe(true);
  });
});
