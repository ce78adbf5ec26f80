import type { WaitingUpTo } from '../../projections/deliveries/queries.js';
import type { EventPlace } from '../../src/core/events.js';
import { WEBHOOK_QUEUE } from '../task-queues.js';

/** Ends all deliveries that waited when their webhook was paused or deleted, and what a deletion has left behind. */
export const WEBHOOK_ENDING = { type: 'webhookEnding', taskQueue: WEBHOOK_QUEUE } as const;

/** One for a webhook and the event that stopped it. */
export const webhookEndingId = ({ webhookId, eventId }: Pick<WebhookEndingInput, 'webhookId' | 'eventId'>): string =>
  `webhook-ending/${webhookId}/${eventId}`;

export interface WebhookEndingInput {
  readonly webhookId: string;
  readonly eventId: string;
  /** Of that event: the list of deliveries has to have come that far. */
  readonly place: EventPlace;
  /** The last delivery that was looked at, where an earlier run has stopped. */
  readonly after: WaitingUpTo | null;
}
