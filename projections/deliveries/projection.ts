import type { DeliveryEvent } from '../../src/modules/webhooks/events.js';
import { insert, patch, projection, table } from '../projection.js';

export const deliveries = table({
  name: 'deliveries',
  key: ['id'],
  columns: {
    id: 'text',
    webhook_id: 'text',
    event: 'text',
    state: 'text',
    next_attempt_at: 'bigint',
    created_at: 'bigint',
  },
});

export const deliveryAttempts = table({
  name: 'delivery_attempts',
  key: ['delivery_id', 'attempt'],
  columns: {
    delivery_id: 'text',
    attempt: 'integer',
    at: 'bigint',
    duration_ms: 'bigint',
    status: 'integer',
    error: 'text',
    answer: 'text',
  },
});

export const deliveriesProjection = projection<DeliveryEvent>({
  DeliveryCreated: ({ data }) => [
    insert(deliveries, {
      id: data.deliveryId,
      webhook_id: data.webhookId,
      event: data.event,
      state: data.held ? 'cancelled' : 'pending',
      next_attempt_at: data.held ? null : data.createdAt,
      created_at: data.createdAt,
    }),
  ],
  RedeliveryAsked: ({ data }) => [
    patch(deliveries, { id: data.deliveryId }, { state: 'pending', next_attempt_at: data.askedAt }),
  ],
  DeliveryAttempted: ({ data }) => [
    insert(deliveryAttempts, {
      delivery_id: data.deliveryId,
      attempt: data.attempt,
      at: data.at,
      duration_ms: data.durationMs,
      status: data.status,
      error: data.error,
      answer: data.answer,
    }),
    ...(data.nextAttemptAt === null
      ? []
      : [patch(deliveries, { id: data.deliveryId }, { state: 'retrying', next_attempt_at: data.nextAttemptAt })]),
  ],
  DeliverySucceeded: ({ data }) => [ended(data.deliveryId, 'delivered')],
  DeliveryFailed: ({ data }) => [ended(data.deliveryId, 'failed')],
  DeliveryCancelled: ({ data }) => [ended(data.deliveryId, 'cancelled')],
});

const ended = (id: string, state: 'delivered' | 'failed' | 'cancelled') =>
  patch(deliveries, { id }, { state, next_attempt_at: null });
