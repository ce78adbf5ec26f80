import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Programs are started by the hundred: what one has compiled, the next need not. */
const COMPILED = join(PROJECT, 'node_modules', '.cache', 'compiled');

export interface RunningProgram {
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it printed so far, both streams. */
  output(): string;
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** SIGTERM, and SIGKILL when it has not ended after 10 s. */
  stop(): Promise<void>;
}

/**
 * Runs a program of this repository as a process of its own; it ends itself when the test run is killed. Those of the service
 * run as they are shipped, compiled (the run builds them first); a test's own as they stand, which Node can do with a file that
 * imports no source of ours.
 */
export const startProgram = (options: {
  /** Path from the project's folder, such as `src/main.ts`. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}): RunningProgram => {
  const isOwn = options.file.startsWith('test/');
  const program = isOwn ? options.file : `dist/${options.file.replace(/\.ts$/, '.js')}`;
  const args = ['--import', './dist/src/embedded/supervisor/orphan-guard.js', program, ...(options.args ?? [])];
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    // VITEST and NODE_ENV=test are the test run's, not the program's.
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE: COMPILED },
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const collect = (chunk: Buffer): void => void (output = `${output}${chunk.toString('utf8')}`.slice(-200_000));
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (child.pid === undefined) throw new Error(`${options.file} could not be run`);
  return {
    pid: child.pid,
    child,
    output: () => output,
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
    stop: async () => {
      child.kill('SIGTERM');
      const asked = await Promise.race([ended.then(() => true), sleep(10_000, false, { ref: false })]);
      if (!asked) child.kill('SIGKILL');
      await ended;
    },
  };
};

/** In a fresh checkout: a program keeps what it has compiled when it ends by itself, and most run to the end or are killed. */
export const compilePrograms = async (): Promise<void> => {
  if (existsSync(COMPILED)) return;
  for (const file of ['workflows/main.ts', 'src/main.ts', 'projections/main.ts', 'src/embedded/event-store/main.ts']) {
    // Loaded whole, it ends because it is given no settings.
    const { child } = startProgram({ file, env: {} });
    if (child.exitCode === null) await once(child, 'exit');
  }
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Polls until the condition holds; fails with the program's last output when it ends before or takes too long. */
export const waitFor = async (
  program: RunningProgram,
  condition: () => boolean | Promise<boolean>,
  limitMs = 20_000,
): Promise<void> => {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    const { exitCode, signalCode } = program.child;
    if (exitCode !== null || signalCode !== null) {
      throw new Error(`the program ended (${exitCode ?? signalCode}): ${program.output().slice(-2_000)}`);
    }
    if (Date.now() > deadline) throw new Error(`not ready after ${limitMs} ms: ${program.output().slice(-2_000)}`);
    await sleep(25);
  }
};

export const waitForPort = (program: RunningProgram, port: number): Promise<void> =>
  waitFor(program, () => accepts(port));
