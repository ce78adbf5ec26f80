import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { findFreePort } from '../ports.js';
import { commandLineOf, endProcess, hasExited, isAlive } from '../processes.js';
import { hasCode, messageOf, StartError } from '../start-error.js';
import {
  findClosedParent,
  findServerAccount,
  give,
  launchDirectly,
  launchThroughClosedFolders,
  type Launch,
  type ServerAccount,
} from './account.js';
import { findBinaries, type PostgresBinaries } from './binaries.js';

export interface RunningPostgres {
  /** Address of the maintenance database, with the superuser's password. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Which binaries it runs on. */
  readonly source: string;
  readonly urlFor: (database: string) => string;
  /** Resolves when the server has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Ends its sessions and writes a checkpoint; insists after the grace time. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export interface PostgresOptions {
  /** Folder of its own: holds the cluster, the password and the log. */
  readonly dataDir: string;
  readonly port?: number;
  /** Created when they do not exist. */
  readonly databases?: readonly string[];
  /** Server settings that replace the defaults below. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

const SUPERUSER = 'postgres';
const READY_LIMIT_MS = 20_000;

/** Sized for a laptop that runs everything: a tenth of the memory that a server of its own would take. */
const DEFAULT_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // A socket in a shared folder could be answered by somebody else's server; TCP with a password cannot.
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '96MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  // One server, no replicas.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

const run = async (
  launch: Launch,
  program: string,
  options: readonly string[],
): Promise<{ code: number | null; output: string }> => {
  const { command, args, ids } = launch(program, options);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
    ...ids,
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return { code, output: Buffer.concat(chunks).toString('utf8').trim() };
};

const readPassword = async (file: string, account: ServerAccount | undefined): Promise<string> => {
  if (!existsSync(file)) {
    await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
    await give(file, account, 0o600);
  }
  return (await readFile(file, 'utf8')).trim();
};

const createCluster = async (options: {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly launch: Launch;
}): Promise<void> => {
  const { binaries, cluster, passwordFile, launch } = options;
  // Made beside its place and moved there when whole, so that a kill in between leaves nothing half-made.
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  const { output: version } = await run(launch, binaries.postgres, ['--version']);
  const major = Number(/(\d+)/.exec(version)?.[1] ?? 0);
  const locale = major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const { code, output } = await run(launch, binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--wal-segsize=4',
    ...locale,
  ]);
  if (code !== 0) {
    throw new StartError(
      `PostgreSQL could not create its cluster in ${draft}: ${output.split('\n').at(-1) ?? ''} Set DATA_DIR to another folder, or DATABASE_URL.`,
    );
  }
  await rename(draft, cluster);
};

/** A node that is killed with -9 leaves its postmaster running: it is stopped here, so that this start owns the cluster. */
export const stopOrphanedPostgres = async (dataDir: string, logger: Logger): Promise<void> => {
  const cluster = join(resolve(dataDir), 'cluster');
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return;
  const command = await commandLineOf(pid);
  // The number may have been given to another process since.
  if (command === undefined || !command.includes(cluster)) return;
  logger.warn({ pid }, 'postgres of an earlier run found, stopping it');
  await endProcess({ pid, ask: 'SIGINT', insist: 'SIGQUIT', graceMs: 8_000 });
};

const addressOf = (port: number, password: string, database: string): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  // The server may go away between two queries; the query then says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const createDatabases = (url: string, names: readonly string[]): Promise<void> =>
  withClient(url, async (client) => {
    for (const name of names) {
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (found.rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    }
  });

/** Binaries, and the way to run them, that fit the folders they lie in. */
const chooseBinaries = async (
  logger: Logger,
  account: ServerAccount | undefined,
  home: string,
): Promise<{ binaries: PostgresBinaries; launch: Launch }> => {
  const candidates = await findBinaries(logger);
  const direct = launchDirectly(account);
  if (account === undefined) return { binaries: candidates[0], launch: direct };

  const closedHome = await findClosedParent(home, account);
  if (closedHome === undefined) {
    for (const binaries of candidates) {
      if ((await findClosedParent(binaries.postgres, account)) === undefined) return { binaries, launch: direct };
    }
  }
  const launch = await launchThroughClosedFolders(account);
  if (launch !== undefined) return { binaries: candidates[0], launch };
  if (closedHome !== undefined) {
    throw new StartError(
      `PostgreSQL runs as the system user postgres, which may not enter ${closedHome}: ` +
        `set DATA_DIR to a folder outside it, allow it with chmod o+x ${closedHome}, or set DATABASE_URL.`,
    );
  }
  const closed = await findClosedParent(candidates[0].postgres, account);
  throw new StartError(
    `PostgreSQL runs as the system user postgres, which may not enter ${closed}, where its binaries are: ` +
      `allow it with chmod o+x ${closed}, move the project, or set DATABASE_URL.`,
  );
};

/** Starts a PostgreSQL of our own on 127.0.0.1; what an earlier run left behind is stopped or mended first. */
export const startPostgres = async (options: PostgresOptions): Promise<RunningPostgres> => {
  const { logger } = options;
  const home = resolve(options.dataDir);
  const cluster = join(home, 'cluster');
  const passwordFile = join(home, 'password');
  const account = findServerAccount();

  await mkdir(home, { recursive: true });
  await give(home, account, 0o700);
  const { binaries, launch } = await chooseBinaries(logger, account, home);
  const password = await readPassword(passwordFile, account);
  if (!existsSync(join(cluster, 'PG_VERSION'))) await createCluster({ binaries, cluster, passwordFile, launch });
  await stopOrphanedPostgres(home, logger);

  const port = options.port ?? (await findFreePort());
  const url = addressOf(port, password, 'postgres');
  const settings = { ...DEFAULT_SETTINGS, ...options.settings, port: String(port) };
  const args = ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const logFile = join(home, 'server.log');

  const server = launch(binaries.postgres, args);
  const spawnServer = async () => {
    const log = await open(logFile, 'w', 0o600);
    // A process group of its own: Ctrl-C on the terminal is for the supervisor, which stops its parts in order.
    const child = spawn(server.command, server.args, {
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
      env: { ...process.env, LC_ALL: 'C' },
      ...server.ids,
    });
    child.once('error', (error) => logger.error({ error: messageOf(error) }, 'postgres could not be run'));
    await log.close();
    return child;
  };

  const deadline = Date.now() + READY_LIMIT_MS;
  let child = await spawnServer();
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const output = await readFile(logFile, 'utf8');
      // Backends of a killed postmaster hold its shared memory for a moment longer.
      if (!/shared memory block|lock file "postmaster.pid"/.test(output) || Date.now() > deadline) {
        throw new StartError(
          `PostgreSQL ended while starting on port ${port}: ${output.trim().split('\n').at(-1) ?? 'no output'} (log: ${logFile})`,
        );
      }
      await sleep(200);
      child = await spawnServer();
    }
    try {
      await withClient(url, (client) => client.query('SELECT 1'));
      break;
    } catch (error) {
      if (!hasCode(error, 'ECONNREFUSED', 'ECONNRESET', '57P03') && Date.now() > deadline) throw error;
      if (Date.now() > deadline) {
        child.kill('SIGQUIT');
        throw new StartError(
          `PostgreSQL did not answer on port ${port} within ${READY_LIMIT_MS / 1000} s (log: ${logFile}).`,
        );
      }
    }
    await sleep(25);
  }
  await createDatabases(url, options.databases ?? []);

  const { pid } = child;
  if (pid === undefined) throw new Error('postgres has no process id');
  const ended = hasExited(child);
  logger.info({ port, pid, source: binaries.source }, 'postgres ready');
  return {
    url,
    port,
    pid,
    source: binaries.source,
    urlFor: (database) => addressOf(port, password, database),
    ended,
    stop: async (graceMs = 6_000) => {
      // SIGINT is "fast": it ends the sessions and writes a checkpoint.
      child.kill('SIGINT');
      const asked = await Promise.race([ended.then(() => true), sleep(graceMs, false, { ref: false })]);
      if (!asked) child.kill('SIGQUIT');
      await ended;
    },
  };
};
