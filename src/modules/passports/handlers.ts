import { randomInt } from 'node:crypto';
import { organizationById } from '../../../projections/organizations/queries.js';
import { passportAt } from '../../../projections/passports/queries.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import { deterministicUuid } from '../../core/ids.js';
import { execute, load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { parseGtin, restrictedGtin, toGtin14 } from '../../reference-data/gtin.js';
import { DEFAULT_WEIGHT_KG } from '../../score/score-batch.js';
import { findAnyBatch, rescoreBatch, type PreliminaryBatch } from '../batches/handlers.js';
import type { ProductFields } from '../products/events.js';
import { findProduct, issuePassport } from '../products/handlers.js';
import { passportContent, type PassportSource } from './content.js';
import {
  latestVersion,
  passportDecider,
  publishedPassport,
  type PassportCommand,
  type PublishedPassport,
} from './decider.js';
import { passportStream, type PassportIdentity } from './events.js';
import { passportSource } from './source.js';

export interface PassportDependencies {
  readonly eventStore: EventStore;
  readonly database: Queryable;
  /** What the QR codes encode begins with it. */
  readonly consumerUrl: string;
}

export interface PassportSummary {
  readonly dppId: string;
  readonly gtin: string;
  readonly serial: string;
  readonly qrUrl: string;
  /** Of the first version; a re-publication keeps it. */
  readonly publishedAt: number;
  readonly version: number;
  readonly co2PerUnit: number | null;
}

/** A batch has one passport: the same id whoever asks, however often. */
export const passportIdOf = (batchId: string): string => `dpp_${deterministicUuid(batchId, 'passport')}`;

/**
 * Publishes the batch's passport, or answers the one it has. The product hears of it first: its stream decides between a
 * publication and a deletion at the same moment, and a change of the product after that is followed by a re-publication.
 * Only then is the batch scored and read, so that the passport shows one product and not two.
 */
export async function publishPassport(
  deps: PassportDependencies,
  context: CommandContext,
  { batchId, productId }: { readonly batchId: string; readonly productId: string },
): Promise<PassportSummary> {
  const organizationId = organizationOf(context);
  const dppId = passportIdOf(batchId);
  await issuePassport(deps, context, { productId, batchId, dppId });
  const { state: batch } = await rescoreBatch(deps, context, batchId);
  const source = await passportSource(deps, batch);

  const { state } = await execute(deps.eventStore, context, {
    stream: passportStream(dppId),
    decider: passportDecider,
    command: async (): Promise<PassportCommand> => {
      const { fields } = await findProduct(deps, { productId, organizationId });
      const identity = identityOf(deps, organizationId, fields, source);
      const content = contentOf(await brandNameOf(deps, organizationId), fields, source);
      return { type: 'PublishPassport', identity, content, publishedAt: context.now };
    },
  });
  return summaryOf(publishedPassport(state, { dppId, organizationId }));
}

/**
 * Publishes the passport of a preliminary batch that this very call is making, of a product that it has just made and whose
 * stream names the passport: nothing of it is there that could be read.
 */
export async function publishNewPassport(
  deps: Pick<PassportDependencies, 'eventStore' | 'consumerUrl'>,
  context: CommandContext,
  { batch, score }: PreliminaryBatch,
  { fields, brandName }: { readonly fields: ProductFields; readonly brandName: string },
): Promise<PassportSummary> {
  const organizationId = organizationOf(context);
  const { batchId, productId, quantity, unit, preliminary } = batch;
  const source: PassportSource = {
    ...{ batchId, productId, quantity, unit, preliminary, score },
    ...{ factoryCountry: null, production: null, certificates: [] },
  };
  const identity = identityOf(deps, organizationId, fields, source);
  const { dppId } = identity;
  const { state } = await execute(deps.eventStore, context, {
    stream: passportStream(dppId),
    decider: passportDecider,
    command: {
      type: 'PublishPassport',
      ...{ identity, content: contentOf(brandName, fields, source), publishedAt: context.now },
    },
    isNew: true,
  });
  return summaryOf(publishedPassport(state, { dppId, organizationId }));
}

/**
 * Scores the batch again and publishes the next version of its passport if what it shows has changed; null if it is not out
 * yet, or the batch not there.
 */
export async function republishPassport(
  deps: PassportDependencies,
  context: CommandContext,
  batchId: string,
): Promise<PassportSummary | null> {
  const organizationId = organizationOf(context);
  const dppId = passportIdOf(batchId);
  if ((await findAnyBatch(deps, batchId)) === null) return null;
  const { state: batch } = await rescoreBatch(deps, context, batchId);
  const source = await passportSource(deps, batch);
  const { state } = await execute(deps.eventStore, context, {
    stream: passportStream(dppId),
    decider: passportDecider,
    // The product is read after the passport: who loses the race to append reads both again.
    command: async (): Promise<PassportCommand> => {
      const { fields } = await findProduct(deps, { productId: source.productId, organizationId });
      const content = contentOf(await brandNameOf(deps, organizationId), fields, source);
      return { type: 'RepublishPassport', dppId, organizationId, content, publishedAt: context.now };
    },
  });
  return state.status === 'none' ? null : summaryOf(state);
}

/** A passport of the organization. */
export async function findPassport(
  { eventStore }: Pick<PassportDependencies, 'eventStore'>,
  ref: { readonly dppId: string; readonly organizationId: string },
): Promise<PublishedPassport> {
  const { state } = await load(eventStore, passportDecider, passportStream(ref.dppId));
  return publishedPassport(state, ref);
}

/** The passport of the batch, or null while it is not out. */
export async function passportOfBatch(
  { eventStore }: Pick<PassportDependencies, 'eventStore'>,
  batchId: string,
): Promise<PassportSummary | null> {
  const { state } = await load(eventStore, passportDecider, passportStream(passportIdOf(batchId)));
  return state.status === 'none' ? null : summaryOf(state);
}

/** The passport whose page answers at this address; public. GTINs are compared as 14 digits. */
export async function passportAtAddress(
  { eventStore, database }: Pick<PassportDependencies, 'eventStore' | 'database'>,
  { gtin, serial }: { readonly gtin: string; readonly serial: string },
): Promise<PublishedPassport> {
  const found = parseGtin(gtin).ok ? await passportAt(database, toGtin14(gtin), serial) : null;
  if (found === null) throw notFound('passport', `${gtin}/${serial}`);
  const { state } = await load(eventStore, passportDecider, passportStream(found.dppId));
  if (state.status === 'none') throw notFound('passport', `${gtin}/${serial}`);
  return state;
}

const SERIAL_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const SERIAL_LENGTH = 12;

function addressOf({ consumerUrl }: Pick<PassportDependencies, 'consumerUrl'>, gtin: string) {
  const serial = Array.from({ length: SERIAL_LENGTH }, () => SERIAL_ALPHABET[randomInt(SERIAL_ALPHABET.length)]).join(
    '',
  );
  return { gtin, serial, qrUrl: `${consumerUrl}/p/${gtin}/${serial}` };
}

const identityOf = (
  deps: Pick<PassportDependencies, 'consumerUrl'>,
  organizationId: string,
  { gtin }: ProductFields,
  { batchId, productId, preliminary }: PassportSource,
): PassportIdentity => ({
  ...{ dppId: passportIdOf(batchId), organizationId, batchId, productId, preliminary },
  ...addressOf(deps, gtin ?? restrictedGtin(productId)),
  gtinGenerated: gtin === null,
});

/** The name that passports show. */
export async function brandNameOf(
  { database }: Pick<PassportDependencies, 'database'>,
  organizationId: string,
): Promise<string> {
  const organization = await organizationById(database, organizationId);
  if (organization !== null) return organization.name;
  throw new Refusal('concurrent_change', 'The organization is only just being made; send the call again.');
}

const contentOf = (brandName: string, product: ProductFields, source: PassportSource) =>
  passportContent({ brandName, product, source, defaultWeightKg: DEFAULT_WEIGHT_KG });

function summaryOf(passport: PublishedPassport): PassportSummary {
  const { dppId, gtin, serial, qrUrl } = passport.identity;
  const { version, content } = latestVersion(passport);
  const publishedAt = passport.versions[0]?.publishedAt ?? 0;
  return {
    ...{ dppId, gtin, serial, qrUrl, publishedAt, version },
    co2PerUnit: content.pefcr?.climate_change_per_unit ?? null,
  };
}
