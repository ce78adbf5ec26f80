import { openBatchesOfProduct } from '../../../projections/batches/queries.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { withdrawBatch } from '../batches/index.js';
import type { IssuedPassport, ProductFollowUp } from '../products/index.js';
import { bringUpToDate, type PublishingDependencies } from './handlers.js';
import { preliminaryBatchId, publishPreliminaryBatch } from './preliminary.js';

/*
 * What a change of a product means for its batches and passports. A call does the first few at once, so that its client
 * reads what it wrote; the workflow `product-follow-up` does all of them, whatever became of the call. Each step may be
 * repeated.
 */

/** Enough for nearly every product, and done in a fraction of a second. */
const FOLLOW_UPS_AT_ONCE = 20;

/** What the calls that change and delete products do of it. */
export const productFollowUp = (deps: PublishingDependencies): ProductFollowUp => ({
  async changed(context, { productId, passports }) {
    await republishFirstPassports(deps, context, productId, passports);
  },
  deleted: (context, productId) => withdrawOpenBatches(deps, context, productId, FOLLOW_UPS_AT_ONCE),
});

/** As many as a call does. */
export const republishFirstPassports = (
  deps: PublishingDependencies,
  context: CommandContext,
  productId: string,
  passports: readonly IssuedPassport[],
): Promise<{ readonly notOutYet: number }> =>
  republishPassports(deps, context, productId, passports.slice(0, FOLLOW_UPS_AT_ONCE));

/**
 * Brings the product's passports up to date: same address, next version, scored again. Answers how many have been
 * announced and are not out yet. One without a factory's data is finished first if whoever announced it was interrupted.
 */
export async function republishPassports(
  deps: PublishingDependencies,
  context: CommandContext,
  productId: string,
  passports: readonly IssuedPassport[],
): Promise<{ readonly notOutYet: number }> {
  let notOutYet = 0;
  for (const { batchId } of passports) {
    if (await bringUpToDate(deps, context, batchId)) continue;
    if (batchId !== preliminaryBatchId(productId)) {
      notOutYet += 1;
      continue;
    }
    await publishPreliminaryBatch(deps, context, productId);
    // It may have come out in between, showing the product as it was before.
    await bringUpToDate(deps, context, batchId);
  }
  return { notOutYet };
}

/** Withdraws the open batches of a deleted product. */
export async function withdrawOpenBatches(
  deps: Pick<PublishingDependencies, 'eventStore' | 'database'>,
  context: CommandContext,
  productId: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  const open = await openBatchesOfProduct(deps.database, organizationOf(context), productId);
  for (const batchId of open.slice(0, limit)) await withdrawBatch(deps, context, batchId);
}
