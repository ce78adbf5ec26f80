import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { StartError } from '../start-error.js';
import type { Output } from './output.js';

/** The address of each part that may be somebody else's, and what the operator's command calls the part. */
const PARTS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'database',
  EVENTSTORE_URL: 'event-store',
  TEMPORAL_ADDRESS: 'workflows',
  SMTP_URL: 'mail',
};
/** A server that starts beside us is there by then. */
const WAIT_S = 30;
/** How the line of a part ends that can be used. */
const USABLE = ': can be used';

/** Ends the start where a part whose address is given cannot be used, and says why; nothing of ours has been started by then. */
export const checkForeignParts = async (options: {
  readonly cli: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly output: Output;
  readonly stop: AbortSignal;
}): Promise<void> => {
  const { cli, env, output, stop } = options;
  const names = Object.entries(PARTS).flatMap(([variable, name]) => (env[variable] ? [name] : []));
  if (names.length === 0) return;
  const child = spawn(process.execPath, [cli, 'check', ...names, '--wait', String(WAIT_S)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: stop,
  });
  const results: string[] = [];
  let lastWords = '';
  createInterface({ input: child.stdout }).on('line', (line) => results.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => {
    output.logger.warn(line);
    lastWords = line;
  });
  // Told to stop, it ends with an error that nobody waits for any more.
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  const failed = results.filter((line) => !line.endsWith(USABLE));
  throw new StartError(failed.length === 0 ? lastWords : failed.join('; '));
};
