import type { CommandContext } from '../../core/context.js';
import { fold } from '../../core/decider.js';
import { notFound, Refusal } from '../../core/errors.js';
import type { Recorded } from '../../core/events.js';
import type { Plan } from '../../core/vocabulary.js';
import { execute, load, type Loaded } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { sharedReads } from '../../infrastructure/shared-reads.js';
import { organizationStream } from '../organizations/index.js';
import { webhookBody, type WebhookData } from './bodies.js';
import { webhookDecider, type WebhookState } from './decider.js';
import { deliveryDecider, isUnderWay, type Attempt, type Delivery, type DeliveryState } from './delivery.js';
import {
  deliveryIdOf,
  deliveryStream,
  webhookStream,
  type DeliverableName,
  type EventName,
  type WebhookEvent,
} from './events.js';
import { planAfter, standingOf, stopNow, stopOf, type Stop } from './stops.js';

/*
 * What the programs that deliver ask and say. Each of these may be called again with the same arguments: nothing is made
 * or said twice.
 */

export interface SendingDependencies {
  readonly eventStore: EventStore;
  readonly database: Queryable;
}

/** All events of a stream that were there when they were asked for, and later ones as the case may be. */
export type EventsOf = (stream: string) => Promise<readonly Recorded[]>;

export const createEventsOf = (eventStore: EventStore): EventsOf =>
  sharedReads(async (stream) => {
    const events: Recorded[] = [];
    for await (const event of eventStore.readStream(stream)) events.push(event);
    return events;
  });

/**
 * The webhooks that want this event, as they stood just before it: what was subscribed or paused later changes nothing.
 * `held`: paused at that moment, so the delivery is made and kept for a replay.
 */
export async function matchingWebhooks(
  { eventsOf, database }: Pick<SendingDependencies, 'database'> & { readonly eventsOf: EventsOf },
  fact: { readonly organizationId: string; readonly event: EventName },
  position: bigint,
): Promise<readonly { readonly webhookId: string; readonly held: boolean }[]> {
  const ids = await webhooksOf(database, fact.organizationId);
  if (ids.length === 0) return [];
  const [plan, ...webhooks] = await Promise.all([
    planAt(eventsOf, fact.organizationId, position),
    ...ids.map((id) => webhookAt(eventsOf, id, position)),
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
  return (await loadedDelivery({ eventStore }, deliveryId)).state;
}

/** The same with its place in the log, for who appends to it next. */
export async function loadedDelivery(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  deliveryId: string,
): Promise<Loaded<Delivery>> {
  const loaded = await load(eventStore, deliveryDecider, deliveryStream(deliveryId));
  return { ...loaded, state: found(deliveryId, loaded.state) };
}

/** Asks for one more attempt; the event is what starts it. 409 while attempts are still to come. */
export async function askRedelivery(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  context: CommandContext,
  { deliveryId, redeliveryId }: { deliveryId: string; redeliveryId: string },
): Promise<Delivery> {
  const delivery = await loadDelivery({ eventStore }, deliveryId);
  if (isUnderWay(delivery)) {
    // Stopped, and not ended yet by whoever goes through all that waited.
    const stop = stopOf(await standingOf(eventStore, delivery.webhookId), delivery);
    if (stop !== null) await cancelDelivery({ eventStore }, context, { deliveryId, ...stop });
  }
  const { state } = await execute(eventStore, context, {
    stream: deliveryStream(deliveryId),
    decider: deliveryDecider,
    command: { type: 'AskRedelivery', redeliveryId, askedAt: context.now },
  });
  return found(deliveryId, state);
}

/**
 * Says how an attempt went, and with it how the delivery stands: delivered when `error` is null, to be tried again at
 * `nextAttemptAt`, or failed when that is null. An attempt that is known already changes nothing. `known` is the delivery as it was
 * read a moment ago.
 */
export async function recordAttempt(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  context: CommandContext,
  { deliveryId, redeliveryId }: { readonly deliveryId: string; readonly redeliveryId: string | null },
  attempt: Attempt,
  known?: Loaded<Delivery>,
): Promise<Delivery> {
  const { state } = await execute(eventStore, context, {
    stream: deliveryStream(deliveryId),
    decider: deliveryDecider,
    command: { type: 'RecordAttempt', attempt, redeliveryId },
    ...(known !== undefined && { known }),
  });
  return found(deliveryId, state);
}

/** Ends a delivery whose attempts were still to come, if the stop is for it; another one stays as it is. */
export async function cancelDelivery(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  context: CommandContext,
  { deliveryId, reason, until }: { deliveryId: string } & Stop,
): Promise<Delivery> {
  const { state } = await execute(eventStore, context, {
    stream: deliveryStream(deliveryId),
    decider: deliveryDecider,
    command: { type: 'CancelDelivery', reason, until, at: context.now },
  });
  return found(deliveryId, state);
}

/** After a 410 to what was sent at `sentAt`: the webhook is paused, and with that ends what waits for it. */
export async function pauseGone(
  { eventStore }: Pick<SendingDependencies, 'eventStore'>,
  context: CommandContext,
  { webhookId, sentAt }: { readonly webhookId: string; readonly sentAt: number },
): Promise<void> {
  await execute(eventStore, context, {
    stream: webhookStream(webhookId),
    decider: webhookDecider,
    command: (_state, { updatedAt }) => ({ type: 'PauseGone' as const, webhookId, sentAt, changedAt: updatedAt ?? 0 }),
  });
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
  const stop = stopNow(await standingOf(eventStore, webhookId));
  if (stop === 'deleted') throw new Refusal('webhook_deleted', `The webhook "${webhookId}" has been deleted.`);
  if (stop !== null) throw new Refusal('webhook_paused', `The webhook "${webhookId}" is paused.`);
}

/** Those that have not been deleted, and those that are about to be made. */
export async function webhooksOf(database: Queryable, organizationId: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ id: string }>(
    'select id from service.webhooks where organization_id = $1 order by id',
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

async function webhookAt(eventsOf: EventsOf, webhookId: string, position: bigint): Promise<WebhookState> {
  const events = before(position, await eventsOf(webhookStream(webhookId)));
  return fold(webhookDecider, events as unknown as readonly WebhookEvent[]);
}

async function planAt(eventsOf: EventsOf, organizationId: string, position: bigint): Promise<Plan> {
  return before(position, await eventsOf(organizationStream(organizationId))).reduce<Plan>(planAfter, 'free');
}

const before = (position: bigint, events: readonly Recorded[]): readonly Recorded[] =>
  events.filter((event) => event.position < position);
