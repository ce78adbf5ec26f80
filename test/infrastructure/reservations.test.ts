import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type Database } from '../../src/infrastructure/postgres/database.js';
import { migrate } from '../../src/infrastructure/postgres/migrate.js';
import { releaseAll, reserveAll } from '../../src/infrastructure/reservations.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await createDatabase();
  database = connectDatabase({ url: server.url, size: 8, logger: pino({ level: 'silent' }), name: 'test' });
  await migrate(database, 'service', new URL('../../src/infrastructure/postgres/migrations/', import.meta.url));
});
afterAll(async () => {
  await database.end();
  await server.drop();
});

const claim = async (value: string, ownerId: string, holds = true, organizationId = 'org_1') => {
  const keys = [{ kind: 'sku', value }];
  const { taken } = await reserveAll(database, { organizationId, ownerId, keys, holds: async () => holds });
  return taken.length > 0 ? 'taken' : 'reserved';
};
const age = (value: string) =>
  database.query("update service.reservations set reserved_at = now() - interval '31 seconds' where value = $1", [
    value,
  ]);

test('one of many who ask at the same moment gets the value', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => claim('race', `prd_${index}`)));
  expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(1);
});

test('its owner may ask again, other organizations have their own', async () => {
  expect(await claim('again', 'prd_1')).toBe('reserved');
  expect(await claim('again', 'prd_1')).toBe('reserved');
  expect(await claim('again', 'prd_2')).toBe('taken');
  expect(await claim('again', 'prd_2', true, 'org_2')).toBe('reserved');
});

test('a released value is free, and only its owner can release it', async () => {
  const place = { organizationId: 'org_1', keys: [{ kind: 'sku', value: 'freed' }] };
  await claim('freed', 'prd_1');
  await releaseAll(database, { ...place, ownerId: 'prd_2' });
  expect(await claim('freed', 'prd_2')).toBe('taken');
  await releaseAll(database, { ...place, ownerId: 'prd_1' });
  expect(await claim('freed', 'prd_2')).toBe('reserved');
});

test('what a crash left behind is taken over after 30 s, unless its owner has the value', async () => {
  await claim('left', 'prd_dead');
  expect(await claim('left', 'prd_2', false)).toBe('taken');
  await age('left');
  expect(await claim('left', 'prd_2', true)).toBe('taken');
  const answers = await Promise.all([2, 3, 4, 5].map((index) => claim('left', `prd_${index}`, false)));
  expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(1);
});

test('several values at once say which are taken', async () => {
  await claim('x', 'prd_1');
  const keys = [
    { kind: 'sku', value: 'x' },
    { kind: 'sku', value: 'y' },
  ];
  const { reserved, taken } = await reserveAll(database, {
    organizationId: 'org_1',
    ownerId: 'prd_9',
    keys,
    holds: async () => true,
  });
  expect([reserved, taken]).toEqual([[keys[1]], [keys[0]]]);
});

test('of two calls for one record at the same moment one has reserved the value, and the other finds it there', async () => {
  const both = await Promise.all(
    [1, 2, 3, 4].map(() =>
      reserveAll(database, {
        ...{ organizationId: 'org_1', ownerId: 'prd_twice', keys: [{ kind: 'sku', value: 'twice' }] },
        holds: async () => true,
      }),
    ),
  );
  expect(both.map(({ reserved }) => reserved.length).toSorted()).toEqual([0, 0, 0, 1]);
  expect(both.flatMap(({ taken }) => taken)).toEqual([]);
});

test('a value that the database does not take is the fault of nobody else who reserves at the moment', async () => {
  const values = ['one', 'two', 'bad \0', 'three', 'four', 'five'];
  const answers = await Promise.allSettled(values.map((value, index) => claim(value, `prd_${index}`)));
  expect(answers.map(({ status }) => status)).toEqual(
    values.map((v) => (v.startsWith('bad') ? 'rejected' : 'fulfilled')),
  );
});
