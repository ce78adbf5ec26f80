import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../../src/embedded/ports.js';
import { isAlive } from '../../src/embedded/processes.js';
import { startProgram, waitFor, type RunningProgram } from '../support/program.js';

const TOOLS_DIR = join(import.meta.dirname, '..', '..', '.data', 'tools');

/** Everything that the supervisor started, by the process tree. */
const descendantsOf = async (root: number): Promise<number[]> => {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = /^\d+ \(.*\) \S+ (\d+)/s.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number): boolean => {
    for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  return [...parents.keys()].filter(isBelow);
};

describe('the supervisor', () => {
  let folder: string;
  let port: number;
  let running: RunningProgram | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'passport-supervisor-'));
    await chmod(folder, 0o711);
    port = await findFreePort();
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const dataDir = () => join(folder, 'data');
  const devFile = () => join(dataDir(), 'dev.json');
  const run = (env: Readonly<Record<string, string>> = {}): RunningProgram =>
    startProgram({
      file: 'test/embedded/fixtures/small-service.ts',
      env: { DATA_DIR: dataDir(), TOOLS_DIR, PORT: String(port), ...env },
    });
  const start = async (): Promise<RunningProgram> => {
    const service = run();
    running = service;
    await waitFor(service, () => service.output().includes('Sign in'), 60_000);
    return service;
  };
  const endOf = async (program: RunningProgram) => {
    const { child } = program;
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => program.child.once('exit', resolve));
    const line = program
      .output()
      .split('\n')
      .find((text) => text.startsWith('Cannot start: '));
    return { code: program.child.exitCode, line };
  };
  const pidOf = async (name: string): Promise<number> => {
    const file = await readFile(join(dataDir(), 'pids', `${name}.pid`), 'utf8');
    return (JSON.parse(file) as { pid: number }).pid;
  };

  it('starts every part, writes dev.json and prints a table; SIGTERM stops them within 10 s and leaves none', async () => {
    const service = await start();
    const dev = JSON.parse(await readFile(devFile(), 'utf8')) as Record<string, unknown>;
    expect(dev).toMatchObject({
      baseUrl: `http://localhost:${port}`,
      docsUrl: `http://localhost:${port}/docs`,
      eventStoreUrl: expect.stringMatching(/^esdb:\/\/127\.0\.0\.1:\d+\?tls=false$/) as string,
      databaseUrl: expect.stringMatching(/^postgres:/) as string,
      demo: { email: 'owner@demo.example', organizationId: 'org_demo' },
    });
    expect((await fetch(`${String(dev.mailUrl)}/messages`)).status).toBe(200);
    const processes = await descendantsOf(service.pid);
    // Postgres and its workers, Temporal, event store, mail inbox, two programs.
    expect(processes.length).toBeGreaterThanOrEqual(7);

    const askedAt = Date.now();
    await service.stop();
    expect(Date.now() - askedAt).toBeLessThan(10_000);
    expect(service.child.exitCode).toBe(0);
    expect(service.output()).toMatch(/"reason":"SIGTERM".*"msg":"stopping"/);
    expect(processes.filter(isAlive)).toEqual([]);
    expect(existsSync(devFile())).toBe(false);
  });

  it('starts a child again that was killed with -9, and says so', async () => {
    const service = await start();
    for (const name of ['worker', 'event-store']) {
      const before = await pidOf(name);
      process.kill(before, 'SIGKILL');
      await waitFor(service, () => service.output().includes(`${name} runs again`));
      expect(service.output()).toContain(`${name} ended, starting it again`);
      expect(await pidOf(name)).not.toBe(before);
    }
  });

  it('starts Postgres again under its children, on the same port; all of them when all are killed at once', async () => {
    const service = await start();
    const file = join(dataDir(), 'postgres', 'cluster', 'postmaster.pid');
    const before = Number((await readFile(file, 'utf8')).split('\n')[0]);
    process.kill(before, 'SIGKILL');
    await waitFor(service, () => service.output().includes('postgres runs again'));
    expect(Number((await readFile(file, 'utf8')).split('\n')[0])).not.toBe(before);

    const said = service.output().length;
    for (const pid of await descendantsOf(service.pid)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    for (const name of ['postgres', 'temporal', 'event-store', 'api', 'worker']) {
      await waitFor(service, () => service.output().slice(said).includes(`${name} runs again`), 60_000);
    }
  });

  const pidIn = async (...path: readonly string[]): Promise<number> =>
    Number((await readFile(join(dataDir(), ...path), 'utf8')).split('\n')[0]);
  const pidsOfAll = async (): Promise<Record<string, number>> => ({
    postgres: await pidIn('postgres', 'cluster', 'postmaster.pid'),
    temporal: await pidIn('temporal', 'temporal.pid'),
    'event-store': await pidOf('event-store'),
    'mail-inbox': await pidOf('mail-inbox'),
    api: await pidOf('api'),
    worker: await pidOf('worker'),
  });

  it('starts a part again that answers no health call for 10 s, whichever it is', async () => {
    const service = await start();
    const frozen = await pidsOfAll();
    const begun = Date.now();
    for (const pid of Object.values(frozen)) process.kill(pid, 'SIGSTOP');
    for (const name of Object.keys(frozen)) {
      await waitFor(service, () => service.output().includes(`${name} has answered no health call for 10 s`), 40_000);
      expect(Date.now() - begun).toBeGreaterThan(9_000);
    }
    for (const name of Object.keys(frozen)) {
      await waitFor(service, () => service.output().includes(`${name} runs again`), 60_000);
    }
    expect(Object.values(frozen).filter(isAlive)).toEqual([]);
  }, 120_000);

  it('leaves all of them alone when the machine stood still for longer, as a laptop does that sleeps', async () => {
    const service = await start();
    const before = await pidsOfAll();
    const everybody = [service.pid, ...(await descendantsOf(service.pid))];
    for (const pid of everybody) process.kill(pid, 'SIGSTOP');
    await sleep(15_000);
    // The supervisor first: it finds everybody else silent still.
    for (const pid of everybody) process.kill(pid, 'SIGCONT');
    await sleep(12_000);
    expect(service.output()).not.toContain('no health call');
    expect(await pidsOfAll()).toEqual(before);
  }, 120_000);

  it('says why when it stops by itself: nobody reads what it prints', async () => {
    const service = await start();
    service.child.stdout?.destroy();
    process.kill(await pidOf('worker'), 'SIGKILL');
    expect((await endOf(service)).code).toBe(0);
    expect(service.output()).toMatch(/Stopping: nobody reads the output any more: .*EPIPE/);
  });

  it('starts again after a kill -9 of itself, and its programs have ended by themselves', async () => {
    const killed = await start();
    const programs = await Promise.all(['api', 'worker', 'event-store', 'mail-inbox'].map(pidOf));
    await killed.kill('SIGKILL');
    const service = await start();
    expect(programs.filter(isAlive)).toEqual([]);
    const processes = await descendantsOf(service.pid);
    await service.stop();
    expect(processes.filter(isAlive)).toEqual([]);
  });

  it('refuses a second start on one data folder, in one line that says what to set', async () => {
    const service = await start();
    expect(await endOf(run({ PORT: String(await findFreePort()) }))).toEqual({
      code: 1,
      line: expect.stringMatching(`Already running on ${dataDir()} \\(process ${service.pid}\\).*DATA_DIR`) as string,
    });
    expect(existsSync(devFile())).toBe(true);
  });

  it('refuses a taken port, in one line that says what to set', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port: takenPort } = taken.address() as { port: number };
    const end = await endOf(run({ PORT: String(takenPort) }));
    taken.close();
    expect(end).toEqual({
      code: 1,
      line: expect.stringMatching(`Port ${takenPort} on 127.0.0.1 is taken.*set PORT`) as string,
    });
  });

  it('refuses a folder that cannot be written, in one line that says what to set', async () => {
    expect(await endOf(run({ DATA_DIR: '/dev/null/data' }))).toEqual({
      code: 1,
      line: expect.stringMatching('data folder /dev/null/data cannot be written.*Set DATA_DIR') as string,
    });
  });

  it('ends the start after 30 s when the parts that it is given cannot be used, and says why of each', async () => {
    const nobody = '127.0.0.1:1';
    const begun = Date.now();
    const program = run({
      DATABASE_URL: `postgres://olive:hunter2@${nobody}/passport`,
      EVENTSTORE_URL: `esdb://olive:hunter2@${nobody}`,
      TEMPORAL_ADDRESS: nobody,
      SMTP_URL: `smtp://olive:hunter2@${nobody}`,
    });
    const parts = ['database', 'event-store', 'workflows', 'mail'];
    expect(await endOf(program)).toEqual({
      code: 1,
      line: `Cannot start: ${parts.map((part) => `${part}: nobody listens at ${nobody}`).join('; ')}`,
    });
    expect(Date.now() - begun).toBeGreaterThan(28_000);
    for (const part of parts) {
      expect(program.output().split(`waiting: ${part}: nobody listens at ${nobody}`)).toHaveLength(2);
    }
    expect(program.output()).not.toMatch(/olive|hunter/);
  });

  it('refuses to start without a Temporal server, in one line that says what to set, and leaves nothing running', async () => {
    const program = run({ TEMPORAL_CLI: '/nowhere/temporal' });
    let processes: number[] = [];
    await waitFor(program, async () => {
      processes = await descendantsOf(program.pid);
      return processes.length > 0;
    });
    expect(await endOf(program)).toEqual({
      code: 1,
      line: expect.stringMatching('TEMPORAL_CLI names /nowhere/temporal') as string,
    });
    expect(processes.filter(isAlive)).toEqual([]);
  });
});
