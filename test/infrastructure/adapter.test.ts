import { randomUUID } from 'node:crypto';
import { binaryEvent, jsonEvent } from '@eventstore/db-client';
import { pino } from 'pino';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import type { EventMetadata } from '../../src/core/events.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import {
  AppendOutcomeUnknown,
  AppendTooLarge,
  EventStoreUnavailable,
  StreamTombstoned,
  WrongExpectedRevision,
  type AllFilter,
  type AllMessage,
  type EventLog,
  type NewEvent,
} from '../../src/infrastructure/event-store/port.js';
import { describeEachStore, newStream } from '../contract/stores.js';
import { startEventStoreDoor, type EventStoreDoor } from '../support/event-store-door.js';
import { findFreePort } from '../../src/embedded/ports.js';

const logger = pino({ level: 'silent' });

const metadata: EventMetadata = {
  schemaVersion: 1,
  organizationId: 'org_1',
  actor: { type: 'user', id: 'usr_1' },
  correlationId: 'cor',
  causationId: null,
  recordedAt: 1_700_000_000_000,
  hash: 'ab',
};

const fact = (n: number, more: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'FactKept',
  data: { n },
  metadata,
  ...more,
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describeEachStore('the adapter', ({ client, url }) => {
  const eventStore = createEventStore({ url, logger });
  afterAll(() => eventStore.close());

  it('closes though a read was left before its end, which had come already', async () => {
    const own = createEventStore({ url, logger });
    const stream = newStream();
    await own.append(stream, 'no_stream', [fact(1), fact(2), fact(3)]);
    for await (const event of own.readStream(stream)) {
      // Everything has arrived by now, and nobody takes it.
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (event.revision === 0) break;
    }
    await own.close();
  });

  it('answers a ping', async () => {
    await expect(eventStore.ping()).resolves.toBeUndefined();
  });

  it('appends events and reads them back whole', async () => {
    const stream = newStream();
    const event = fact(1, { data: { text: 'Größe "M" 😀', list: [1.5, null] } });
    const { revision, position } = await eventStore.append(stream, 'no_stream', [event]);
    expect(revision).toBe(0);
    expect(await collect(eventStore.readStream(stream))).toEqual([{ ...event, stream, revision: 0, position }]);
  });

  it('reads a part of a stream', async () => {
    const stream = newStream();
    await eventStore.append(stream, 'no_stream', [fact(0), fact(1), fact(2), fact(3)]);
    const part = await collect(eventStore.readStream(stream, { fromRevision: 1, limit: 2 }));
    expect(part.map(({ revision }) => revision)).toEqual([1, 2]);
  });

  it('reads nothing from a stream that does not exist', async () => {
    expect(await collect(eventStore.readStream(newStream()))).toEqual([]);
  });

  it('gives the stored bytes', async () => {
    const stream = newStream();
    const event = fact(1, { data: { n: 1, text: 'ß' } });
    await eventStore.append(stream, 'no_stream', [event]);
    const [raw] = await collect(eventStore.readStreamRaw(stream));
    expect(Buffer.from(raw?.data ?? []).toString('utf8')).toBe('{"n":1,"text":"ß"}');
    expect(Buffer.from(raw?.metadata ?? []).toString('utf8')).toBe(JSON.stringify(metadata));
    expect(raw).toMatchObject({ id: event.id, stream, revision: 0, type: 'FactKept', contentType: 'application/json' });
  });

  it('says where a stream stands when somebody else was first', async () => {
    const stream = newStream();
    const lost: unknown = await eventStore.append(stream, 3, [fact(0)]).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(WrongExpectedRevision);
    expect(lost).toMatchObject({ stream, expected: 3, actual: null });
    await eventStore.append(stream, 'no_stream', [fact(0), fact(1)]);
    await expect(eventStore.append(stream, 'no_stream', [fact(2)])).rejects.toMatchObject({ actual: 1 });
  });

  it('stores an append that is repeated with the same ids once, and tells the same place', async () => {
    const stream = newStream();
    const events = [fact(0), fact(1)];
    const first = await eventStore.append(stream, 'no_stream', events);
    expect(await eventStore.append(stream, 'no_stream', events)).toEqual(first);
    expect(await collect(eventStore.readStream(stream))).toHaveLength(2);
  });

  it('refuses an append of more than 1 MiB before anything is sent', async () => {
    const stream = newStream();
    const large = fact(0, { data: { text: 'x'.repeat(1_100_000) } });
    await expect(eventStore.append(stream, 'no_stream', [large])).rejects.toBeInstanceOf(AppendTooLarge);
    expect(await collect(eventStore.readStream(stream))).toEqual([]);
  });

  it('names a tombstoned stream', async () => {
    const stream = newStream();
    await eventStore.append(stream, 'no_stream', [fact(0)]);
    await client.tombstoneStream(stream);
    await expect(collect(eventStore.readStream(stream))).rejects.toBeInstanceOf(StreamTombstoned);
  });

  it('reads the whole log after a position, without system events and without what others keep there', async () => {
    const stream = newStream();
    const { position } = await eventStore.append(stream, 'no_stream', [fact(0)]);
    await client.setStreamMetadata(stream, { colour: 'red' });
    await client.appendToStream(newStream(), [
      binaryEvent({ type: 'Foreign', data: new Uint8Array(3) }),
      jsonEvent({ type: 'Foreign', data: {} }),
    ]);
    const last = await eventStore.append(stream, 0, [fact(1), fact(2)]);
    const events = await collect(eventStore.readAll({ after: position }));
    const mine = events.filter((event) => event.stream === stream);
    expect(mine.map(({ data }) => (data as { n: number }).n)).toEqual([1, 2]);
    expect(mine.at(-1)?.position).toBe(last.position);
    expect(events.filter(({ type }) => type.startsWith('$') || type === 'Foreign')).toEqual([]);
    expect(await collect(eventStore.readAll({ after: position, limit: 1 }))).toHaveLength(1);
  });

  const follow = async (
    options: { after: bigint | null; filter?: AllFilter },
    until: (message: AllMessage, all: AllMessage[]) => boolean,
  ): Promise<AllMessage[]> => {
    const stopping = new AbortController();
    const all: AllMessage[] = [];
    for await (const message of eventStore.subscribeToAll({ ...options, signal: stopping.signal })) {
      all.push(message);
      if (until(message, all)) stopping.abort();
    }
    return all;
  };

  it('subscribes after a position, says that it has caught up, and ends quietly when it is told to', async () => {
    const stream = newStream();
    const { position } = await eventStore.append(stream, 'no_stream', [fact(0)]);
    await eventStore.append(stream, 0, [fact(1)]);
    const messages = await follow(
      { after: position, filter: { streamPrefixes: [stream] } },
      ({ kind }) => kind === 'caught_up',
    );
    const events = messages.flatMap((message) => (message.kind === 'event' ? [message.event] : []));
    expect(events.map(({ revision }) => revision)).toEqual([1]);
  });

  it('subscribes to event types by their prefix, live', async () => {
    const stream = newStream();
    const kind = `Kind${stream.slice(-12)}`;
    const { position } = await eventStore.append(stream, 'no_stream', [fact(0)]);
    const following = follow(
      { after: position, filter: { eventTypePrefixes: [kind] } },
      ({ kind: is }) => is === 'event',
    );
    await eventStore.append(stream, 0, [fact(1), fact(2, { type: `${kind}Made` })]);
    const messages = await following;
    const [event] = messages.flatMap((message) => (message.kind === 'event' ? [message.event] : []));
    expect(event?.type).toBe(`${kind}Made`);
  });

  it('ends at once when it is told to before it begins', async () => {
    const messages = eventStore.subscribeToAll({ after: null, signal: AbortSignal.abort() });
    expect(await collect(messages)).toEqual([]);
  });
});

describe('the adapter before a server whose commits take longer than it waits for them', () => {
  const stands = async (timeouts: number): Promise<{ door: EventStoreDoor; eventStore: EventLog }> => {
    const door = await startEventStoreDoor({ server: inject('eventStoreUrl'), version: '23.10' });
    door.timeOutCommits(timeouts);
    const eventStore = createEventStore({ url: door.url, logger });
    onTestFinished(async () => {
      await eventStore.close();
      await door.close();
    });
    return { door, eventStore };
  };

  it('sends the same events again, and tells where they were stored the first time', async () => {
    const { door, eventStore } = await stands(2);
    const stream = newStream();
    const events = [fact(0), fact(1)];
    const { revision, position } = await eventStore.append(stream, 'no_stream', events);
    expect(door.appends()).toEqual(Array(3).fill(events.map(({ id }) => id)));
    const stored = await collect(eventStore.readStream(stream));
    expect(stored.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    expect({ revision, position }).toEqual({ revision: 1, position: stored[1]?.position });
  });

  it('says that the outcome is unknown when no try is answered, and the caller who sends it again is answered', async () => {
    const { eventStore } = await stands(4);
    const stream = newStream();
    const events = [fact(0)];
    const unknown: unknown = await eventStore.append(stream, 'no_stream', events).catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(AppendOutcomeUnknown);
    expect(String((unknown as AppendOutcomeUnknown).cause)).toContain('Commit phase timeout');
    expect(await eventStore.append(stream, 'no_stream', events)).toMatchObject({ revision: 0 });
    expect(await collect(eventStore.readStream(stream))).toHaveLength(1);
  });
});

describe('the adapter without a server', () => {
  it('says that the outcome of an append is unknown, and that a read was not answered', async () => {
    const url = `esdb://127.0.0.1:${await findFreePort()}?tls=false`;
    const eventStore = createEventStore({ url, logger, appendTimeoutMs: 200 });
    await expect(eventStore.append(newStream(), 'no_stream', [fact(0)])).rejects.toBeInstanceOf(AppendOutcomeUnknown);
    await expect(collect(eventStore.readStream(newStream()))).rejects.toBeInstanceOf(EventStoreUnavailable);
    await expect(eventStore.ping()).rejects.toBeInstanceOf(EventStoreUnavailable);
    await eventStore.close();
  });

  it('finds credentials in the address, and takes the usual ones without', () => {
    for (const url of ['esdb://user:p%40ss@one:2113,two:2113?tls=false', 'esdb+discover://one:2113']) {
      expect(() => createEventStore({ url, logger })).not.toThrow();
    }
  });
});
