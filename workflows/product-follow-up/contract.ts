import { TASK_QUEUE } from '../task-queues.js';

/** What a changed or deleted product means for its passports and batches. */
export const PRODUCT_FOLLOW_UP = { type: 'productFollowUp', taskQueue: TASK_QUEUE } as const;

/** One for each event that changed or deleted the product. */
export const productFollowUpId = ({ productId, eventId }: ProductFollowUpInput): string =>
  `product-follow-up/${productId}/${eventId}`;

export interface ProductFollowUpInput {
  readonly productId: string;
  readonly organizationId: string;
  readonly change: 'updated' | 'deleted';
  readonly eventId: string;
  readonly correlationId: string;
}
