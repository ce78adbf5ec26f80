import { proxyActivities } from '@temporalio/workflow';
import type { WebhookTroubleActivities } from './activities.js';
import type { WebhookTroubleInput } from './contract.js';

const post = proxyActivities<WebhookTroubleActivities>({
  // One SMTP exchange has limits of its own below this.
  startToCloseTimeout: '1 minute',
  // What is older than a day is told by the next mail.
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '1 second', maximumInterval: '10 minutes', nonRetryableErrorTypes: ['MailRefused'] },
});

/** Tells the owner of the day's first failed delivery, or of a receiver that wants no more. */
export async function webhookTrouble(input: WebhookTroubleInput): Promise<void> {
  await post.mailWebhookTrouble(input);
}
