import { holdsEvent } from '../../projections/checkpoint.js';
import { replayedDeliveries } from '../../projections/deliveries/queries.js';
import { commandContext } from '../../src/core/context.js';
import { Refusal } from '../../src/core/errors.js';
import { deterministicUuid } from '../../src/core/ids.js';
import { askRedelivery, type SendingDependencies, standingOf, stoppedUpTo } from '../../src/modules/webhooks/index.js';
import type { ReplayedUpTo, WebhookReplayInput } from './contract.js';

export type WebhookReplayActivities = ReturnType<typeof createWebhookReplayActivities>;

const PAGE = 200;

export const createWebhookReplayActivities = (deps: SendingDependencies) => ({
  /** Answers where the next page begins, or null when this was the last one. */
  async askPageAgain(input: WebhookReplayInput & { readonly now: number }): Promise<ReplayedUpTo | null> {
    const { webhookId, organizationId, replayId, now } = input;
    if (!(await holdsEvent(deps, input.place))) throw new Error('the read models are not there yet');
    // Still waiting by the list, though stopped: ended and sent again like the others.
    const stopped = stoppedUpTo(await standingOf(deps.eventStore, webhookId));
    const { after } = input;
    const page = await replayedDeliveries(deps.database, webhookId, input, stopped, { after, limit: PAGE });
    for (const { id: deliveryId } of page) {
      const context = commandContext({
        organizationId,
        actor: { type: 'system', id: null },
        correlationId: replayId,
        now,
        seed: deterministicUuid(replayId, deliveryId),
      });
      try {
        await askRedelivery(deps, context, { deliveryId, redeliveryId: replayId });
      } catch (error) {
        // On its way already, by somebody else's hand.
        if (!(error instanceof Refusal) || error.code !== 'delivery_under_way') throw error;
      }
    }
    return page.length < PAGE ? null : (page.at(-1) ?? null);
  },
});
