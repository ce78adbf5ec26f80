import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type RunningPostgres } from '../../src/embedded/postgres/start-postgres.js';
import { isAlive } from '../../src/embedded/processes.js';
import { startProgram, waitFor } from '../support/program.js';

const logger = pino({ level: 'silent' });

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};

describe('the embedded Postgres', () => {
  let dataDir: string;
  let running: RunningPostgres | undefined;
  const start = async (): Promise<RunningPostgres> => {
    running = await startPostgres({ dataDir: join(dataDir, 'postgres'), databases: ['passport'], logger });
    return running;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'passport-pg-'));
    await chmod(dataDir, 0o711);
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  it('asks for its password, keeps it readable by its owner only, and opens no socket file', async () => {
    const { url, urlFor } = await start();
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
    expect((await stat(join(dataDir, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
    expect(await query(urlFor('passport'), 'SHOW unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
  });

  it('keeps its rows over a stop and a start', async () => {
    const first = await start();
    await query(first.urlFor('passport'), 'CREATE TABLE over_stop AS SELECT 7 AS n');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(await query(second.urlFor('passport'), 'SELECT n FROM over_stop')).toEqual([{ n: 7 }]);
  });

  it('stops the server that a killed process left behind, and starts on its data', async () => {
    const holder = startProgram({
      file: 'test/embedded/fixtures/hold-postgres.ts',
      env: {},
      args: [join(dataDir, 'postgres')],
    });
    await waitFor(holder, () => holder.output().includes('holding'));
    const orphan = Number(
      (await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
    );
    await holder.kill('SIGKILL');
    expect(isAlive(orphan)).toBe(true);
    const { urlFor } = await start();
    expect(isAlive(orphan)).toBe(false);
    expect(await query(urlFor('passport'), 'SELECT n FROM left_behind')).toEqual([{ n: 1 }]);
  });

  it('starts again at once after its postmaster was killed with -9', async () => {
    const first = await start();
    await query(first.urlFor('passport'), 'CREATE TABLE over_kill AS SELECT 7 AS n');
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const second = await start();
    expect(await query(second.urlFor('passport'), 'SELECT n FROM over_kill')).toEqual([{ n: 7 }]);
  });

  it('runs below a folder that is closed to everybody else', async () => {
    await chmod(dataDir, 0o700);
    const { urlFor } = await start();
    expect(await query(urlFor('passport'), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });
});
