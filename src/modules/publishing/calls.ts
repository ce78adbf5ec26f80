import { publish } from '../../../workflows/batch-lifecycle/contract.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { type CallDependencies, callLifecycle, loadBatch, refuseUnlessPublishable } from '../batches/index.js';

/** The batch's workflow publishes it. One that is published answers its passport again, without a workflow. */
export async function callPublish(
  deps: CallDependencies,
  context: CommandContext,
  batchId: string,
): Promise<{ readonly dppId: string; readonly qrUrl: string }> {
  const { state: batch } = await loadBatch(deps, organizationOf(context), batchId);
  refuseUnlessPublishable(batch);
  const { dppId, qrUrl } = batch.passport ?? (await callLifecycle(deps, context, batch, 'publish', publish, {}));
  return { dppId, qrUrl };
}
