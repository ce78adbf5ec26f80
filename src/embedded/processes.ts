import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './start-error.js';

/** A zombie has ended; in a container without an init process nobody collects it. */
const isZombie = (pid: number): boolean => {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Gone in between, or no /proc here.
    if (hasCode(error, 'ENOENT', 'ESRCH')) return false;
    throw error;
  }
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: it lives, under another user.
    return hasCode(error, 'EPERM');
  }
};

/** The command line of a running process, or undefined when there is none. */
export const commandLineOf = async (pid: number): Promise<string | undefined> => {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ESRCH', 'EACCES')) throw error;
  }
  // No /proc on macOS.
  const listing = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return listing.status === 0 ? listing.stdout.trim() : undefined;
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
};

const isGoneWithin = async (pid: number, limitMs: number): Promise<boolean> => {
  const deadline = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
};

/** Ends a process that may not be our child: asks first, then insists. */
export const endProcess = async (options: {
  readonly pid: number;
  readonly ask: NodeJS.Signals;
  readonly insist: NodeJS.Signals;
  readonly graceMs: number;
}): Promise<void> => {
  const { pid, ask, insist, graceMs } = options;
  signal(pid, ask);
  if (await isGoneWithin(pid, graceMs)) return;
  signal(pid, insist);
  if (await isGoneWithin(pid, 2_000)) return;
  signal(pid, 'SIGKILL');
  await isGoneWithin(pid, 2_000);
};

/** Resolves when the child has ended, at once if it already has. */
export const hasExited = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));
