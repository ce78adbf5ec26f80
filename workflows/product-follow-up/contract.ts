import type { EventPlace } from '../../src/core/events.js';
import { TASK_QUEUE } from '../task-queues.js';

/** What a changed or deleted product means for its passports and batches. */
export const PRODUCT_FOLLOW_UP = { type: 'productFollowUp', taskQueue: TASK_QUEUE } as const;

/** One for each event that changed or deleted the product, or that made a batch of one that is deleted. */
export const productFollowUpId = ({ productId, eventId }: ProductFollowUpInput): string =>
  `product-follow-up/${productId}/${eventId}`;

export interface ProductFollowUpInput {
  readonly productId: string;
  readonly organizationId: string;
  readonly change: 'updated' | 'deleted';
  readonly eventId: string;
  /** Of that event: read models that are asked have to hold it. */
  readonly place: EventPlace;
  readonly correlationId: string;
}
