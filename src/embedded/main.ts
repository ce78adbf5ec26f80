import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from './start-error.js';
import { createOutput } from './supervisor/output.js';
import { servicePrograms } from './supervisor/programs.js';
import { supervise } from './supervisor/supervisor.js';
import { createStopSignal } from './supervisor/stop-signal.js';

const { env } = process;
const output = createOutput({ level: env.LOG_LEVEL || 'info', target: process.stdout });
const root = fileURLToPath(new URL('../../', import.meta.url));

try {
  await supervise({
    dataDir: resolve(env.DATA_DIR || '.data'),
    // Beside the default data, so that a second service and the tests fetch nothing again.
    toolsDir: resolve(env.TOOLS_DIR || '.data/tools'),
    env,
    output,
    cli: join(root, 'src', 'cli.js'),
    programs: (environment) => servicePrograms(root, environment),
    print: (text) => process.stdout.write(text),
    stop: createStopSignal(env, output.logger),
  });
  process.exit();
} catch (error) {
  if (error instanceof StartError) process.stderr.write(`Cannot start: ${error.message}\n`);
  else output.logger.fatal({ err: error }, 'ended by an error that nobody has caught');
  process.exit(1);
}
