import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { StartError } from '../start-error.js';
import { give, type Launch, type ServerAccount } from './account.js';
import type { PostgresBinaries } from './binaries.js';

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

/** The superuser's password, generated once and kept beside the cluster. */
export const readPassword = async (file: string, account: ServerAccount | undefined): Promise<string> => {
  if (!existsSync(file)) {
    await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
    await give(file, account, 0o600);
  }
  return (await readFile(file, 'utf8')).trim();
};

export const createCluster = async (options: {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly superuser: string;
  readonly launch: Launch;
}): Promise<void> => {
  const { binaries, cluster, passwordFile, superuser, launch } = options;
  // Made beside its place and moved there when whole, so that a kill in between leaves nothing half-made.
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  const { output: version } = await run(launch, binaries.postgres, ['--version']);
  const major = Number(/(\d+)/.exec(version)?.[1] ?? 0);
  const locale = major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const { code, output } = await run(launch, binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
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
