import { openBatchesOfProduct } from '../../../projections/batches/queries.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { deterministicUuid } from '../../core/ids.js';
import {
  createPreliminaryBatch,
  createPublishedBatch,
  findAnyBatch,
  preliminaryBatch,
  recordPublished,
  withdrawBatch,
} from '../batches/handlers.js';
import {
  passportIdOf,
  publishNewPassport,
  publishPassport,
  republishPassport,
  type PassportDependencies,
} from '../passports/handlers.js';
import type { ProductFields } from './events.js';
import { refuseWithoutComposition, type ActiveProduct, type IssuedPassport } from './decider.js';
import { findProduct } from './handlers.js';

/*
 * What a change of a product means for its batches and passports. A call does the first few at once, so that its client
 * reads what it wrote; the workflow `product-follow-up` does all of them, whatever became of the call. Each step may be
 * repeated.
 */

/** Enough for nearly every product, and done in a fraction of a second. */
export const FOLLOW_UPS_AT_ONCE = 20;

/**
 * Brings the product's passports up to date: same address, next version, scored again. Answers how many have been
 * announced and are not out yet. One without a factory's data is finished first if whoever announced it was interrupted.
 */
export async function republishPassports(
  deps: PassportDependencies,
  context: CommandContext,
  productId: string,
  passports: readonly IssuedPassport[],
): Promise<{ readonly notOutYet: number }> {
  let notOutYet = 0;
  for (const { batchId } of passports) {
    const isOut = (await republishPassport(deps, context, batchId)) !== null;
    if (isOut) continue;
    if (batchId !== preliminaryBatchId(productId)) {
      notOutYet += 1;
      continue;
    }
    await publishPreliminaryBatch(deps, context, productId);
    // It may have come out in between, showing the product as it was before.
    await republishPassport(deps, context, batchId);
  }
  return { notOutYet };
}

/** Withdraws the open batches of a deleted product. */
export async function withdrawOpenBatches(
  deps: Pick<PassportDependencies, 'eventStore' | 'database'>,
  context: CommandContext,
  productId: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  const open = await openBatchesOfProduct(deps.database, organizationOf(context), productId);
  for (const batchId of open.slice(0, limit)) await withdrawBatch(deps, context, batchId);
}

/**
 * Publishes a passport on the product's own data, before any factory has answered. It hangs on a batch made for it, one for
 * each product: a repeated call finds batch and passport, and finishes what an interrupted one began.
 */
export async function publishPreliminaryBatch(
  deps: PassportDependencies,
  context: CommandContext,
  productId: string,
): Promise<{ readonly qrUrl: string; readonly dppId: string }> {
  const { fields } = await findProduct(deps, { productId, organizationId: organizationOf(context) });
  refuseWithoutComposition(fields);
  const batchId = preliminaryBatchId(productId);
  const batch = await createPreliminaryBatch(deps, context, { batchId, productId });
  if (batch.state.passport !== null) return addressOf(batch.state.passport);
  const passport = await publishPassport(deps, context, { batchId, productId });
  await recordPublished(deps, context, batchId, passport);
  return addressOf(passport);
}

/** The passport that `publishNewProduct` publishes: to be announced in the append that makes the product. */
export function preliminaryPassportOf(productId: string): IssuedPassport {
  const batchId = preliminaryBatchId(productId);
  return { batchId, dppId: passportIdOf(batchId) };
}

/**
 * The same for a product that this very call has made together with the announcement. Nothing of it has to be read, and each
 * stream is written once; whatever is interrupted here is finished by `publishPreliminaryBatch`.
 */
export async function publishNewProduct(
  deps: Pick<PassportDependencies, 'eventStore' | 'consumerUrl'>,
  context: CommandContext,
  {
    productId,
    fields,
    brandName,
  }: { readonly productId: string; readonly fields: ProductFields; readonly brandName: string },
): Promise<{ readonly dppId: string }> {
  const batchId = preliminaryBatchId(productId);
  const preliminary = preliminaryBatch(context, { batchId, productId, product: fields });
  // Who hears that the batch is published looks at the passport, so that is out first.
  const passport = await publishNewPassport(deps, context, preliminary, { fields, brandName });
  await createPublishedBatch(deps, context, preliminary, passport);
  return passport;
}

/** A call that publishes such a passport was interrupted, or has not ended yet. */
export async function isPreliminaryUnderWay(
  deps: Pick<PassportDependencies, 'eventStore'>,
  { productId, passports }: Pick<ActiveProduct, 'productId' | 'passports'>,
): Promise<boolean> {
  const batchId = preliminaryBatchId(productId);
  if (!passports.some((issued) => issued.batchId === batchId)) return false;
  const batch = await findAnyBatch(deps, batchId);
  return batch === null || batch.passport === null;
}

const preliminaryBatchId = (productId: string): string => `bat_${deterministicUuid(productId, 'preliminary')}`;

const addressOf = ({ qrUrl, dppId }: { readonly qrUrl: string; readonly dppId: string }) => ({ qrUrl, dppId });
