import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { WebhookEndingActivities } from './activities.js';
import type { WebhookEndingInput } from './contract.js';

const pages = proxyActivities<WebhookEndingActivities>({
  startToCloseTimeout: '2 minutes',
  // The read model is a moment behind, or something is down for a while: nobody else ends the rest.
  retry: { initialInterval: '250 milliseconds', maximumInterval: '30 seconds' },
});

/** Keeps the history of a run short, however many wait. */
const PAGES_IN_A_RUN = 10;

/** Page by page, the oldest first. */
export async function webhookEnding(input: WebhookEndingInput): Promise<void> {
  let { after } = input;
  for (let page = 1; page <= PAGES_IN_A_RUN; page += 1) {
    after = await pages.endPageOfWaiting({ ...input, after, now: Date.now() });
    if (after === null) return;
  }
  await continueAsNew<typeof webhookEnding>({ ...input, after });
}
