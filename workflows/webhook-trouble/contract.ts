import { TASK_QUEUE } from '../task-queues.js';

/** The mail that tells an organization of webhooks that do not work. */
export const WEBHOOK_TROUBLE = { type: 'webhookTrouble', taskQueue: TASK_QUEUE } as const;

/** What is older is told by the next mail. */
export const TROUBLE_TOLD_FOR_MS = 24 * 3_600_000;

/** One for an organization and day (UTC), whatever else goes wrong on it. */
export const webhookTroubleId = ({ organizationId, day }: WebhookTroubleInput): string =>
  `webhook-trouble/${organizationId}/${day}`;

export interface WebhookTroubleInput {
  readonly organizationId: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly webhookId: string;
  /** The delivery that has failed; null when the receiver has answered 410. */
  readonly deliveryId: string | null;
}
