import { spawnSync } from 'node:child_process';
import { chmod, chown, readFile, stat } from 'node:fs/promises';
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

/** A command as the account has to run it. */
export type Launch = (
  command: string,
  args: readonly string[],
) => { command: string; args: string[]; ids: Partial<ServerAccount> };

export const launchDirectly =
  (account: ServerAccount | undefined): Launch =>
  (command, args) => ({ command, args: [...args], ids: account ?? {} });

const CAPABILITIES = [
  { name: 'dac_read_search', bit: 2n },
  { name: 'dac_override', bit: 1n },
];

/**
 * On Linux, root can lend the account the way through closed folders (such as a project below /root) and nothing else,
 * with setpriv from util-linux; undefined where that is not to be had.
 */
export const launchThroughClosedFolders = async (account: ServerAccount): Promise<Launch | undefined> => {
  if (process.platform !== 'linux' || spawnSync('setpriv', ['--version']).status !== 0) return undefined;
  const bounds = /^CapBnd:\s*([0-9a-f]+)/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1];
  const capability = CAPABILITIES.find(({ bit }) => (BigInt(`0x${bounds ?? '0'}`) >> bit) & 1n);
  if (capability === undefined) return undefined;
  const lent = `+${capability.name}`;
  return (command, args) => ({
    command: 'setpriv',
    args: [
      // Otherwise access(2), which the server asks about its own binary, would not count what is lent.
      ...['--securebits', '+no_setuid_fixup'],
      ...['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'],
      ...['--inh-caps', lent, '--ambient-caps', lent, command],
      ...args,
    ],
    ids: {},
  });
};
