import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PROJECT = join(import.meta.dirname, '..', '..');

/** The programs that tests start are the compiled ones: they must be those of the sources. Done already, it takes a moment. */
export const setup = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: PROJECT });
};
