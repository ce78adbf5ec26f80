import { holdsEvent } from '../../projections/checkpoint.js';
import { commandContext, type CommandContext } from '../../src/core/context.js';
import { deterministicUuid } from '../../src/core/ids.js';
import {
  type PublishingDependencies,
  republishPassports,
  withdrawOpenBatches,
} from '../../src/modules/publishing/index.js';
import { passportsOf } from '../../src/modules/products/index.js';
import type { ProductFollowUpInput } from './contract.js';

export type ProductFollowUpActivities = ReturnType<typeof createProductFollowUpActivities>;

/** The workflow's time of the step: the same when it is tried again, so the same bytes are appended. */
type At = ProductFollowUpInput & { readonly now: number };

export const createProductFollowUpActivities = (deps: PublishingDependencies) => ({
  /** Answers how many passports are announced and not out yet. */
  async republishProductPassports(input: At): Promise<{ readonly notOutYet: number }> {
    const passports = await passportsOf(deps, input);
    return republishPassports(deps, contextOf(input), input.productId, passports);
  },

  /** Not before the read models hold the event: a batch that was there then is found. */
  async withdrawProductBatches(input: At): Promise<void> {
    if (!(await holdsEvent(deps, input.place))) throw new Error('the read models are not there yet');
    await withdrawOpenBatches(deps, contextOf(input), input.productId);
  },
});

const contextOf = ({ organizationId, eventId, correlationId, now }: At): CommandContext =>
  commandContext({
    organizationId,
    actor: { type: 'system', id: null },
    correlationId,
    causationId: eventId,
    now,
    seed: deterministicUuid(eventId, 'follow-up'),
  });
