import type { EventPlace } from '../../src/core/events.js';
import { WEBHOOK_QUEUE } from '../task-queues.js';

/** Asks again for every delivery of a time range. */
export const WEBHOOK_REPLAY = { type: 'webhookReplay', taskQueue: WEBHOOK_QUEUE } as const;

export const webhookReplayId = ({ replayId }: Pick<WebhookReplayInput, 'replayId'>): string =>
  `webhook-replay/${replayId}`;

export interface WebhookReplayInput {
  readonly webhookId: string;
  readonly organizationId: string;
  readonly replayId: string;
  /** Both included, in milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The event that asks for it: the list of deliveries has to have come that far. */
  readonly place: EventPlace;
  /** The last delivery that is done, where an earlier run has stopped. */
  readonly after: ReplayedUpTo | null;
}

export interface ReplayedUpTo {
  readonly createdAt: number;
  readonly id: string;
}
