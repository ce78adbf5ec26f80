import { organizationOf, type CommandContext } from '../../core/context.js';
import { invalid, notFound } from '../../core/errors.js';
import type { Plan } from '../../core/vocabulary.js';
import { execute, load, type Loaded } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { refuseTarget, type TargetRules } from '../../infrastructure/webhook-sender/address-rules.js';
import {
  countReplayed,
  listDeliveries,
  type DeliveryFilter,
  type DeliveryRecord,
} from '../../../projections/deliveries/queries.js';
import type { Page, Paged } from '../../../projections/page.js';
import {
  keptWebhook,
  webhookDecider,
  type KeptWebhook,
  type WebhookCommand,
  type WebhookRef,
  type WebhookState,
} from './decider.js';
import type { Delivery } from './delivery.js';
import { webhookStream, type EventName, type WebhookChanges } from './events.js';
import type { DeliveryDetail, WebhookDetail } from './schemas.js';
import { firstSecret, rotate, type SecretDependencies } from './secrets.js';
import { askRedelivery, createDelivery, loadDelivery, refuseUnlessSendable } from './sending.js';
import { givePlaceBack, takePlace } from './slots.js';
import { shownDelivery, standingOf, stoppedUpTo } from './stops.js';

export interface WebhookDependencies extends SecretDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly targets: TargetRules;
}

/** Who asks, and whether its plan lets webhooks work. */
export type WebhookReader = WebhookRef & { readonly plan: Plan };

/** Answers the webhook with its secret, which nobody is told again. */
export async function createWebhook(
  deps: WebhookDependencies,
  context: CommandContext,
  { url, events }: { url: string; events: readonly EventName[] },
): Promise<WebhookDetail & { secret: string }> {
  refuseBadTarget(url, deps.targets);
  const ref = { webhookId: context.newId('whk'), organizationId: organizationOf(context) };
  await takePlace(deps.database, ref, async (webhookId) => {
    const { state } = await load(deps.eventStore, webhookDecider, webhookStream(webhookId));
    return state.status === 'kept';
  });
  const secret = await firstSecret(deps, ref.webhookId);
  const created = await run(deps, context, ref.webhookId, { type: 'CreateWebhook', ...ref, url, events }, true);
  return { ...detailOf(created, { ...ref, plan: 'pro' }), secret };
}

export async function readWebhook(
  { eventStore }: Pick<WebhookDependencies, 'eventStore'>,
  reader: WebhookReader,
): Promise<WebhookDetail> {
  return detailOf(await load(eventStore, webhookDecider, webhookStream(reader.webhookId)), reader);
}

/** A pause ends what waits, as it is shown at once and as a workflow writes down; a new address counts from the next attempt on, new event names for new events. */
export async function changeWebhook(
  deps: WebhookDependencies,
  context: CommandContext,
  webhookId: string,
  changes: WebhookChanges,
): Promise<WebhookDetail> {
  if (changes.url !== undefined) refuseBadTarget(changes.url, deps.targets);
  const ref = { webhookId, organizationId: organizationOf(context) };
  const changed = await run(deps, context, webhookId, { type: 'ChangeWebhook', ...ref, changes });
  return detailOf(changed, { ...ref, plan: 'pro' });
}

/** Answers the new secret; for a day both sign. */
export async function rotateSecret(
  deps: WebhookDependencies,
  context: CommandContext,
  webhookId: string,
): Promise<WebhookDetail & { secret: string }> {
  const ref = { webhookId, organizationId: organizationOf(context) };
  keptWebhook((await load(deps.eventStore, webhookDecider, webhookStream(webhookId))).state, ref);
  const rotated = await rotate(deps, { webhookId, rotationId: context.seed, now: context.now });
  if (rotated === null) throw notFound('webhook', webhookId);
  const { secret, rotatedAt } = rotated;
  const after = await run(deps, context, webhookId, { type: 'RotateSecret', ...ref, rotatedAt });
  return { ...detailOf(after, { ...ref, plan: 'pro' }), secret };
}

/** What waits ends, and nothing more is sent. Deleting what is deleted is no error. A workflow finishes what is left undone. */
export async function deleteWebhook(
  deps: WebhookDependencies,
  context: CommandContext,
  webhookId: string,
): Promise<void> {
  const organizationId = organizationOf(context);
  await run(deps, context, webhookId, { type: 'DeleteWebhook', webhookId, organizationId });
  await givePlaceBack(deps.database, webhookId);
}

/** Makes a delivery of `webhook.test`: sent once, also to a webhook that is paused. */
export async function testWebhook(
  deps: WebhookDependencies,
  context: CommandContext,
  webhookId: string,
): Promise<{ deliveryId: string }> {
  const ref = { webhookId, organizationId: organizationOf(context) };
  keptWebhook((await load(deps.eventStore, webhookDecider, webhookStream(webhookId))).state, ref);
  const { deliveryId } = await createDelivery(deps, context, {
    ...ref,
    event: 'webhook.test',
    sourceEventId: context.seed,
    timestampMs: context.now,
    data: { webhookId },
    held: false,
  });
  return { deliveryId };
}

/** It outlives its webhook. */
export async function readDelivery(
  { eventStore }: Pick<WebhookDependencies, 'eventStore'>,
  { organizationId, deliveryId }: { organizationId: string; deliveryId: string },
): Promise<DeliveryDetail> {
  const delivery = await ownDelivery({ eventStore }, { organizationId, deliveryId });
  return deliveryDetail(await shownDelivery(eventStore, delivery));
}

/** The webhook's deliveries, newest first. */
export async function readDeliveries(
  { eventStore, database }: Pick<WebhookDependencies, 'eventStore' | 'database'>,
  { webhookId, organizationId }: WebhookRef,
  filter: DeliveryFilter,
  page: Page,
): Promise<Paged<DeliveryRecord>> {
  const standing = await standingOf(eventStore, webhookId);
  if (standing.organizationId !== organizationId || standing.url === '') throw notFound('webhook', webhookId);
  return listDeliveries(database, eventStore.texts, webhookId, filter, page, stoppedUpTo(standing));
}

/** One more attempt, of the same bytes under the same id. */
export async function redeliver(
  deps: WebhookDependencies,
  context: CommandContext,
  deliveryId: string,
): Promise<DeliveryDetail> {
  const { webhookId } = await ownDelivery(deps, { organizationId: organizationOf(context), deliveryId });
  await refuseUnlessSendable(deps, webhookId);
  return deliveryDetail(await askRedelivery(deps, context, { deliveryId, redeliveryId: context.seed }));
}

/** Everything of the time range again, and what was held back in a pause; says how many deliveries there are to send. */
export async function replay(
  deps: WebhookDependencies,
  context: CommandContext,
  { webhookId, from, to }: { webhookId: string; from: number; to: number },
): Promise<{ count: number }> {
  const ref = { webhookId, organizationId: organizationOf(context) };
  keptWebhook((await load(deps.eventStore, webhookDecider, webhookStream(webhookId))).state, ref);
  await refuseUnlessSendable(deps, webhookId);
  // A range that ends in the future ends now: what comes is sent anyway.
  const range = { from, to: Math.min(to, context.now) };
  const stopped = stoppedUpTo(await standingOf(deps.eventStore, webhookId));
  const count = await countReplayed(deps.database, webhookId, range, stopped);
  const asked = { ...ref, ...range, replayId: context.seed, askedAt: context.now };
  await run(deps, context, webhookId, { type: 'AskReplay', ...asked });
  return { count };
}

const run = (
  { eventStore }: Pick<WebhookDependencies, 'eventStore'>,
  context: CommandContext,
  webhookId: string,
  command: WebhookCommand,
  isNew = false,
): Promise<Loaded<WebhookState>> =>
  execute(eventStore, context, { stream: webhookStream(webhookId), decider: webhookDecider, command, isNew });

function refuseBadTarget(url: string, targets: TargetRules): void {
  const why = refuseTarget(new URL(url), targets);
  if (why !== null) throw invalid('url', `"url" ${why}.`, 'address_refused');
}

async function ownDelivery(
  { eventStore }: Pick<WebhookDependencies, 'eventStore'>,
  { organizationId, deliveryId }: { organizationId: string; deliveryId: string },
): Promise<Delivery> {
  const delivery = await loadDelivery({ eventStore }, deliveryId);
  if (delivery.organizationId !== organizationId) throw notFound('delivery', deliveryId);
  return delivery;
}

function detailOf({ state, createdAt }: Loaded<WebhookState>, reader: WebhookReader): WebhookDetail {
  const webhook: KeptWebhook = keptWebhook(state, reader);
  return {
    id: webhook.webhookId,
    url: webhook.url,
    events: [...webhook.events],
    active: webhook.active,
    pausedBy: reader.plan === 'free' ? 'plan' : webhook.gone ? 'gone' : null,
    createdAt: createdAt ?? 0,
  };
}

const deliveryDetail = (delivery: Delivery): DeliveryDetail => ({
  id: delivery.deliveryId,
  event: delivery.event,
  webhookId: delivery.webhookId,
  state: delivery.status,
  createdAt: delivery.createdAt,
  nextAttemptAt: delivery.nextAttemptAt,
  attempts: delivery.attempts.map(({ at, durationMs, status, error, answer }) => ({
    ...{ at, durationMs, status, error, answer },
  })),
});
