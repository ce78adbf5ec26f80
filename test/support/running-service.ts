import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningService } from '../../scripts/story.js';
import { findFreePort } from '../../src/embedded/ports.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_LIMIT_MS = 90_000;
const RESTART_LIMIT_MS = 20_000;

/** The whole service as `npm start` runs it: the compiled supervisor with its parts and programs, in a folder of its own. */
export interface WholeService {
  readonly dev: RunningService & {
    readonly eventStoreUrl: string;
    readonly databaseUrl: string;
    readonly temporalAddress: string;
    readonly demo: { email: string; password: string; organizationId: string };
  };
  readonly dataDir: string;
  readonly supervisor: ChildProcess;
  /** Everything it has printed. */
  readonly output: () => string;
  /**
   * Kills one of its programs with -9; `program` is a part of its command line. One that is just being started again is
   * waited for. Answers the pid that was killed.
   */
  readonly kill: (program: string) => Promise<number>;
  /** Sends SIGTERM and answers the exit code. */
  readonly stop: () => Promise<number | null>;
  readonly remove: () => Promise<void>;
}

/** Starts it and waits until it is ready. A folder that was used before is started again with what is in it. */
export async function startWholeService(
  options: { dataDir?: string; port?: number; environment?: Readonly<Record<string, string>> } = {},
): Promise<WholeService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'passport-whole-')));
  await rm(join(dataDir, 'dev.json'), { force: true });
  const port = options.port ?? (await findFreePort());
  const supervisor = spawn(process.execPath, [join(ROOT, 'dist/src/embedded/main.js')], {
    cwd: ROOT,
    env: { ...bareEnvironment(), ...options.environment, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  supervisor.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  supervisor.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));

  const deadline = Date.now() + START_LIMIT_MS;
  let dev: WholeService['dev'] | undefined;
  while (dev === undefined) {
    if (supervisor.exitCode !== null) throw new Error(`the service ended at its start:\n${output}`);
    if (Date.now() > deadline) throw new Error(`the service is not ready after ${START_LIMIT_MS / 1000} s:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    dev = await readFile(join(dataDir, 'dev.json'), 'utf8').then(
      (text) => JSON.parse(text) as WholeService['dev'],
      () => undefined,
    );
  }

  return {
    dev,
    dataDir,
    supervisor,
    output: () => output,
    kill: async (program) => {
      for (const deadline = Date.now() + RESTART_LIMIT_MS; Date.now() < deadline;) {
        for (const pid of await childrenOf(supervisor.pid ?? -1)) {
          const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
          if (!commandLine.includes(program)) continue;
          process.kill(pid, 'SIGKILL');
          return pid;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`the supervisor has no child "${program}"`);
    },
    stop: async () => {
      if (supervisor.exitCode !== null) return supervisor.exitCode;
      supervisor.kill('SIGTERM');
      const [code] = (await once(supervisor, 'exit')) as [number | null];
      return code;
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

/** The processes whose command line or environment mentions `text`: who is left after a stop. */
export async function processesMentioning(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    const [commandLine, environment] = await Promise.all([read('cmdline'), read('environ')]);
    if (commandLine.includes(text) || environment.includes(text)) found.push(commandLine.replaceAll('\0', ' '));
  }
  return found;
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

/** A fresh machine's environment: of the test run's own settings (vitest sets BASE_URL and NODE_ENV) the service takes none. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'USER', 'TMPDIR', 'TEMPORAL_CLI'];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
