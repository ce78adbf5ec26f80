import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { findFreePort, hearFrom } from '../ports.js';
import { commandLineOf, endProcess, hasExited, isAlive } from '../processes.js';
import { messageOf, StartError } from '../start-error.js';

export interface RunningTemporal {
  readonly address: string;
  readonly port: number;
  readonly uiUrl: string;
  readonly pid: number;
  /** Resolves when the server has ended, whoever ended it. */
  readonly ended: Promise<void>;
  readonly stop: (graceMs?: number) => Promise<void>;
  readonly answers: () => Promise<void>;
  readonly kill: () => void;
}

export interface TemporalOptions {
  readonly cliPath: string;
  /** Folder of its own: holds the database, the pid file and the log. */
  readonly dataDir: string;
  readonly port?: number;
  readonly uiPort?: number;
  readonly namespace?: string;
  readonly logger: Logger;
  /** Gives up the start, leaving nothing running. */
  readonly signal?: AbortSignal;
}

const READY_LIMIT_MS = 25_000;

/** A node that is killed with -9 leaves its server running, which holds the database. */
export const stopOrphanedTemporal = async (dataDir: string, logger: Logger): Promise<void> => {
  const database = join(resolve(dataDir), 'temporal.db');
  const pidFile = join(resolve(dataDir), 'temporal.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(await readFile(pidFile, 'utf8'));
  if (Number.isInteger(pid) && pid > 0 && isAlive(pid) && (await commandLineOf(pid))?.includes(database)) {
    logger.warn({ pid }, 'temporal server of an earlier run found, stopping it');
    await endProcess({ pid, ask: 'SIGTERM', insist: 'SIGKILL', graceMs: 5_000 });
  }
  await rm(pidFile, { force: true });
};

const isListening = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });

/** The namespace exists only some moments after the port is open; the CLI's own check knows both. */
const isServing = async (cliPath: string, address: string, namespace: string): Promise<boolean> => {
  const args = ['operator', 'namespace', 'describe', '--address', address, '--namespace', namespace];
  const child = spawn(cliPath, [...args, '--command-timeout', '3s'], { stdio: 'ignore' });
  child.once('error', () => undefined);
  await Promise.race([hasExited(child), sleep(4_000, undefined, { ref: false })]);
  return child.exitCode === 0;
};

/** The preface of HTTP/2 and empty settings, which a server answers with its own. */
const HTTP2_GREETING = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');

/** Between asking the system for a free port and listening on it somebody else may take it. */
const PORT_TRIES = 3;

/** Starts Temporal's development server on 127.0.0.1, its state in one SQLite file. */
export const startTemporal = async (options: TemporalOptions): Promise<RunningTemporal> => {
  const choosesPorts = options.port === undefined && options.uiPort === undefined;
  for (let tries = choosesPorts ? PORT_TRIES : 1; ; tries -= 1) {
    try {
      return await start(options);
    } catch (error) {
      if (tries === 1 || !messageOf(error).includes('address already in use')) throw error;
    }
  }
};

const start = async (options: TemporalOptions): Promise<RunningTemporal> => {
  const { cliPath, logger, namespace = 'default' } = options;
  const home = resolve(options.dataDir);
  await mkdir(home, { recursive: true });
  const database = join(home, 'temporal.db');
  const pidFile = join(home, 'temporal.pid');
  const logFile = join(home, 'temporal.log');
  await stopOrphanedTemporal(home, logger);

  const port = options.port ?? (await findFreePort());
  const uiPort = options.uiPort ?? (await findFreePort('127.0.0.1', [port]));
  const address = `127.0.0.1:${port}`;
  const args = [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
    ...['--namespace', namespace, '--db-filename', database, '--log-level', 'warn'],
    // Without these two, twice the time for each workflow.
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=1'],
    // A queue in one piece instead of four: with a handful of pollers, tasks would only be handed from piece to piece.
    ...['--dynamic-config-value', 'matching.numTaskqueueReadPartitions=1'],
    ...['--dynamic-config-value', 'matching.numTaskqueueWritePartitions=1'],
  ];
  const log = await open(logFile, 'w', 0o600);
  // A process group of its own: Ctrl-C on the terminal is for the supervisor, which stops its parts in order.
  const child = spawn(cliPath, args, {
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
    // Go's collector gives memory back sooner; the server idles below 150 MB.
    env: { ...process.env, GOMEMLIMIT: '256MiB' },
  });
  let spawnError: string | undefined;
  child.once('error', (error) => (spawnError = messageOf(error)));
  await log.close();
  const ended = hasExited(child);
  if (child.pid !== undefined) await writeFile(pidFile, String(child.pid));

  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    if (spawnError !== undefined || child.exitCode !== null || child.signalCode !== null) {
      const output = existsSync(logFile) ? (await readFile(logFile, 'utf8')).trim().split('\n').at(-1) : undefined;
      throw new StartError(
        `The Temporal server ended while starting on ${address}: ${spawnError ?? output ?? 'no output'} (log: ${logFile}). ` +
          'Set TEMPORAL_ADDRESS to another server, or TEMPORAL_CLI to another binary.',
      );
    }
    if ((await isListening(port)) && (await isServing(cliPath, address, namespace))) break;
    if (Date.now() > deadline || options.signal?.aborted === true) {
      child.kill('SIGKILL');
      await ended;
      throw new StartError(
        `The Temporal server did not serve ${address} within ${READY_LIMIT_MS / 1000} s (log: ${logFile}).`,
      );
    }
    await sleep(50);
  }
  const { pid } = child;
  if (pid === undefined) throw new Error('the temporal server has no process id');
  logger.info({ port, uiPort, pid }, 'temporal ready');
  return {
    address,
    port,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    pid,
    ended,
    stop: async (graceMs = 5_000) => {
      child.kill('SIGTERM');
      const asked = await Promise.race([ended.then(() => true), sleep(graceMs, false, { ref: false })]);
      if (!asked) child.kill('SIGKILL');
      await ended;
      await rm(pidFile, { force: true });
    },
    answers: () => hearFrom(port, HTTP2_GREETING),
    kill: () => child.kill('SIGKILL'),
  };
};
