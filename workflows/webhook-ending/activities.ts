import { holdsEvent } from '../../projections/checkpoint.js';
import { waitingDeliveries, type WaitingUpTo } from '../../projections/deliveries/queries.js';
import { commandContext } from '../../src/core/context.js';
import { deterministicUuid } from '../../src/core/ids.js';
import {
  cancelDelivery,
  givePlaceBack,
  loadDelivery,
  type SendingDependencies,
  type Standing,
  standingOf,
  stopNow,
  stopOf,
} from '../../src/modules/webhooks/index.js';
import type { WebhookEndingInput } from './contract.js';

export type WebhookEndingActivities = ReturnType<typeof createWebhookEndingActivities>;

const PAGE = 100;
/** Side by side: little enough to be in nobody's way. */
const AT_ONCE = 4;

export const createWebhookEndingActivities = (deps: SendingDependencies) => ({
  /**
   * Answers where the next page begins, or null when this was the last one. What was asked for after the webhook had returned
   * stays.
   */
  async endPageOfWaiting(input: WebhookEndingInput & { readonly now: number }): Promise<WaitingUpTo | null> {
    const { webhookId, place, after } = input;
    const standing = await standingOf(deps.eventStore, webhookId);
    // Done already, unless whoever deleted it died in the middle.
    if (stopNow(standing) === 'deleted') await givePlaceBack(deps.database, webhookId);
    if (!(await holdsEvent(deps, place))) throw new Error('the read models are not there yet');
    const page = await waitingDeliveries(deps.database, webhookId, after, PAGE);
    const left = [...page];
    const work = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await end(deps, standing, input, one.id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return page.length < PAGE ? null : (page.at(-1) ?? null);
  },
});

async function end(
  deps: SendingDependencies,
  standing: Standing,
  { eventId, now }: WebhookEndingInput & { readonly now: number },
  deliveryId: string,
): Promise<void> {
  const stop = stopOf(standing, await loadDelivery(deps, deliveryId));
  if (stop === null) return;
  const context = commandContext({
    organizationId: standing.organizationId,
    actor: { type: 'system', id: null },
    correlationId: eventId,
    causationId: eventId,
    now,
    seed: deterministicUuid(eventId, deliveryId),
  });
  await cancelDelivery(deps, context, { deliveryId, ...stop });
}
