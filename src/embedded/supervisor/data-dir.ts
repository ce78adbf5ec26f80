import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLineOf, isAlive } from '../processes.js';
import { hasCode, messageOf, StartError } from '../start-error.js';

/** Replaces the file as a whole: a reader, or a kill, sees the old text or the new one. */
export const writeWhole = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
};

export const readIfThere = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Makes the folder, and refuses in one line when it cannot be written. */
export const prepareDataDir = async (dataDir: string): Promise<void> => {
  const probe = join(dataDir, `.probe-${randomUUID()}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, '');
    await rm(probe);
    // Under root the Postgres server is another user, who has to get in; every secret below has a mode of its own.
    const { mode } = await stat(dataDir);
    if (process.getuid?.() === 0 && (mode & 0o001) === 0) await chmod(dataDir, (mode | 0o001) & 0o777);
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be written (${messageOf(error)}). Set DATA_DIR to a folder that you may write to.`,
    );
  }
};

const PID_FILE = 'supervisor.pid';

/** One supervisor for one folder. The lock of a supervisor that was killed is taken over. */
export const lockDataDir = async (dataDir: string): Promise<() => Promise<void>> => {
  const file = join(dataDir, PID_FILE);
  // As the system shows it: the path in it may be relative.
  const command = (await commandLineOf(process.pid)) ?? '';
  for (;;) {
    try {
      const handle = await open(file, 'wx', 0o600);
      await handle.write(JSON.stringify({ pid: process.pid, command }));
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const text = await readIfThere(file);
    if (text === undefined) continue;
    let holder: { pid: number; command: string } | undefined;
    try {
      holder = JSON.parse(text) as { pid: number; command: string };
    } catch {
      // Killed while it wrote the file.
    }
    // The number may have been given to another process since.
    if (holder !== undefined && isAlive(holder.pid) && (await commandLineOf(holder.pid)) === holder.command) {
      throw new StartError(
        `Already running on ${dataDir} (process ${holder.pid}). Stop it first, or set DATA_DIR and PORT to run another one beside it.`,
      );
    }
    await rm(file, { force: true });
  }
};
