import { spawnSync } from 'node:child_process';
import { chmod, chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../start-error.js';

/** The system user that the server runs as; undefined means the user of this process. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

const USER = 'postgres';

const idOf = (flag: '-u' | '-g'): number | undefined => {
  const result = spawnSync('id', [flag, USER], { encoding: 'utf8' });
  return result.status === 0 ? Number(result.stdout.trim()) : undefined;
};

/** PostgreSQL refuses to run as root, so root lends it the system user `postgres`, made here if there is none. */
export const findServerAccount = (): ServerAccount | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  if (idOf('-u') === undefined) {
    const created = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', USER], { encoding: 'utf8' });
    if (created.status !== 0) {
      throw new StartError(
        `PostgreSQL does not run as root, and the system user ${USER} could not be made (useradd: ${created.stderr || 'not found'}). ` +
          'Start as an ordinary user, or set DATABASE_URL.',
      );
    }
  }
  const uid = idOf('-u');
  const gid = idOf('-g');
  if (uid === undefined || gid === undefined)
    throw new StartError(`The system user ${USER} has no ids. Set DATABASE_URL.`);
  return { uid, gid };
};

export const give = async (path: string, account: ServerAccount | undefined, mode: number): Promise<void> => {
  await chmod(path, mode);
  if (account !== undefined) await chown(path, account.uid, account.gid);
};

/** The nearest folder above the path that the account may not enter; undefined when the way is free. */
export const findClosedParent = async (
  path: string,
  account: ServerAccount | undefined,
): Promise<string | undefined> => {
  if (account === undefined) return undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const mayEnter =
      uid === account.uid ? (mode & 0o100) !== 0 : gid === account.gid ? (mode & 0o010) !== 0 : (mode & 0o001) !== 0;
    if (!mayEnter) return folder;
    if (folder === dirname(folder)) return undefined;
  }
};
