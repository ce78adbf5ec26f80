import { proxyActivities } from '@temporalio/workflow';
import type { WebhookTroubleActivities } from './activities.js';
import { TROUBLE_TOLD_FOR_MS, type WebhookTroubleInput } from './contract.js';

const post = proxyActivities<WebhookTroubleActivities>({
  // One SMTP exchange has limits of its own below this.
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: TROUBLE_TOLD_FOR_MS,
  retry: { initialInterval: '1 second', maximumInterval: '10 minutes', nonRetryableErrorTypes: ['MailRefused'] },
});

/** Tells the owner of the day's first failed delivery, or of a receiver that wants no more. */
export async function webhookTrouble(input: WebhookTroubleInput): Promise<void> {
  await post.mailWebhookTrouble(input);
}
