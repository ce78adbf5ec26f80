/**
 * Compiles to dist/: the programs, the files they read beside them, and the workflow bundle. Does nothing when no input
 * has changed since the last build.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, glob, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(project, 'dist');
const stampFile = join(dist, '.build-stamp');
const lockFile = join(project, 'node_modules', '.cache', 'build.lock');
const STALE_LOCK_MS = 120_000;

const SOURCE = /\.tsx?$/;
const listFiles = async (pattern: string): Promise<string[]> => {
  const found: string[] = [];
  for await (const entry of glob(pattern, { cwd: project, withFileTypes: true })) {
    if (entry.isFile()) found.push(join(entry.parentPath, entry.name));
  }
  return found.sort();
};

const rooms = await listFiles('{src,workflows,projections}/**/*');
const scripts = (await listFiles('scripts/*')).filter((file) => SOURCE.test(file));
const referenceData = await listFiles('reference-data/*');
const settings = ['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json'].map((name) =>
  join(project, name),
);

const hashInputs = async (): Promise<string> => {
  const hash = createHash('sha256');
  for (const file of [...settings, ...rooms, ...scripts, ...referenceData]) {
    hash
      .update(file.slice(project.length))
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
};

const outputOf = (file: string): string => join(dist, file.slice(project.length));

const compile = async (): Promise<void> => {
  const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: project, stdio: ['ignore', 2, 2] });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error('tsc did not compile the sources; its messages are above');
};

/** A file that lost its source would still be found by whoever lists a folder, such as the migrations. */
const removeLeftovers = async (): Promise<void> => {
  const wanted = new Set([...rooms, ...scripts].map((file) => outputOf(file).replace(SOURCE, '.js')));
  for (const file of await listFiles('dist/{src,workflows,projections,scripts}/**/*')) {
    const source = file.replace(/\.map$/, '');
    if (!wanted.has(source) && file !== join(dist, 'workflows', 'bundle.js')) await rm(file);
  }
};

const copyAssets = async (): Promise<void> => {
  const assets = rooms.filter((file) => !SOURCE.test(file));
  for (const file of [...assets, ...referenceData, join(project, 'package.json')]) {
    const target = outputOf(file);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, target);
  }
};

const bundleWorkflows = async (): Promise<void> => {
  const workflowsPath = join(dist, 'workflows', 'index.js');
  if (!existsSync(workflowsPath)) return;
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const failureConverterPath = join(dist, 'src', 'infrastructure', 'temporal', 'failure-converter.js');
  const { code } = await bundleWorkflowCode({ workflowsPath, failureConverterPath, logger: new DefaultLogger('WARN') });
  await writeFile(join(dist, 'workflows', 'bundle.js'), code);
};

/** Two starts at once build one after the other; the second then finds nothing to do. */
const withLock = async (work: () => Promise<void>): Promise<void> => {
  await mkdir(dirname(lockFile), { recursive: true });
  for (;;) {
    try {
      await (await open(lockFile, 'wx')).close();
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const age = await stat(lockFile).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_LOCK_MS) await rm(lockFile, { force: true });
    await sleep(200);
  }
  try {
    await work();
  } finally {
    await rm(lockFile, { force: true });
  }
};

const isBuilt = async (stamp: string): Promise<boolean> =>
  existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp;

const stamp = await hashInputs();
if (!(await isBuilt(stamp))) {
  await withLock(async () => {
    if (await isBuilt(stamp)) return;
    const startedAt = Date.now();
    // Without the stamp a kill from here on means: build again.
    await rm(stampFile, { force: true });
    if (!existsSync(join(dist, 'src'))) await rm(join(dist, '.tsbuildinfo'), { force: true });
    await compile();
    await removeLeftovers();
    await copyAssets();
    await bundleWorkflows();
    await writeFile(stampFile, stamp);
    process.stderr.write(`Built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.\n`);
  });
}
