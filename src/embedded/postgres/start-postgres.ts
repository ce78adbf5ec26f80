import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { findFreePort, hearFrom } from '../ports.js';
import { commandLineOf, endProcess, hasExited, isAlive } from '../processes.js';
import { messageOf, StartError } from '../start-error.js';
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
import { createCluster, readPassword } from './cluster.js';

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
  /** Resolves when it answers a connection; more than that nobody has to sign in for. */
  readonly answers: () => Promise<void>;
  readonly kill: () => void;
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
  /** Gives up the start, leaving nothing running. */
  readonly signal?: AbortSignal;
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

const INSIST_MS = 2_000;
/** `SSLRequest` of the protocol, which every server answers with a byte before it asks who is there. */
const SSL_REQUEST = Buffer.from('0000000804d2162f', 'hex');

const answers = async (url: string): Promise<boolean> => {
  try {
    await withClient(url, (client) => client.query('SELECT 1'));
    return true;
  } catch {
    // Not yet, or not ours: the server's own log says which, when it ends or the time is up.
    return false;
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
  if (!existsSync(join(cluster, 'PG_VERSION')))
    await createCluster({ binaries, cluster, passwordFile, superuser: SUPERUSER, launch });
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
  const giveUpIfLate = (complaint: string): void => {
    if (options.signal?.aborted === true) throw new StartError('PostgreSQL was stopped while starting');
    if (Date.now() > deadline) throw new StartError(`${complaint} (log: ${logFile})`);
  };
  const waitUntilReady = async (): Promise<ChildProcess> => {
    let child = await spawnServer();
    try {
      for (;;) {
        if (child.exitCode !== null || child.signalCode !== null) {
          const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
          const complaint = `PostgreSQL ended while starting on port ${port}: ${lines.at(-1)}`;
          // Backends of a killed postmaster hold its shared memory for a moment longer.
          const mayPass = lines.some((line) => /shared memory block|lock file "postmaster.pid"/.test(line));
          if (!mayPass) throw new StartError(`${complaint} (log: ${logFile})`);
          giveUpIfLate(complaint);
          await sleep(200);
          child = await spawnServer();
        }
        if (await answers(url)) break;
        giveUpIfLate(`PostgreSQL did not answer on port ${port} within ${READY_LIMIT_MS / 1000} s`);
        await sleep(25);
      }
      await createDatabases(url, options.databases ?? []);
      return child;
    } catch (error) {
      child.kill('SIGQUIT');
      await hasExited(child);
      throw error;
    }
  };
  const child = await waitUntilReady();

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
      // One that is frozen hears neither.
      const insisted = await Promise.race([ended.then(() => true), sleep(INSIST_MS, false, { ref: false })]);
      if (!insisted) child.kill('SIGKILL');
      await ended;
    },
    answers: () => hearFrom(port, SSL_REQUEST),
    kill: () => child.kill('SIGKILL'),
  };
};
