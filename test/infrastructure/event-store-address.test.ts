import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { toRefusal } from '../../src/http/problem.js';
import { readConfig } from '../../src/infrastructure/config.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import { EventStoreUnavailable } from '../../src/infrastructure/event-store/port.js';
import { parseEventStoreAddress } from '../../src/infrastructure/event-store/address.js';

const PASSWORD = 'h%3A%40rd/%25';
const hosts = (...places: readonly (readonly [string, number])[]) => places.map(([name, port]) => ({ name, port }));

describe('the address of the event store', () => {
  it.each([
    ['one host', 'esdb://db?tls=false', hosts(['db', 2113]), 'esdb://db?tls=false'],
    ['with a slash', 'esdb://db:2114/?tls=false', hosts(['db', 2114]), 'esdb://db:2114?tls=false'],
    ['a cluster', 'esdb://a:2113,b:2114,c?tls=false', hosts(['a', 2113], ['b', 2114], ['c', 2113]), null],
    ['a name of a cluster', 'esdb+discover://cluster.example', hosts(['cluster.example', 2113]), null],
    ['KurrentDB', 'kurrentdb://a,b', hosts(['a', 2113], ['b', 2113]), null],
    ['KurrentDB by name', 'kurrentdb+discover://cluster:2111', hosts(['cluster', 2111]), null],
    ['with a password', `esdb://ops:${PASSWORD}@a,b?tlsCaFile=%2Fca.crt`, hosts(['a', 2113], ['b', 2113]), null],
    ['in capitals', 'ESDB://127.0.0.1:1?TLS=false', hosts(['127.0.0.1', 1]), null],
  ])('%s is read as the client package reads it', (_name, text, expected, shown) => {
    const address = parseEventStoreAddress(text);
    expect(address.hosts).toEqual(expected);
    const read = parseConnectionString(address.connectionString);
    expect(read.hosts).toEqual(expected.map(({ name, port }) => ({ address: name, port })));
    expect(read.dnsDiscover).toBe(address.discovers);
    expect(read.tls !== false).toBe(address.isSecure);
    expect(read.defaultCredentials ?? null).toEqual(address.credentials);
    if (shown !== null) expect(address.shown).toBe(shown);
  });

  it('is shown without its password', () => {
    const { shown, credentials } = parseEventStoreAddress(`esdb://ops:${PASSWORD}@a,b?tls=true`);
    expect(credentials).toEqual({ username: 'ops', password: 'h:@rd/%' });
    expect(shown).toBe('esdb://ops:***@a,b?tls=true');
  });

  it('takes a password with an @ that is not escaped, as people paste it', () => {
    expect(parseEventStoreAddress('esdb://ops:p@ss@db').credentials).toEqual({ username: 'ops', password: 'p@ss' });
  });

  it.each([
    ['no scheme', 'db:2113', 'must look like'],
    ['another scheme', 'http://ops:hunter2@db', 'must look like'],
    ['another way of discovery', 'esdb+dns://ops:hunter2@db', 'must look like'],
    ['no host', 'esdb://ops:hunter2@', 'names no host'],
    ['an empty host', 'esdb://ops:hunter2@a,,b', 'names no host'],
    ['a host of another form', 'esdb://ops:hunter2@[::1]:2113', 'not name:port'],
    ['a port that is none', 'esdb://ops:hunter2@db:http', 'not name:port'],
    ['a user alone', 'esdb://hunter2@db', 'user and password'],
    ['a % on its own', 'esdb://ops:hunter2%@db', '%25'],
    ['two names to discover', 'esdb+discover://ops:hunter2@a,b', 'one host'],
    ['an unknown option', 'esdb://ops:hunter2@db?colour=blue', 'an option that there is not'],
    ['a check that cannot be left out', 'esdb://ops:hunter2@db?tlsVerifyCert=false', 'tlsCaFile'],
    ['reads from a follower', 'esdb://ops:hunter2@a,b?nodePreference=follower', 'not leader'],
    ['an option with a % on its own', 'esdb://ops:hunter2@db?tlsCaFile=%', '%25'],
    ['a value of another kind', 'esdb://ops:hunter2@db?tls=maybe', 'a value of tls'],
  ])('with %s is refused at the start, in one line that gives nothing away', (_name, text, reason) => {
    const key = Buffer.alloc(32).toString('base64url');
    const start = () =>
      readConfig({
        ...{ DATABASE_URL: 'postgres://x', EVENTSTORE_URL: text, ADMIN_TOKEN: key },
        ...{ TOKEN_SIGNING_KEY: key, LINK_KEY: key, ENCRYPTION_KEY: key, TEMPORAL_PAYLOAD_KEY: key },
      });
    expect(start).toThrow(/^configuration: EVENTSTORE_URL [^\n]*$/);
    expect(start).toThrow(reason);
    expect(start).not.toThrow('hunter2');
  });
});

it('of a cluster that nobody leads ends every call as unavailable, which a caller hears as 503', async () => {
  const eventStore = createEventStore({
    url: 'esdb://127.0.0.1:1,127.0.0.1:2?tls=false&maxDiscoverAttempts=2',
    logger: pino({ level: 'silent' }),
  });
  try {
    await expect(eventStore.ping()).rejects.toThrow(EventStoreUnavailable);
    const reading = eventStore.readStream('batch-1')[Symbol.asyncIterator]();
    const failure: unknown = await reading.next().catch((error: unknown) => error);
    expect(toRefusal(failure).code).toBe('event_store_unavailable');
  } finally {
    await eventStore.close();
  }
});
