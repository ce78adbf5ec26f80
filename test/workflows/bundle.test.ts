import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { FAILURE_CONVERTER_PATH } from '../../src/infrastructure/temporal/place.js';
import { expect, it } from 'vitest';

it('holds no zod, no built-in of Node and nothing else that a replay cannot repeat', async () => {
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
  const { code } = await bundleWorkflowCode({
    ...{ workflowsPath, failureConverterPath: FAILURE_CONVERTER_PATH },
    logger: new DefaultLogger('ERROR'),
  });
  expect(code).toContain('batchLifecycle');
  // How failures are written is the sandbox's business too.
  const rest = code.replaceAll('src/infrastructure/temporal/failure-converter', '');
  for (const room of ['node_modules/zod', 'src/infrastructure/', 'src/modules/batches/handlers', 'projections/']) {
    expect(rest).not.toContain(room);
  }
});
