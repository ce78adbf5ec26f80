import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { seedDemo } from '../demo-seed.js';
import { messageOf } from '../start-error.js';
import { describeRunning } from './announce.js';
import { lockDataDir, prepareDataDir, writeWhole } from './data-dir.js';
import { nodeProgram, type NodeProgram } from './node-program.js';
import type { Output } from './output.js';
import { keepRunning, type KeptPart, type Part } from './part.js';
import { checkForeignParts } from './foreign-parts.js';
import { startBacking, stopLeftovers } from './parts.js';
import { programEnvironment } from './programs.js';
import { demandFreePort, readPort, readSecrets } from './settings.js';

export interface SupervisorOptions {
  readonly dataDir: string;
  readonly toolsDir: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly output: Output;
  /** Path of the operator's command, which knows how a part is used. */
  readonly cli: string;
  readonly programs: (environment: Readonly<NodeJS.ProcessEnv>) => readonly NodeProgram[];
  /** Where the table of what runs goes. */
  readonly print: (text: string) => void;
  /** Aborted by Ctrl-C and the like: everything is stopped in order, for the reason that it names. */
  readonly stop: AbortSignal;
}

/**
 * Grace times by order of stopping, within 10 s in all: first nobody calls any more, then the work in hand ends, then
 * what it talked to, Postgres last.
 */
const STOP_ORDER: readonly { readonly parts: (name: string) => boolean; readonly graceMs: number }[] = [
  { parts: (name) => name === 'api', graceMs: 2_500 },
  { parts: (name) => !['api', 'event-store', 'temporal', 'mail-inbox', 'postgres'].includes(name), graceMs: 3_000 },
  { parts: (name) => name !== 'postgres', graceMs: 2_000 },
  { parts: () => true, graceMs: 1_500 },
];

const stopAll = async (kept: readonly KeptPart[], output: Output): Promise<void> => {
  let left = kept;
  for (const { parts, graceMs } of STOP_ORDER) {
    const now = left.filter(({ name }) => parts(name));
    left = left.filter((part) => !now.includes(part));
    await Promise.all(now.map((part) => part.stop(graceMs)));
    if (now.length > 0) output.logger.debug({ parts: now.map(({ name }) => name) }, 'stopped');
  }
};

/** Starts everything, keeps it running until it is told to stop, and leaves nothing behind. */
export const supervise = async (options: SupervisorOptions): Promise<void> => {
  const { dataDir, toolsDir, env, output, stop } = options;
  const startedAt = Date.now();
  const devFile = join(dataDir, 'dev.json');

  const start = async (keep: Keep): Promise<void> => {
    const port = readPort(env);
    const host = env.HOST || '127.0.0.1';
    await demandFreePort(port, host);
    const secrets = await readSecrets(dataDir, env);
    await checkForeignParts({ cli: options.cli, env, output, stop });
    const backing = await startBacking({ dataDir, toolsDir, env, output, keep });
    const environment = programEnvironment({ env, port, host, backing, secrets });
    const pidsDir = join(dataDir, 'pids');
    const parts = options
      .programs({ ...env, ...environment })
      .map((program) => nodeProgram({ program, pidsDir, output }));
    const started = await Promise.allSettled(parts.map(keep));
    const failed = started.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;

    const { BASE_URL: baseUrl = '', CONSUMER_URL: consumerUrl = '' } = environment;
    const { adminToken, demoPassword: password } = secrets;
    // Not BASE_URL: a proxy in front may not be up.
    const demo = await seedDemo({
      baseUrl: `http://127.0.0.1:${port}`,
      adminToken,
      password,
      dataDir,
      logger: output.logger,
    });
    stop.throwIfAborted();
    const facts = {
      baseUrl,
      consumerUrl,
      docsUrl: `${baseUrl}/docs`,
      mailUrl: backing.mailUrl,
      temporalUrl: backing.temporalUiUrl,
      temporalAddress: backing.temporalAddress,
      smtpUrl: backing.smtpUrl,
      eventStoreUrl: backing.eventStoreUrl,
      databaseUrl: backing.databaseUrl,
      adminToken,
      demo,
    };
    await writeWhole(devFile, JSON.stringify(facts, null, 2));
    const seconds = (Date.now() - startedAt) / 1_000;
    options.print(describeRunning({ baseUrl, consumerUrl, dataDir, seconds, backing, demo }));
  };

  await keepParts(options, start);
};

/** Starts a part and keeps it running until everything is stopped. */
type Keep = (part: Part) => Promise<void>;

/** Keeps what `start` starts on the data folder, alone on it, until `stop` says otherwise, and leaves nothing behind. */
export const keepParts = async (
  { dataDir, output, stop }: Pick<SupervisorOptions, 'dataDir' | 'output' | 'stop'>,
  start: (keep: Keep) => Promise<void>,
): Promise<void> => {
  const devFile = join(dataDir, 'dev.json');
  const kept: KeptPart[] = [];
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  const keep: Keep = async (part) => {
    stop.throwIfAborted();
    const keptPart = keepRunning(part, output.logger);
    kept.push(keptPart);
    await keptPart.ready;
  };
  const begin = async (): Promise<void> => {
    await rm(devFile, { force: true });
    await stopLeftovers(dataDir, output);
    await start(keep);
  };

  await prepareDataDir(dataDir);
  const unlock = await lockDataDir(dataDir);
  let startError: unknown;
  try {
    // Told to stop while it starts: what the start then complains about is of no interest.
    await Promise.race([begin(), stopped]);
    await stopped;
  } catch (error) {
    startError = error;
    throw error;
  } finally {
    const reason = stop.aborted ? String(stop.reason) : `the start has failed: ${messageOf(startError)}`;
    output.logger.info({ reason }, 'stopping');
    await rm(devFile, { force: true });
    await stopAll(kept, output);
    await unlock();
    output.logger.info('stopped');
  }
};
