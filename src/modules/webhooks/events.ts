import type { DomainEvent } from '../../core/events.js';
import { deterministicUuid } from '../../core/ids.js';
import { textsOf } from '../../core/private-texts.js';
import { streamName } from '../../core/streams.js';

/** What a webhook can be told of. */
export const EVENT_NAMES = [
  'batch.created',
  'batch.submitted',
  'dpp.published',
  'request.sent',
  'certificate.expiring',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** `webhook.test` is sent on demand and cannot be subscribed to. */
export type DeliverableName = EventName | 'webhook.test';

/** Stream `webhook-<id>`. Its secret is not in the log. */
export type WebhookEvent =
  | DomainEvent<
      'WebhookCreated',
      { webhookId: string; organizationId: string; url: string; events: readonly EventName[] }
    >
  /** Only what changed. `active: false` is a pause by the brand. */
  | DomainEvent<'WebhookChanged', { webhookId: string; changes: WebhookChanges }>
  /** For a day from `rotatedAt` on, the old secret signs beside the new one. */
  | DomainEvent<'WebhookSecretRotated', { webhookId: string; rotatedAt: number }>
  /** The receiver answered 410: it wants no more. */
  | DomainEvent<'WebhookPaused', { webhookId: string; reason: 'gone' }>
  /** Deliveries from the time from `from` up to and including `to` are to be sent again, those held back in a pause included. */
  | DomainEvent<
      'WebhookReplayAsked',
      { webhookId: string; organizationId: string; replayId: string; from: number; to: number; askedAt: number }
    >
  | DomainEvent<'WebhookDeleted', { webhookId: string; organizationId: string }>;

export type WebhookChanges = {
  readonly url?: string;
  readonly events?: readonly EventName[];
  readonly active?: boolean;
};

/** Stream `delivery-<id>`: one event on its way to one webhook. */
export type DeliveryEvent =
  | DomainEvent<'DeliveryCreated', DeliveryCreated>
  /** One more attempt is asked for, on a delivery whose attempts had ended. The delivery is `pending` until it was made. */
  | DomainEvent<'RedeliveryAsked', { deliveryId: string; webhookId: string; redeliveryId: string; askedAt: number }>
  | DomainEvent<'DeliveryAttempted', DeliveryAttempted>
  /** A 2xx, by whichever attempt. */
  | DomainEvent<'DeliverySucceeded', { deliveryId: string; webhookId: string; at: number }>
  /** The last attempt that was due has failed. */
  | DomainEvent<'DeliveryFailed', { deliveryId: string; webhookId: string; at: number }>
  /** What was left to do is not done: the webhook was paused or deleted, or a redelivery could not be made. */
  | DomainEvent<'DeliveryCancelled', { deliveryId: string; webhookId: string; at: number; reason: CancelReason }>;

export type DeliveryCreated = {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly organizationId: string;
  readonly event: DeliverableName;
  /** The recorded event that it tells of; a made-up id for a test. */
  readonly sourceEventId: string;
  /** The JSON text as it is sent, its UTF-8 bytes as they are signed: the same in every attempt. */
  readonly body: string;
  readonly createdAt: number;
  /** Made while the webhook was paused: kept for a replay, not sent. */
  readonly held: boolean;
};

export type AttemptKind = 'scheduled' | 'redelivery' | 'test';

export type DeliveryAttempted = {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** 1, 2, 3 ... over all kinds. */
  readonly attempt: number;
  readonly kind: AttemptKind;
  /** When it began. */
  readonly at: number;
  readonly durationMs: number;
  /** Null when no answer came. */
  readonly status: number | null;
  /** In words, and nothing of an internal address; null after a 2xx. */
  readonly error: string | null;
  /** The first KiB of the answer. */
  readonly answer: string | null;
  /** When the next attempt is due; null when this was the last one. */
  readonly nextAttemptAt: number | null;
};

export type CancelReason = 'paused' | 'gone' | 'plan' | 'deleted';

const ofOrganization = (_data: unknown, organizationId: string | null) => [organizationId];

/** Addresses hold tokens, and a receiver may answer whatever it likes. */
export const WEBHOOK_TEXTS = textsOf<WebhookEvent | DeliveryEvent>()
  .private({
    WebhookCreated: { url: ofOrganization },
    WebhookChanged: { 'changes.url': ofOrganization },
    DeliveryAttempted: { error: ofOrganization, answer: ofOrganization },
  })
  .open('body');

export const webhookStream = (webhookId: string): string => streamName('webhook', webhookId);
export const deliveryStream = (deliveryId: string): string => streamName('delivery', deliveryId);

/** One event has one delivery to one webhook, however often it is met. */
export const deliveryIdOf = (webhookId: string, sourceEventId: string): string =>
  `dlv_${deterministicUuid(webhookId, sourceEventId)}`;
