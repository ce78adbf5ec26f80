import { organizationOf, type CommandContext } from '../../core/context.js';
import { deterministicUuid } from '../../core/ids.js';
import { createPreliminaryBatch, createPublishedBatch, findAnyBatch, preliminaryBatch } from '../batches/index.js';
import { passportIdOf, publishPassport } from '../passports/index.js';
import {
  type ActiveProduct,
  type IssuedPassport,
  issuePassport,
  loadProduct,
  type ProductFields,
} from '../products/index.js';
import { addressOf, bringOut, contentOf, identityOf, type PublishingDependencies } from './handlers.js';

/*
 * Passports on the product's own data, before any factory has answered. Each hangs on a batch made for it, one for each
 * product.
 */

export const preliminaryBatchId = (productId: string): string => `bat_${deterministicUuid(productId, 'preliminary')}`;

/** A repeated call finds batch and passport, and finishes what an interrupted one began. */
export async function publishPreliminaryBatch(
  deps: PublishingDependencies,
  context: CommandContext,
  productId: string,
): Promise<{ readonly qrUrl: string; readonly dppId: string }> {
  const loaded = await loadProduct(deps, { productId, organizationId: organizationOf(context) });
  const issued = { productId, ...preliminaryPassportOf(productId) };
  const { fields: product } = await issuePassport(deps, context, issued, loaded);
  const batch = await createPreliminaryBatch(deps, context, { batchId: issued.batchId, productId, product });
  const { qrUrl, dppId } = batch.state.passport ?? (await bringOut(deps, context, batch, product));
  return { qrUrl, dppId };
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
  deps: Pick<PublishingDependencies, 'eventStore' | 'consumerUrl'>,
  context: CommandContext,
  order: { readonly productId: string; readonly fields: ProductFields; readonly brandName: string },
): Promise<{ readonly dppId: string }> {
  const { productId, fields: product, brandName } = order;
  const preliminary = preliminaryBatch(context, { batchId: preliminaryBatchId(productId), productId, product });
  const { batch, score } = preliminary;
  const source = { ...batch, score, factoryCountry: null, production: null, certificates: [] };
  // Who hears that the batch is published looks at the passport, so that is out first.
  const passport = await publishPassport(deps, context, {
    identity: identityOf(deps, organizationOf(context), product, source),
    content: contentOf(brandName, product, source),
  });
  await createPublishedBatch(deps, context, preliminary, addressOf(passport));
  return { dppId: passport.identity.dppId };
}

/** A call that publishes such a passport was interrupted, or has not ended yet. */
export async function isPreliminaryUnderWay(
  deps: Pick<PublishingDependencies, 'eventStore'>,
  { productId, passports }: Pick<ActiveProduct, 'productId' | 'passports'>,
): Promise<boolean> {
  const batchId = preliminaryBatchId(productId);
  if (!passports.some((issued) => issued.batchId === batchId)) return false;
  const batch = await findAnyBatch(deps, batchId);
  return batch === null || batch.state.passport === null;
}
