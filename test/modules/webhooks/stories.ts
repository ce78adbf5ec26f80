import type {
  DeliveryAttempted,
  DeliveryCreated,
  DeliveryEvent,
  EventName,
  WebhookChanges,
  WebhookEvent,
} from '../../../src/modules/webhooks/events.js';

/** Events of one webhook and of one delivery, as the tests tell their story. */
export const webhookId = 'whk_1';
export const organizationId = 'org_1';
export const deliveryId = 'dlv_1';
export const ref = { webhookId, organizationId };

export const created = (events: readonly EventName[] = ['batch.created', 'dpp.published']): WebhookEvent => ({
  type: 'WebhookCreated',
  data: { ...ref, url: 'https://hooks.example/a', events },
});
export const changed = (changes: WebhookChanges): WebhookEvent => ({
  type: 'WebhookChanged',
  data: { webhookId, changes },
});
export const rotated = (rotatedAt: number): WebhookEvent => ({
  type: 'WebhookSecretRotated',
  data: { webhookId, rotatedAt },
});
export const gone: WebhookEvent = { type: 'WebhookPaused', data: { webhookId, reason: 'gone' } };
export const replayAsked = (replayId: string): WebhookEvent => ({
  type: 'WebhookReplayAsked',
  data: { ...ref, replayId, from: 1, to: 2, askedAt: 3 },
});
export const deleted: WebhookEvent = { type: 'WebhookDeleted', data: ref };

export const delivery = (more: Partial<DeliveryCreated> = {}): DeliveryCreated => ({
  deliveryId,
  ...ref,
  event: 'dpp.published',
  sourceEventId: '00000000-0000-4000-8000-000000000001',
  body: '{"event":"dpp.published","timestamp":"2026-11-21T10:00:00.000Z","data":{}}',
  createdAt: 1_000,
  held: false,
  ...more,
});

export const deliveryCreated = (more: Partial<DeliveryCreated> = {}): DeliveryEvent => ({
  type: 'DeliveryCreated',
  data: delivery(more),
});
export const redeliveryAsked = (redeliveryId: string, askedAt = 9_000): DeliveryEvent => ({
  type: 'RedeliveryAsked',
  data: { deliveryId, webhookId, redeliveryId, askedAt },
});

/** The first attempt, answered 500, with another one due a minute after its end. */
export const attempt = (more: Partial<DeliveryAttempted> = {}) => ({
  attempt: 1,
  kind: 'scheduled' as const,
  at: 2_000,
  durationMs: 30,
  status: 500,
  error: 'answered 500',
  answer: 'oops',
  nextAttemptAt: 62_030,
  ...more,
});
export const attempted = (more: Partial<DeliveryAttempted> = {}): DeliveryEvent => ({
  type: 'DeliveryAttempted',
  data: { deliveryId, webhookId, ...attempt(more) },
});
export const success = { status: 200, error: null, answer: 'ok', nextAttemptAt: null };
export const succeeded = (at = 2_030): DeliveryEvent => ({
  type: 'DeliverySucceeded',
  data: { deliveryId, webhookId, at },
});
export const failed = (at = 2_030): DeliveryEvent => ({ type: 'DeliveryFailed', data: { deliveryId, webhookId, at } });
export const cancelled = (at = 5_000): DeliveryEvent => ({
  type: 'DeliveryCancelled',
  data: { deliveryId, webhookId, at, reason: 'paused' },
});
