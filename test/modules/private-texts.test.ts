import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { rebuild } from '../../projections/rebuild.js';
import type { DomainEvent } from '../../src/core/events.js';
import { deterministicUuid } from '../../src/core/ids.js';
import { execute } from '../../src/infrastructure/command-handler.js';
import { createEventStore } from '../../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog, EventStore, RawEvent } from '../../src/infrastructure/event-store/port.js';
import { connectDatabase, type Database } from '../../src/infrastructure/postgres/database.js';
import { verifyAll, verifyStream } from '../../src/infrastructure/event-store/verify.js';
import { withPrivateTexts } from '../../src/infrastructure/event-store/private-event-store.js';
import { createPrivateTexts, eraseTextKeys } from '../../src/infrastructure/private-texts/private-texts.js';
import { PRIVATE_FIELDS } from '../../src/private-fields.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startService, type Brand, type SignedUp, type TestService } from '../support/service.js';
import { contextOf } from './webhooks/recording.js';

const logger = pino({ level: 'silent' });

/** The run's log, which nobody projects: the events here hold little more than their texts. */
let log: EventLog;
let keys: TestDatabase;
let database: Database;
let writing: EventStore;

beforeAll(async () => {
  log = createEventStore({ url: inject('eventStoreUrl'), logger });
  keys = await createDatabase({ migrated: true });
  database = connectDatabase({ url: keys.url, size: 4, logger, name: 'test-texts' });
  writing = aProcess();
});
afterAll(async () => {
  await Promise.all([log.close(), database.end()]);
  await keys.drop();
});

const encryptionKey = randomBytes(32);
/** The log as a process has it that knows no key yet. */
const aProcess = () => withPrivateTexts(log, PRIVATE_FIELDS, createPrivateTexts({ database, encryptionKey }));

async function textOf(events: AsyncIterable<RawEvent>): Promise<string> {
  let text = '';
  for await (const { data, metadata } of events) {
    text += Buffer.from(data).toString('utf8') + Buffer.from(metadata).toString('utf8');
  }
  return text;
}

async function dataOf(store: EventStore, stream: string): Promise<Record<string, unknown>[]> {
  const data: Record<string, unknown>[] = [];
  for await (const event of store.readStream(stream)) data.push(event.data as Record<string, unknown>);
  return data;
}

const at = (data: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], data);

const withAt = (data: object, path: string, text: string): object => {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...data, [name]: text };
  return { ...data, [name]: withAt((data as Record<string, object>)[name] ?? {}, rest.join('.'), text) };
};

const append = (stream: string, event: DomainEvent, context: ReturnType<typeof contextOf>) =>
  execute(writing, context, {
    stream,
    decider: { initialState: null, evolve: () => null, decide: (events: readonly DomainEvent[]) => events },
    command: [event],
  });

const everyField = Object.entries(PRIVATE_FIELDS).flatMap(([type, paths]) =>
  Object.keys(paths ?? {}).map((path) => [type, path] as const),
);

describe('every private text', () => {
  it.each(everyField)(
    'of %s, %s, is sealed in the log, read as it was, and gone with any of its keys',
    async (type, path) => {
      const [organizationId, supplierId, factoryId] = ['org', 'sup', 'fac'].map((kind) => `${kind}_${randomUUID()}`);
      const text = `Call Mrs Yılmaz ${randomUUID()}`;
      const ids = { organizationId, supplierId, factoryId, requests: [{ supplierId }], reminded: [] };
      const data = withAt(ids, path, text);
      // One that is erased takes the text with it, whichever it is.
      const holders = [...new Set(PRIVATE_FIELDS[type]?.[path]?.(data as never, organizationId ?? '') ?? [])];
      expect(holders.length).toBeGreaterThan(0);
      for (const holder of holders) {
        const stream = `test-${randomUUID()}`;
        await append(stream, { type, data }, contextOf(organizationId ?? ''));
        expect(await textOf(log.readStreamRaw(stream))).not.toContain('Yılmaz');
        expect(await textOf(log.readStreamRaw(stream))).toContain('sealed:1:');
        expect(at((await dataOf(aProcess(), stream))[0], path)).toBe(text);
        await eraseTextKeys(database, [String(holder)]);
        expect(at((await dataOf(aProcess(), stream))[0], path)).toBe('[erased]');
        expect(await verifyStream(log, stream)).toMatchObject({ events: 1, problems: [] });
      }
    },
  );

  it('gets a new key after an erasure, and what was erased stays so', async () => {
    const organizationId = `org_${randomUUID()}`;
    const stream = `test-${randomUUID()}`;
    const told = (url: string) => ({ type: 'WebhookCreated', data: { url } });
    await append(stream, told('https://a.example/token'), contextOf(organizationId));
    await eraseTextKeys(database, [organizationId]);
    const later = `test-${randomUUID()}`;
    await append(later, told('https://b.example/token'), contextOf(organizationId));
    expect(await dataOf(aProcess(), later)).toEqual([{ url: 'https://b.example/token' }]);
    expect(await dataOf(aProcess(), stream)).toEqual([{ url: '[erased]' }]);
  });

  it('is sealed to the same bytes by another process, so that a call that is sent again appends nothing new', async () => {
    const place = { stream: 'webhook-1', revision: 4, organizationId: `org_${randomUUID()}` };
    const event = { type: 'WebhookChanged', data: { webhookId: 'whk_1', changes: { url: 'https://a.example/x' } } };
    const both = await Promise.all([aProcess().sealed(place, event), aProcess().sealed(place, event)]);
    expect(both[0]).toEqual(both[1]);
    expect(JSON.stringify(both[0])).toContain('sealed:1:');
    const seed = randomUUID();
    const stream = `test-${randomUUID()}`;
    for (const _try of [1, 2]) {
      const context = contextOf(place.organizationId, 1_000, seed);
      await execute(aProcess(), context, {
        ...{ stream, command: [event], isNew: true },
        decider: { initialState: null, evolve: () => null, decide: (events: readonly DomainEvent[]) => events },
      });
    }
    expect(await dataOf(aProcess(), stream)).toHaveLength(1);
  });

  it('leaves no hash of itself in the id of its event, on which a guess could be tried', async () => {
    const stream = `test-${randomUUID()}`;
    const data = { url: 'https://a.example' };
    const context = contextOf(`org_${randomUUID()}`, 1_000);
    await append(stream, { type: 'WebhookCreated', data }, context);
    const guess = deterministicUuid(context.seed, `${stream}/0/WebhookCreated/1000/${JSON.stringify(data)}`);
    for await (const { id } of log.readStreamRaw(stream)) expect(id).not.toBe(guess);
  });

  it('cannot be written where nobody could erase it', async () => {
    const stray = contextOf('org_1');
    const event = { type: 'WebhookCreated', data: { url: 'https://a.example' } };
    await expect(append(`test-${randomUUID()}`, event, { ...stray, organizationId: null })).rejects.toThrow(
      'hangs on nobody',
    );
  });
});

describe('a factory that erases its account', () => {
  const NOTE = 'Ask for Quintessa';
  const SECRET = 'hook-token-4711';
  let service: TestService;
  let serviceLog: EventLog;
  let brand: Brand;
  let mill: SignedUp;

  const readModels = async (): Promise<string> => {
    const texts = ['suppliers', 'webhooks', 'proposals', 'products', 'deliveries', 'delivery_attempts'].map(
      async (table) => {
        const { rows } = await service.database.query(`select * from read.${table}`);
        return JSON.stringify(rows);
      },
    );
    return (await Promise.all(texts)).join('\n');
  };
  const brandsOf = async () =>
    (await service.call({ url: '/supplier/brands', headers: { authorization: `Bearer ${mill.token}` } })).json.data as {
      notes: string;
    }[];
  const webhookUrls = async () =>
    ((await brand.call({ url: '/brand/webhooks' })).json.data as { url: string }[]).map(({ url }) => url);

  beforeAll(async () => {
    service = await startService();
    serviceLog = createEventStore({ url: service.config.EVENTSTORE_URL, logger });
    brand = await service.asBrand();
    mill = await service.signUpProven();
    const payload = { factoryName: 'Mill', contactEmail: mill.email, country: 'PT', tier: 1, notes: NOTE };
    expect((await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload })).status).toBe(201);
    const webhook = { url: `https://hooks.example.com/${SECRET}`, events: ['batch.created'] };
    expect((await brand.call({ method: 'POST', url: '/brand/webhooks', payload: webhook })).status).toBe(201);
    const facility = { name: 'Quintessa & sons', address: 'Rua 1' };
    const headers = { authorization: `Bearer ${mill.token}` };
    expect(
      (await service.call({ method: 'POST', url: '/supplier/facilities', headers, payload: facility })).status,
    ).toBe(201);
  });

  afterAll(async () => {
    await serviceLog.close();
    await service.close();
  });

  it('is shown what was written to it, while log and read models hold nothing that can be read', async () => {
    expect((await brandsOf()).map(({ notes }) => notes)).toEqual([NOTE]);
    expect(await webhookUrls()).toEqual([`https://hooks.example.com/${SECRET}`]);
    for (const text of [await textOf(serviceLog.readAllRaw({ after: null })), await readModels()]) {
      expect(text).toContain('sealed:1:');
      expect(text).not.toContain('Quintessa');
      expect(text).not.toContain(SECRET);
    }
  });

  it('takes along what was written to it and by it; the rest and the chain stay whole, also in a rebuild', async () => {
    const { rows } = await service.database.query<{ id: string }>(
      'select id from service.factories where contact_email = $1',
      [mill.email],
    );
    const headers = { authorization: `Bearer ${mill.token}` };
    const before = (await brand.call({ url: '/brand/suppliers' })).json.data as { id: string }[];
    const erased = await service.call({
      method: 'DELETE',
      url: '/account',
      headers,
      payload: { password: mill.password },
    });
    expect(erased.status).toBe(200);
    // A process goes on with a key for two seconds.
    await expect
      .poll(async () => (await dataOf(service.eventStore, `supplier-${before[0]?.id}`))[0], { timeout: 5_000 })
      .toMatchObject({ notes: '[erased]', factoryName: 'Mill' });
    expect((await dataOf(service.eventStore, `factory-${rows[0]?.id}`))[0]).toMatchObject({ name: '[erased]' });
    expect(await webhookUrls()).toEqual([`https://hooks.example.com/${SECRET}`]);
    await rebuild({ database: service.database, eventStore: serviceLog, logger });
    const { rows: suppliers } = await service.database.query<{ notes: string }>(
      'select notes from read.suppliers where id = $1',
      [before[0]?.id],
    );
    expect(await service.eventStore.texts.openIn(suppliers, ['notes'])).toEqual([{ notes: '[erased]' }]);
    expect(await verifyAll(serviceLog)).toMatchObject({ problems: [] });
  });
});
