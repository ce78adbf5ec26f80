import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { connectDatabase } from '../../src/infrastructure/postgres/database.js';
import { migrate } from '../../src/infrastructure/postgres/migrate.js';
import { createDatabase } from '../support/database.js';

it('takes as long as it needs, and so does who waits for it; the limit of every other statement stays', async () => {
  const made = await createDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'passport-migrations-'));
  const logger = pino({ level: 'silent' });
  const connect = () => connectDatabase({ url: made.url, size: 1, logger, name: 'test', statementTimeoutMs: 300 });
  const [one, two] = [connect(), connect()];
  try {
    await writeFile(join(folder, '001_long.sql'), 'create table :schema.kept (id integer); select pg_sleep(1);');
    const applied = await Promise.all(
      [one, two].map((database) => migrate(database, 'service', pathToFileURL(`${folder}/`))),
    );
    expect(applied.flat()).toEqual(['001_long.sql']);
    await expect(one.query('select pg_sleep(1)')).rejects.toThrow('statement timeout');
  } finally {
    await Promise.all([one.end(), two.end()]);
    await made.drop();
    await rm(folder, { recursive: true });
  }
});
