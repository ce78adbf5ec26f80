import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Sealer } from '../../src/infrastructure/encryption.js';
import type { EndpointLimiter } from '../../src/infrastructure/webhook-sender/endpoint-limiter.js';
import type { WebhookSender } from '../../src/infrastructure/webhook-sender/sender.js';
import { commandContext, type CommandContext } from '../../src/core/context.js';
import { deterministicUuid } from '../../src/core/ids.js';
import { isUnderWay, type Attempt, type Delivery } from '../../src/modules/webhooks/delivery.js';
import { secretsOf } from '../../src/modules/webhooks/secrets.js';
import {
  cancelDelivery,
  loadDelivery,
  pauseGone,
  recordAttempt,
  webhookForSending,
  type SendingDependencies,
} from '../../src/modules/webhooks/sending.js';
import { alive } from '../alive.js';
import type { WebhookDeliveryInput } from './contract.js';
import { LEAD_MS } from './retry-schedule.js';

/** `round`: the how-manieth attempt of the schedule. */
type Made = Omit<Attempt, 'kind' | 'nextAttemptAt'> & { readonly round: number };

export type AttemptResult =
  | { readonly kind: 'made'; readonly attempt: Made }
  /** The endpoint takes no more at the moment. */
  | { readonly kind: 'busy'; readonly waitMs: number }
  /** Earlier attempts were made, and the next one is due then. */
  | { readonly kind: 'not_yet'; readonly dueAt: number }
  /** Nothing is left to send. */
  | { readonly kind: 'over' };

export interface WebhookDeliveryDependencies extends SendingDependencies {
  readonly sealer: Sealer;
  readonly sender: WebhookSender;
  readonly limiter: EndpointLimiter;
  readonly clock: () => number;
}

/** The workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
type At = WebhookDeliveryInput & { readonly now: number };

export type WebhookDeliveryActivities = ReturnType<typeof createWebhookDeliveryActivities>;
export type WebhookRecordActivities = ReturnType<typeof createWebhookRecordActivities>;

export const createWebhookDeliveryActivities = (deps: WebhookDeliveryDependencies) => ({
  /** Sends once, if there is still something to send. `dueAt` is null when the workflow does not know yet when that is. */
  async attemptDelivery(input: WebhookDeliveryInput & { readonly dueAt: number | null }): Promise<AttemptResult> {
    const { webhookId, dueAt } = input;
    const refusal = deps.limiter.refusal(webhookId);
    if (refusal !== null) return { kind: 'busy', ...refusal };
    const delivery = await loadDelivery(deps, input.deliveryId);
    if (!isStillToDo(delivery, input)) return { kind: 'over' };
    const next = delivery.nextAttemptAt ?? 0;
    if (dueAt === null && next - LEAD_MS > deps.clock()) return { kind: 'not_yet', dueAt: next };
    const waitMs = Math.min((dueAt ?? next) - deps.clock(), LEAD_MS);
    if (waitMs > 0) await sleep(waitMs);

    const place = deps.limiter.enter(webhookId);
    if ('waitMs' in place) return { kind: 'busy', waitMs: place.waitMs };
    try {
      return await alive(() => attempt(deps, delivery, input));
    } finally {
      place.leave();
    }
  },
});

/** What came of it, written down. Each may be carried out twice without harm. */
export const createWebhookRecordActivities = (deps: SendingDependencies) => ({
  async recordDeliveryAttempt(made: At & { readonly attempt: Attempt }): Promise<void> {
    await recordAttempt(deps, contextOf(made, `attempt-${made.attempt.attempt}`), made.deliveryId, made.attempt);
  },

  /** The receiver wants no more: not this delivery either, if it was to be tried again. */
  async pauseGoneWebhook(answered: At): Promise<void> {
    const context = contextOf(answered, 'gone');
    await cancelDelivery(deps, context, { deliveryId: answered.deliveryId, reason: 'gone' });
    await pauseGone(deps, context, answered.webhookId);
  },
});

async function attempt(
  deps: WebhookDeliveryDependencies,
  delivery: Delivery,
  input: WebhookDeliveryInput,
): Promise<AttemptResult> {
  const { deliveryId, webhookId, kind } = input;
  // A redelivery makes one attempt, due when it was asked for. What was paused since then is not sent.
  const askedAt = kind === 'redelivery' ? (delivery.nextAttemptAt ?? delivery.createdAt) : delivery.createdAt;
  // Asked at the last moment: nothing is sent after a pause or a deletion was answered.
  const [target, secrets] = await Promise.all([
    webhookForSending(deps, webhookId, askedAt),
    secretsOf(deps, webhookId, deps.clock()),
  ]);
  // A test is sent to a paused webhook too.
  const stop = kind === 'test' && target.url !== '' ? null : target.stop;
  if (stop !== null || secrets === null) {
    const now = deps.clock();
    const context = contextOf({ ...input, now }, `cancelled-${now}`);
    await cancelDelivery(deps, context, { deliveryId, reason: stop ?? 'deleted' });
    return { kind: 'over' };
  }
  const { event, body } = delivery;
  const exchange = deps.sender.send({ url: target.url, deliveryId, event, body, secrets });
  // A worker that stops lets go of it after its grace; another one makes the attempt again.
  const outcome = await Promise.race([exchange, Context.current().cancelled]);
  const round = delivery.attempts.filter((made) => made.kind === 'scheduled').length + 1;
  return { kind: 'made', attempt: { ...outcome, attempt: delivery.attempts.length + 1, round } };
}

/** A delivery that is asked for again belongs to who asked last: its schedule is over for good. */
function isStillToDo(delivery: Delivery, { redeliveryId }: WebhookDeliveryInput): boolean {
  return isUnderWay(delivery) && (delivery.redeliveries.at(-1) ?? null) === redeliveryId;
}

const contextOf = ({ organizationId, deliveryId, now }: At, step: string): CommandContext =>
  commandContext({
    organizationId,
    actor: { type: 'system', id: null },
    correlationId: 'webhook-delivery',
    now,
    seed: deterministicUuid(deliveryId, step),
  });
