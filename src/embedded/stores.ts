import { resolve } from 'node:path';
import { StartError } from './start-error.js';
import { createOutput } from './supervisor/output.js';
import { startStores } from './supervisor/parts.js';
import { choosePartPorts } from './supervisor/settings.js';
import { createStopSignal } from './supervisor/stop-signal.js';
import { keepParts } from './supervisor/supervisor.js';

/**
 * The embedded event store of a stopped service, and its Postgres unless `DATABASE_URL` names one, for a command of the operator's:
 * no program of the service runs meanwhile. Tells its parent where they are, and ends with it.
 */
const { env } = process;
const dataDir = resolve(env.DATA_DIR || '.data');
const { logger, childLine } = createOutput({ level: 'error', target: process.stderr });
const ERROR_LEVEL = 50;
const output = {
  logger,
  // They say at level info that they are ready, which is not for the operator.
  childLine: (child: string, line: string): void => {
    const level = Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? ERROR_LEVEL);
    if (level >= ERROR_LEVEL) childLine(child, line);
  },
};
// Not only Ctrl-C: the command may be killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

try {
  await keepParts({ dataDir, output, stop: createStopSignal(env, logger) }, async (keep) => {
    const ports = await choosePartPorts(dataDir);
    const options = { dataDir, env: { ...env, EVENTSTORE_URL: '', LOG_LEVEL: 'info' }, output, keep };
    const { databaseUrl, eventStoreUrl } = await startStores(options, ports);
    process.send?.({ databaseUrl, eventStoreUrl });
  });
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : String(error)}\n`);
  process.exit(1);
}
