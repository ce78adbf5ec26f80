import type { CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import type { Recorded } from '../../core/events.js';
import { execute, load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { waitingDeliveries } from '../../../projections/deliveries/queries.js';
import { organizationStream, type OrganizationEvent, type Plan } from '../organizations/events.js';
import { webhookBody, type WebhookData } from './bodies.js';
import { webhookDecider } from './decider.js';
import { deliveryDecider, type Attempt, type Delivery, type DeliveryState } from './delivery.js';
import {
  deliveryIdOf,
  deliveryStream,
  webhookStream,
  type CancelReason,
  type DeliverableName,
  type EventName,
  type WebhookEvent,
} from './events.js';

/*
 * What the programs that deliver ask and say. Each of these may be called again with the same arguments: nothing is made
 * or said twice.
 */

export interface SendingDependencies {
  readonly eventStore: EventStore;
  readonly database: Queryable;
}

/** How many waiting deliveries a pause ends before it answers; the others end when their time has come. */
const CANCELLED_AT_ONCE = 100;
/** The same where nobody waits for the answer. */
const CANCELLED_LATER = 1_000;

/**
 * The webhooks that want this event, as they stood just before it: what was subscribed or paused later changes nothing.
 * `held`: paused at that moment, so the delivery is made and kept for a replay.
 */
export async function matchingWebhooks(
  { eventStore, database }: SendingDependencies,
  fact: { readonly organizationId: string; readonly event: EventName },
  position: bigint,
): Promise<readonly { readonly webhookId: string; readonly held: boolean }[]> {
  const ids = await webhooksOf(database, fact.organizationId);
  if (ids.length === 0) return [];
  const [plan, ...webhooks] = await Promise.all([
    planAt(eventStore, fact.organizationId, position),
    ...ids.map((id) => webhookAt(eventStore, id, position)),
  ]);
  return webhooks.flatMap((webhook) =>
    webhook.status === 'kept' && webhook.events.includes(fact.event)
      ? [{ webhookId: webhook.webhookId, held: !webhook.active || plan !== 'pro' }]
      : [],
  );
}

/** Whether the organization has ever had one: most have not, and then nothing of an event needs to be known. */
export const hasWebhooks = async (
  { database }: Pick<SendingDependencies, 'database'>,
  organizationId: string,
): Promise<boolean> => (await webhooksOf(database, organizationId)).length > 0;

/** Makes the delivery, or answers the one that was made before. */
export async function createDelivery<Name extends DeliverableName>(
  { eventStore, database }: SendingDependencies,
  context: CommandContext,
  order: {
    readonly webhookId: string;
    readonly organizationId: string;
    readonly event: Name;
    readonly sourceEventId: string;
    /** When what it tells of happened, in milliseconds. */
    readonly timestampMs: number;
    readonly data: WebhookData[Name];
    readonly held: boolean;
  },
): Promise<Delivery> {
  const { webhookId, organizationId, event, sourceEventId, held } = order;
  const deliveryId = deliveryIdOf(webhookId, sourceEventId);
  const { rowCount } = await database.query(
    `insert into service.webhook_deliveries (webhook_id, source_event_id, delivery_id) values ($1, $2, $3)
     on conflict do nothing`,
    [webhookId, sourceEventId, deliveryId],
  );
  const { state } = await execute(
    eventStore,
    { ...context, organizationId },
    {
      stream: deliveryStream(deliveryId),
      decider: deliveryDecider,
      command: {
        type: 'CreateDelivery',
        delivery: {
          ...{ deliveryId, webhookId, organizationId, event, sourceEventId },
          body: webhookBody(event, order.timestampMs, order.data),
          // What a pause held back belongs to the time in which it happened: that is what a replay names.
          createdAt: held ? order.timestampMs : context.now,
          held,
        },
      },
      isNew: rowCount === 1,
    },
  );
  return found(deliveryId, state);
}

/** Whoever's it is. */
export async function loadDelivery(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  deliveryId: string,
): Promise<Delivery> {
  return found(deliveryId, (await load(eventStore, deliveryDecider, deliveryStream(deliveryId))).state);
}

/** Asks for one more attempt; the event is what starts it. 409 while attempts are still to come. */
export async function askRedelivery(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  context: CommandContext,
  { deliveryId, redeliveryId }: { deliveryId: string; redeliveryId: string },
): Promise<Delivery> {
  const { state } = await execute(eventStore, context, {
    stream: deliveryStream(deliveryId),
    decider: deliveryDecider,
    command: { type: 'AskRedelivery', redeliveryId, askedAt: context.now },
  });
  return found(deliveryId, state);
}

/**
 * Says how an attempt went, and with it how the delivery stands: delivered when `error` is null, to be tried again at
 * `nextAttemptAt`, or failed when that is null. An attempt number that is known already changes nothing.
 */
export async function recordAttempt(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  context: CommandContext,
  deliveryId: string,
  attempt: Attempt,
): Promise<Delivery> {
  const { state } = await execute(eventStore, context, {
    stream: deliveryStream(deliveryId),
    decider: deliveryDecider,
    command: { type: 'RecordAttempt', attempt },
  });
  return found(deliveryId, state);
}

/** Ends a delivery whose attempts were still to come; another one stays as it is. */
export async function cancelDelivery(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  context: CommandContext,
  { deliveryId, reason }: { deliveryId: string; reason: CancelReason },
): Promise<Delivery> {
  const { state } = await execute(eventStore, context, {
    stream: deliveryStream(deliveryId),
    decider: deliveryDecider,
    command: { type: 'CancelDelivery', reason, at: context.now },
  });
  return found(deliveryId, state);
}

/** The same for many of a webhook; says how many there were, at most `limit`. */
export async function cancelWaitingDeliveries(
  deps: SendingDependencies,
  context: CommandContext,
  {
    webhookId,
    reason,
    limit = CANCELLED_AT_ONCE,
  }: { webhookId: string; reason: CancelReason; limit?: number | undefined },
): Promise<number> {
  const ids = await waitingDeliveries(deps.database, webhookId, limit);
  for (const deliveryId of ids) await cancelDelivery(deps, context, { deliveryId, reason });
  return ids.length;
}

/**
 * The organization has fallen back to the free plan: what waits for its webhooks ends, a thousand for each; the others end
 * when their time has come. What was asked for after it had returned stays.
 */
export async function endWhatPlanStops(
  deps: SendingDependencies,
  context: CommandContext,
  organizationId: string,
): Promise<void> {
  for (const webhookId of await webhooksOf(deps.database, organizationId)) {
    for (const deliveryId of await waitingDeliveries(deps.database, webhookId, CANCELLED_LATER)) {
      const delivery = await loadDelivery(deps, deliveryId);
      const isAskedAgain = delivery.status === 'pending' && delivery.redeliveries.length > 0;
      const since = isAskedAgain ? (delivery.nextAttemptAt ?? delivery.createdAt) : delivery.createdAt;
      if (!(await wasFree(deps.eventStore, organizationId, since))) continue;
      await cancelDelivery(deps, context, { deliveryId, reason: 'plan' });
    }
  }
}

/** Where to send, and whether to: `stop` says why not. */
export interface Target {
  readonly webhookId: string;
  readonly organizationId: string;
  /** Empty when the webhook has been deleted. */
  readonly url: string;
  /**
   * The webhook is paused or deleted, or was paused at some time after `since`: a pause ends what waits, also when it is
   * over by now.
   */
  readonly stop: CancelReason | null;
}

/** `since` is when the delivery was made or last asked for again. */
export async function webhookForSending(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  webhookId: string,
  since: number,
): Promise<Target> {
  let state = webhookDecider.initialState;
  let stop: CancelReason | null = null;
  for await (const event of eventStore.readStream(webhookStream(webhookId))) {
    const known = event as unknown as Recorded & WebhookEvent;
    state = webhookDecider.evolve(state, known);
    if (state.status !== 'kept' || state.active || event.metadata.recordedAt < since) continue;
    if (known.type === 'WebhookPaused') stop = 'gone';
    if (known.type === 'WebhookChanged' && known.data.changes.active === false) stop = 'paused';
  }
  if (state.status === 'none') throw notFound('webhook', webhookId);
  const { organizationId } = state;
  if (state.status === 'deleted') return { webhookId, organizationId, url: '', stop: 'deleted' };
  if (!state.active) stop ??= state.gone ? 'gone' : 'paused';
  if (stop === null && (await wasFree(eventStore, organizationId, since))) stop = 'plan';
  return { webhookId, organizationId, url: state.url, stop };
}

/** After a 410: the webhook is paused, and what waits for it ends. */
export async function pauseGone(deps: SendingDependencies, context: CommandContext, webhookId: string): Promise<void> {
  await execute(deps.eventStore, context, {
    stream: webhookStream(webhookId),
    decider: webhookDecider,
    command: { type: 'PauseGone', webhookId },
  });
  await cancelWaitingDeliveries(deps, context, { webhookId, reason: 'gone' });
}

function found(deliveryId: string, state: DeliveryState): Delivery {
  if (state.status === 'none') throw notFound('delivery', deliveryId);
  return state;
}

/** Throws unless the webhook can be sent to now. */
export async function refuseUnlessSendable(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  webhookId: string,
): Promise<void> {
  const { stop } = await webhookForSending({ eventStore }, webhookId, Infinity);
  if (stop === 'deleted') throw new Refusal('webhook_deleted', `The webhook "${webhookId}" has been deleted.`);
  if (stop !== null) throw new Refusal('webhook_paused', `The webhook "${webhookId}" is paused.`);
}

async function webhooksOf(database: Queryable, organizationId: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>(
    'select id from service.webhooks where organization_id = $1 order by id',
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

async function webhookAt(eventStore: EventStore, webhookId: string, position: bigint) {
  let state = webhookDecider.initialState;
  for await (const event of eventStore.readStream(webhookStream(webhookId))) {
    if (event.position >= position) break;
    state = webhookDecider.evolve(state, event as unknown as WebhookEvent);
  }
  return state;
}

async function planAt(eventStore: EventStore, organizationId: string, position: bigint): Promise<Plan> {
  let plan: Plan = 'free';
  for await (const event of eventStore.readStream(organizationStream(organizationId))) {
    if (event.position >= position) break;
    plan = planAfter(plan, event);
  }
  return plan;
}

/** Free now, or at some time since. */
async function wasFree(eventStore: EventStore, organizationId: string, since: number): Promise<boolean> {
  let plan: Plan = 'free';
  let wasFreeSince = false;
  for await (const event of eventStore.readStream(organizationStream(organizationId))) {
    plan = planAfter(plan, event);
    if (plan === 'free' && event.metadata.recordedAt >= since) wasFreeSince = true;
  }
  return plan === 'free' || wasFreeSince;
}

function planAfter(plan: Plan, event: Recorded): Plan {
  const known = event as unknown as OrganizationEvent;
  return known.type === 'OrganizationPlanChanged' ? known.data.plan : plan;
}
