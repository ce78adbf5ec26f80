import {
  ActivityFailure,
  ApplicationFailure,
  continueAsNew,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { ProductImportActivities } from './activities.js';
import type { ProductImportInput } from './contract.js';

/** Nobody else does it: tried until it works, soon at first, as a server that went away is mostly back within seconds. */
const retry = { initialInterval: '200 milliseconds', maximumInterval: '10 seconds', backoffCoefficient: 2 } as const;

const rows = proxyActivities<ProductImportActivities>({
  // A chunk takes less than a second; one that waits for a server that is down shows it by its heartbeat.
  startToCloseTimeout: '2 minutes',
  // A worker that was killed is noticed by its silence. One that only seemed dead does no harm: rows may be done twice.
  heartbeatTimeout: '4 seconds',
  retry,
});

const { endProductImport } = proxyActivities<ProductImportActivities>({ startToCloseTimeout: '30 seconds', retry });

/**
 * Imports a file, chunk by chunk, each after the one before. How far it is stands in the database and not here: whoever goes on,
 * goes on at the first row without an outcome.
 */
export async function productImport(input: ProductImportInput): Promise<void> {
  let after: Awaited<ReturnType<typeof rows.importChunk>> = 'more';
  let failure: string | null = null;
  try {
    while (after === 'more') {
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof productImport>(input);
      after = await rows.importChunk({ ...input, now: Date.now() });
    }
  } catch (error) {
    failure = refusalIn(error);
    if (failure === null) throw error;
  }
  const state = failure !== null ? 'failed' : after === 'cancelled' ? 'cancelled' : 'completed';
  await endProductImport({ ...input, state, failure, now: Date.now() });
}

/** A refusal is final; every other fault is tried again by the activity itself. */
const refusalIn = (error: unknown): string | null =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.nonRetryable === true
    ? error.cause.message
    : null;
