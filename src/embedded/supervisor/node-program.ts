import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { commandLineOf, endProcess, hasExited, isAlive } from '../processes.js';
import { StartError } from '../start-error.js';
import type { Output } from './output.js';
import type { Part } from './part.js';

export interface NodeProgram {
  readonly name: string;
  /** Absolute path of its main file. */
  readonly file: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly maxOldSpaceMb: number;
  /** The `msg` of the log line that it prints when it is ready, or the address that answers 200 then. */
  readonly ready: { readonly message: string } | { readonly url: string };
}

const READY_LIMIT_MS = 40_000;
/** Run from the sources, the programs are sources too. */
const SUFFIX = import.meta.url.slice(-3);
const LOADER = SUFFIX === '.ts' ? ['--import', 'tsx'] : [];
const ORPHAN_GUARD = fileURLToPath(new URL(`./orphan-guard${SUFFIX}`, import.meta.url));

const pidFileOf = (pidsDir: string, name: string): string => join(pidsDir, `${name}.pid`);

/** Programs of a supervisor that was killed end themselves; those that have not managed to yet are ended here. */
export const stopOrphanedPrograms = async (pidsDir: string, logger: Logger): Promise<void> => {
  await mkdir(pidsDir, { recursive: true });
  for (const name of await readdir(pidsDir)) {
    const file = join(pidsDir, name);
    const { pid, main } = JSON.parse(await readFile(file, 'utf8')) as { pid: number; main: string };
    if (isAlive(pid) && (await commandLineOf(pid))?.includes(main)) {
      logger.warn({ pid, program: basename(name, '.pid') }, 'program of an earlier run found, stopping it');
      await endProcess({ pid, ask: 'SIGTERM', insist: 'SIGKILL', graceMs: 3_000 });
    }
    await rm(file, { force: true });
  }
};

const messageOfLine = (line: string): string | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    return typeof msg === 'string' ? msg : undefined;
  } catch {
    // Not a log line after all.
    return undefined;
  }
};

const answersOk = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    // Not up yet.
    return false;
  }
};

/** One of our programs as a process: its log goes through ours, and it ends when we do. */
export const nodeProgram = (options: {
  readonly program: NodeProgram;
  readonly pidsDir: string;
  readonly output: Output;
}): Part => {
  const { program, pidsDir, output } = options;
  const { name, file } = program;

  const start: Part['start'] = async (signal) => {
    if (!existsSync(file)) throw new StartError(`${name} is not built: ${file} is missing. Run npm run build.`);
    const flags = [`--max-old-space-size=${program.maxOldSpaceMb}`, ...LOADER, '--import', ORPHAN_GUARD];
    const child = spawn(process.execPath, [...flags, file], {
      env: program.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A process group of its own: Ctrl-C on the terminal is for the supervisor, which stops its parts in order.
      detached: true,
    });
    const ended = hasExited(child);
    const pidFile = pidFileOf(pidsDir, name);
    await writeFile(pidFile, JSON.stringify({ pid: child.pid, main: file }), { mode: 0o600 });
    void ended.then(() => rm(pidFile, { force: true }));

    let isReady = false;
    let lastWords = '';
    const onLine = (line: string): void => {
      output.childLine(name, line);
      if ('message' in program.ready && messageOfLine(line) === program.ready.message) isReady = true;
      const words = messageOfLine(line) ?? line;
      // An uncaught error is followed by its stack and the version of Node, which say less.
      if (words.trim() !== '' && !/Error\b/.test(lastWords)) lastWords = words;
    };
    for (const input of [child.stdout, child.stderr]) {
      if (input !== null) createInterface({ input }).on('line', onLine);
    }

    const deadline = Date.now() + READY_LIMIT_MS;
    while (!isReady) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new StartError(
          `${name} ended while starting (${child.exitCode ?? child.signalCode}): ${lastWords.slice(0, 500)}`,
        );
      }
      if (signal.aborted || Date.now() > deadline) {
        child.kill('SIGKILL');
        await ended;
        throw new StartError(
          signal.aborted
            ? `${name} was stopped while starting`
            : `${name} was not ready within ${READY_LIMIT_MS / 1000} s: ${lastWords.slice(0, 500)}`,
        );
      }
      if ('url' in program.ready && (await answersOk(program.ready.url))) break;
      await sleep(50);
    }
    return {
      ended,
      answers: () =>
        new Promise((resolve, reject) => {
          child.once('message', resolve);
          child.send('health', (error) => {
            if (error !== null) reject(error);
          });
        }),
      kill: () => child.kill('SIGKILL'),
      stop: async (graceMs) => {
        child.kill('SIGTERM');
        const asked = await Promise.race([ended.then(() => true), sleep(graceMs, false, { ref: false })]);
        if (!asked) {
          output.logger.warn({ part: name, graceMs }, `${name} did not end when asked, killing it`);
          child.kill('SIGKILL');
        }
        await ended;
      },
    };
  };
  return { name, start };
};
