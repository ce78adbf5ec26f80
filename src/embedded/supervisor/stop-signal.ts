import type { Logger } from 'pino';
import { messageOf } from '../start-error.js';

const PARENT_CHECK_MS = 500;

/**
 * Aborted, with the reason in words, by Ctrl-C, SIGTERM and a closed terminal, by an error that nobody has caught, by an output
 * that nobody reads any more, and, under npm, by the end of the shell that npm started us in: npm passes a signal on to that
 * shell only, which ends without passing it on.
 */
export const createStopSignal = (env: Readonly<NodeJS.ProcessEnv>, logger: Logger): AbortSignal => {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort(name));
  process.on('uncaughtException', (error) => {
    process.exitCode = 1;
    logger.fatal({ err: error }, 'an error that nobody has caught');
    stopping.abort(`an error that nobody has caught: ${messageOf(error)}`);
  });
  // The log itself cannot say so; what else is printed until the end fails in the same way.
  process.stdout.on('error', (error) => {
    if (stopping.signal.aborted) return;
    const reason = `nobody reads the output any more: ${messageOf(error)}`;
    process.stderr.write(`Stopping: ${reason}\n`);
    stopping.abort(reason);
  });
  process.stderr.on('error', () => stopping.abort('nobody reads the output any more'));
  if (env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) stopping.abort('the shell that npm started it in has ended');
    }, PARENT_CHECK_MS).unref();
  }
  return stopping.signal;
};
