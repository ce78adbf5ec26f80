import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { WebhookReplayActivities } from './activities.js';
import type { WebhookReplayInput } from './contract.js';

const pages = proxyActivities<WebhookReplayActivities>({
  startToCloseTimeout: '2 minutes',
  // The read model is a moment behind, or something is down for a while: nobody else asks for the rest.
  retry: { initialInterval: '250 milliseconds', maximumInterval: '30 seconds' },
});

/** Page by page, the oldest first. Each delivery that is asked for is then sent by a workflow of its own. */
export async function webhookReplay(input: WebhookReplayInput): Promise<void> {
  let { after } = input;
  do {
    after = await pages.askPageAgain({ ...input, after, now: Date.now() });
    if (after !== null && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof webhookReplay>({ ...input, after });
    }
  } while (after !== null);
}
