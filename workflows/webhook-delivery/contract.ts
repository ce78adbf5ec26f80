import type { AttemptKind } from '../../src/modules/webhooks/events.js';
import { WEBHOOK_QUEUE } from '../task-queues.js';

/** One event on its way to one webhook. */
export const WEBHOOK_DELIVERY = { type: 'webhookDelivery', taskQueue: WEBHOOK_QUEUE } as const;

export const webhookDeliveryId = (delivery: { readonly webhookId: string; readonly sourceEventId: string }): string =>
  `webhook-delivery/${delivery.webhookId}/${delivery.sourceEventId}`;

/** One more attempt on a delivery that had ended. */
export const webhookRedeliveryId = (again: { readonly deliveryId: string; readonly redeliveryId: string }): string =>
  `webhook-delivery/${again.deliveryId}/again/${again.redeliveryId}`;

export interface WebhookDeliveryInput {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly organizationId: string;
  readonly kind: AttemptKind;
  /** Which of the delivery's redeliveries this is; null for its schedule. */
  readonly redeliveryId: string | null;
}
