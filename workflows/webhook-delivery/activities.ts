import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo, ApplicationFailure, Context } from '@temporalio/activity';
import type { Sealer } from '../../src/infrastructure/encryption.js';
import type { SecretAlarm } from '../../src/infrastructure/missing-secrets.js';
import type { EndpointLimiter } from '../../src/infrastructure/webhook-sender/endpoint-limiter.js';
import type { WebhookSender } from '../../src/infrastructure/webhook-sender/sender.js';
import { commandContext, type CommandContext } from '../../src/core/context.js';
import type { Loaded } from '../../src/infrastructure/command-handler.js';
import { deterministicUuid } from '../../src/core/ids.js';
import {
  type Attempt,
  cancelDelivery,
  type Delivery,
  isUnderWay,
  loadedDelivery,
  pauseGone,
  recordAttempt,
  secretsOf,
  type SendingDependencies,
  type Standing,
  stopOf,
} from '../../src/modules/webhooks/index.js';
import { withHeartbeat } from '../heartbeat.js';
import type { WebhookDeliveryInput } from './contract.js';
import { dueAfter, GONE, LEAD_MS, lookForSecretAfter } from './retry-schedule.js';

/** `round`: the how-manieth attempt of the schedule. */
type Made = Omit<Attempt, 'kind' | 'nextAttemptAt'> & { readonly round: number };

export type AttemptResult =
  /** Nothing is left to send. */
  | { readonly kind: 'over' }
  /** An attempt was made, and what came of it is still to be written down. */
  | { readonly kind: 'made'; readonly attempt: Made };

export interface WebhookDeliveryDependencies extends SendingDependencies {
  readonly sealer: Sealer;
  readonly sender: WebhookSender;
  readonly limiter: EndpointLimiter;
  readonly secretAlarm: SecretAlarm;
  /** As it stands when it is asked, or later. */
  readonly standingOf: (webhookId: string) => Promise<Standing>;
  readonly clock: () => number;
  /** The worker stops, and waits no longer for what is in flight. */
  readonly letGo: AbortSignal;
}

/** The workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
type At = WebhookDeliveryInput & { readonly now: number };

export type WebhookDeliveryActivities = ReturnType<typeof createWebhookDeliveryActivities>;
export type WebhookRecordActivities = ReturnType<typeof createWebhookRecordActivities>;

export const createWebhookDeliveryActivities = (deps: WebhookDeliveryDependencies) => ({
  /**
   * Sends when the time has come, until nothing is left to send, and writes down what comes of each attempt. Whoever has to wait,
   * for the next attempt or for a place, fails as one that is to be tried again then: the server keeps that time, and nothing
   * else waits.
   */
  attemptDelivery: (input: WebhookDeliveryInput): Promise<AttemptResult> =>
    // From the start: an event store that is slow to answer must not look like a worker that is gone.
    withHeartbeat(async () => {
      const { webhookId } = input;
      // Who is sent away from the workflow's own task comes again at once, as an activity: that one queues.
      if (activityInfo().isLocal && !deps.limiter.hasPlace(webhookId)) throw later('the endpoint is busy', 0);
      const refusal = deps.limiter.refusal(webhookId);
      if (refusal !== null) throw later('the endpoint takes no more at the moment', refusal.waitMs);
      const loaded = await loadedDelivery(deps, input.deliveryId);
      if (!isStillToDo(loaded.state, input)) return { kind: 'over' };
      const waitMs = (loaded.state.nextAttemptAt ?? 0) - deps.clock();
      if (waitMs > LEAD_MS) throw later('the next attempt is due later', waitMs - LEAD_MS);
      if (waitMs > 0) await sleep(waitMs);

      const place = deps.limiter.enter(webhookId);
      if ('waitMs' in place) throw later('the endpoint takes no more at the moment', place.waitMs);
      try {
        return await attempt(deps, loaded, input);
      } finally {
        place.leave();
      }
    }),
});

/** What came of it, written down by a step of its own. Each may be carried out twice without harm. */
export const createWebhookRecordActivities = (deps: SendingDependencies) => ({
  async recordDeliveryAttempt(made: At & { readonly attempt: Attempt }): Promise<void> {
    await recordAttempt(deps, contextOf(made, `attempt-${made.attempt.attempt}`), made, made.attempt);
  },

  /** The receiver wants no more: not this delivery either, if it was to be tried again. */
  async pauseGoneWebhook(answered: At & { readonly sentAt: number }): Promise<void> {
    const context = contextOf(answered, 'gone');
    await cancelDelivery(deps, context, { deliveryId: answered.deliveryId, reason: 'gone', until: Infinity });
    await pauseGone(deps, context, answered);
  },
});

async function attempt(
  deps: WebhookDeliveryDependencies,
  loaded: Loaded<Delivery>,
  input: WebhookDeliveryInput,
): Promise<AttemptResult> {
  const { deliveryId, webhookId, kind } = input;
  const delivery = loaded.state;
  // Asked at the last moment: nothing is sent after a pause or a deletion was answered.
  const [standing, secrets] = await Promise.all([deps.standingOf(webhookId), secretsOf(deps, webhookId, deps.clock())]);
  // It may have gone with its webhook a moment ago; only the webhook's stream says so.
  const stop = stopOf(secrets === null ? await deps.standingOf(webhookId) : standing, delivery);
  const now = deps.clock();
  if (stop !== null) {
    await cancelDelivery(deps, contextOf({ ...input, now }, `cancelled-${now}`), { deliveryId, ...stop });
    return { kind: 'over' };
  }
  if (secrets === null) {
    deps.secretAlarm.missing(webhookId);
    throw later('the secret of the webhook is missing', lookForSecretAfter(delivery.nextAttemptAt ?? now, now));
  }
  deps.secretAlarm.found(webhookId);
  const { event, body } = delivery;
  const order = { url: standing.url, deliveryId, event, body, secrets };
  const outcome = await unlessLetGo(deps.letGo, () => deps.sender.send(order));
  const round = delivery.attempts.filter((made) => made.kind === 'scheduled').length + 1;
  const made = { ...outcome, attempt: delivery.attempts.length + 1 };
  const unwritten = { kind: 'made', attempt: { ...made, round } } as const;
  // That pauses the webhook as well.
  if (made.status === GONE) return unwritten;
  const dueAt = dueAfter(kind, round, made);
  const context = contextOf({ ...input, now: deps.clock() }, `attempt-${made.attempt}`);
  try {
    await recordAttempt(deps, context, input, { ...made, kind, nextAttemptAt: dueAt }, loaded);
  } catch (error) {
    // The outcome goes into the workflow's history, so that an attempt that was made is not made again however long it takes.
    Context.current().log.warn('an attempt could not be written down yet', { deliveryId, error });
    return unwritten;
  }
  if (dueAt === null) return { kind: 'over' };
  throw later(made.error ?? '', Math.max(dueAt - LEAD_MS - deps.clock(), 0));
}

/** Another worker makes the attempt, or makes it again. */
async function unlessLetGo<Result>(letGo: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const isOver = new AbortController();
  const stopped = (): never => {
    throw ApplicationFailure.create({ message: 'the worker stops', type: 'Stopped', category: 'BENIGN' });
  };
  if (letGo.aborted) return stopped();
  try {
    return await Promise.race([work(), once(letGo, 'abort', { signal: isOver.signal }).then(stopped)]);
  } finally {
    isOver.abort();
  }
}

/** Has the activity tried again after this time, under the same number of the delivery's attempts or the next one. */
const later = (message: string, waitMs: number): ApplicationFailure =>
  ApplicationFailure.create({ message, type: 'Later', nextRetryDelay: waitMs, category: 'BENIGN' });

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
