import { randomInt } from 'node:crypto';
import { organizationById } from '../../../projections/organizations/queries.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { Refusal } from '../../core/errors.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { restrictedGtin } from '../../reference-data/gtin.js';
import { DEFAULT_WEIGHT_KG } from '../../score/score-batch.js';
import {
  type Batch,
  findAnyBatch,
  loadAnyBatch,
  type LoadedBatch,
  recordPublished,
  refuseUnlessPublishable,
  rescoreBatch,
} from '../batches/index.js';
import {
  type PassportIdentity,
  passportIdOf,
  passportOfBatch,
  type PublishedPassport,
  publishPassport,
  republishPassport,
} from '../passports/index.js';
import { findProduct, issuePassport, type ProductFields } from '../products/index.js';
import { passportContent, type PassportSource } from './content.js';
import { passportSource } from './source.js';

export interface PublishingDependencies {
  readonly eventStore: EventStore;
  readonly database: Queryable;
  /** What the QR codes encode begins with it. */
  readonly consumerUrl: string;
}

/** A batch with its passport, which is out. */
export interface Published {
  readonly batch: Batch;
  readonly dppId: string;
  readonly qrUrl: string;
}

/**
 * Publishes the batch's passport, or answers the one it has. The product hears of it first: its stream decides between a
 * publication and a deletion at the same moment, and a change of the product after that is followed by a re-publication.
 */
export async function publishBatch(
  deps: PublishingDependencies,
  context: CommandContext,
  batchId: string,
): Promise<Published> {
  const batch = await loadAnyBatch(deps, batchId);
  refuseUnlessPublishable(batch.state);
  const { productId, passport } = batch.state;
  if (passport !== null) return { batch: batch.state, dppId: passport.dppId, qrUrl: passport.qrUrl };
  const { fields } = await issuePassport(deps, context, { productId, batchId, dppId: passportIdOf(batchId) });
  return bringOut(deps, context, batch, fields);
}

/** Score, then passport, then batch, all of one and the same product: a batch that says it is published has its passport. */
export async function bringOut(
  deps: PublishingDependencies,
  context: CommandContext,
  batch: LoadedBatch,
  product: ProductFields,
): Promise<Published> {
  const scored = await rescoreBatch(deps, context, batch, product, 'current');
  const source = await passportSource(deps, scored.state);
  const { organizationId } = scored.state;
  const passport = await publishPassport(deps, context, {
    identity: identityOf(deps, organizationId, product, source),
    content: contentOf(await brandNameOf(deps, organizationId), product, source),
  });
  const address = addressOf(passport);
  const { state } = await recordPublished(deps, context, scored, address);
  return { batch: state, dppId: address.dppId, qrUrl: address.qrUrl };
}

/**
 * A passport that is out while its batch does not say so is that of a publication that was cut off in between: the batch says
 * it before anything else is done with it, as nobody may send back what the public sees.
 */
export async function finishPublication(
  deps: Pick<PublishingDependencies, 'eventStore'>,
  batchId: string,
  contextAt: (publishedAt: number) => CommandContext,
): Promise<Batch> {
  const batch = await loadAnyBatch(deps, batchId);
  if (batch.state.status !== 'submitted') return batch.state;
  const passport = await passportOfBatch(deps, batchId);
  if (passport === null) return batch.state;
  const address = addressOf(passport.state);
  // At the passport's time: the same bytes, whoever finishes it, and however often.
  return (await recordPublished(deps, contextAt(address.publishedAt), batch, address)).state;
}

/**
 * Scores the batch again and publishes the next version of its passport if what it shows has changed. It keeps the method that
 * it was scored with, unless the `current` one is asked for. Answers whether it is out: false while it is not, or the batch not
 * there.
 */
export async function bringUpToDate(
  deps: Omit<PublishingDependencies, 'consumerUrl'>,
  context: CommandContext,
  batchId: string,
  method: 'current' | 'kept' = 'kept',
): Promise<boolean> {
  const passport = await passportOfBatch(deps, batchId);
  if (passport === null) return false;
  let justRead = await findAnyBatch(deps, batchId);
  if (justRead === null) return false;
  const { productId } = passport.state.identity;
  const organizationId = organizationOf(context);
  await republishPassport(deps, context, passport, async () => {
    const { fields } = await findProduct(deps, { productId, organizationId });
    const known = justRead ?? (await loadAnyBatch(deps, batchId));
    const batch = await rescoreBatch(deps, context, known, fields, method);
    justRead = null;
    return contentOf(await brandNameOf(deps, organizationId), fields, await passportSource(deps, batch.state));
  });
  return true;
}

const SERIAL_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const SERIAL_LENGTH = 12;

const newSerial = (): string =>
  Array.from({ length: SERIAL_LENGTH }, () => SERIAL_ALPHABET[randomInt(SERIAL_ALPHABET.length)]).join('');

export function identityOf(
  { consumerUrl }: Pick<PublishingDependencies, 'consumerUrl'>,
  organizationId: string,
  product: Pick<ProductFields, 'gtin'>,
  { batchId, productId, preliminary }: PassportSource,
): PassportIdentity {
  const gtin = product.gtin ?? restrictedGtin(productId);
  const serial = newSerial();
  return {
    dppId: passportIdOf(batchId),
    organizationId,
    batchId,
    productId,
    preliminary,
    gtin,
    serial,
    qrUrl: `${consumerUrl}/p/${gtin}/${serial}`,
    gtinGenerated: product.gtin === null,
  };
}

/** The name that passports show. */
export async function brandNameOf(
  { database }: Pick<PublishingDependencies, 'database'>,
  organizationId: string,
): Promise<string> {
  const organization = await organizationById(database, organizationId);
  if (organization !== null) return organization.name;
  throw new Refusal('concurrent_change', 'The organization is only just being made; send the call again.');
}

export const contentOf = (brandName: string, product: ProductFields, source: PassportSource) =>
  passportContent({ brandName, product, source, defaultWeightKg: DEFAULT_WEIGHT_KG });

/** Where the passport is found, and since when; a re-publication keeps both. */
export function addressOf({ identity, versions }: PublishedPassport) {
  const { dppId, gtin, serial, qrUrl } = identity;
  return { dppId, gtin, serial, qrUrl, publishedAt: versions[0]?.publishedAt ?? 0 };
}
