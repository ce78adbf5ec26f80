import { startFold } from '../../core/decider.js';
import { notFound } from '../../core/errors.js';
import type { Recorded } from '../../core/events.js';
import type { Plan } from '../../core/vocabulary.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import { type OrganizationEvent, organizationStream } from '../organizations/index.js';
import { webhookDecider } from './decider.js';
import { isUnderWay, waitsSince, type Delivery } from './delivery.js';
import { webhookStream, type CancelReason, type WebhookEvent } from './events.js';

/** Ends what has waited since `until` or longer, also when the webhook works again by now. */
export interface Stop {
  readonly reason: CancelReason;
  /** In milliseconds; infinite while it lasts. */
  readonly until: number;
}

/** A webhook as it stands now, and what has stopped it so far. */
export interface Standing {
  readonly webhookId: string;
  readonly organizationId: string;
  /** Empty when the webhook has been deleted. */
  readonly url: string;
  readonly stops: readonly Stop[];
}

export async function standingOf(eventStore: EventStore, webhookId: string): Promise<Standing> {
  const folding = startFold(webhookDecider);
  let pause: Stop | null = null;
  for await (const event of eventStore.readStream(webhookStream(webhookId))) {
    const known = event as unknown as Recorded & WebhookEvent;
    folding.take(known);
    const until = event.metadata.recordedAt;
    if (known.type === 'WebhookPaused') pause = { reason: 'gone', until };
    if (known.type === 'WebhookChanged' && known.data.changes.active === false) pause = { reason: 'paused', until };
  }
  const state = folding.state();
  if (state.status === 'none') throw notFound('webhook', webhookId);
  const { organizationId } = state;
  if (state.status === 'deleted') {
    return { webhookId, organizationId, url: '', stops: [{ reason: 'deleted', until: Infinity }] };
  }
  const plan = await planStop(eventStore, organizationId);
  const stops = [
    ...(pause === null ? [] : [state.active ? pause : { ...pause, until: Infinity }]),
    ...(plan === null ? [] : [plan]),
  ];
  return { webhookId, organizationId, url: state.url, stops };
}

/** Why nothing is sent now, or null. */
export const stopNow = ({ stops }: Standing): CancelReason | null =>
  stops.find(({ until }) => until === Infinity)?.reason ?? null;

/** Why an attempt that is to come is not made, or null. A test is sent to a paused webhook too. */
export const stopOf = ({ stops }: Standing, delivery: Delivery): Stop | null =>
  stops.find(
    ({ reason, until }) => waitsSince(delivery) <= until && (delivery.event !== 'webhook.test' || reason === 'deleted'),
  ) ?? null;

/** What has waited since then or longer is stopped, tests apart; null when nothing ever was. */
export const stoppedUpTo = ({ stops }: Standing): number | null =>
  stops.length === 0 ? null : Math.min(Math.max(...stops.map(({ until }) => until)), Number.MAX_SAFE_INTEGER);

/** As it is shown: what is stopped is cancelled from that moment on, written down or not. */
export async function shownDelivery(eventStore: EventStore, delivery: Delivery): Promise<Delivery> {
  if (!isUnderWay(delivery)) return delivery;
  const isStopped = stopOf(await standingOf(eventStore, delivery.webhookId), delivery) !== null;
  return isStopped ? { ...delivery, status: 'cancelled', nextAttemptAt: null } : delivery;
}

/** On the free plan now, or fallen back to it at some time before. */
async function planStop(eventStore: EventStore, organizationId: string): Promise<Stop | null> {
  let plan: Plan = 'free';
  let wasPro = false;
  let wasFreeAt: number | null = null;
  for await (const event of eventStore.readStream(organizationStream(organizationId))) {
    plan = planAfter(plan, event);
    wasPro ||= plan === 'pro';
    if (wasPro && plan === 'free') wasFreeAt = event.metadata.recordedAt;
  }
  if (plan === 'free') return { reason: 'plan', until: Infinity };
  return wasFreeAt === null ? null : { reason: 'plan', until: wasFreeAt };
}

export function planAfter(plan: Plan, event: Recorded): Plan {
  const known = event as unknown as OrganizationEvent;
  return known.type === 'OrganizationPlanChanged' ? known.data.plan : plan;
}
