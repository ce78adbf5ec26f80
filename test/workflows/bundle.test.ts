import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { expect, it } from 'vitest';

it('holds no zod, no built-in of Node and nothing else that a replay cannot repeat', async () => {
  const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  expect(code).toContain('batchLifecycle');
  for (const room of ['node_modules/zod', 'src/infrastructure/', 'src/modules/batches/handlers', 'projections/']) {
    expect(code).not.toContain(room);
  }
});
