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
import { rescoreBatch } from '../batches/handlers.js';
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
  await rescoreBatch(deps, context, batchId);
  const source = await passportSource(deps, batchId);

  const { state } = await execute(deps.eventStore, context, {
    stream: passportStream(dppId),
    decider: passportDecider,
    command: async (): Promise<PassportCommand> => {
      const product = await findProduct(deps, { productId, organizationId });
      const { gtin } = product.fields;
      const address = addressOf(deps, gtin ?? restrictedGtin(productId));
      const identity: PassportIdentity = {
        ...{ dppId, organizationId, batchId, productId, preliminary: source.preliminary },
        ...address,
        gtinGenerated: gtin === null,
      };
      const content = await contentOf(deps, organizationId, product.fields, source);
      return { type: 'PublishPassport', identity, content, publishedAt: context.now };
    },
  });
  return summaryOf(publishedPassport(state, { dppId, organizationId }));
}

/**
 * Scores the batch again and publishes the next version of its passport if what it shows has changed; null if it is not out
 * yet.
 */
export async function republishPassport(
  deps: PassportDependencies,
  context: CommandContext,
  batchId: string,
): Promise<PassportSummary | null> {
  const organizationId = organizationOf(context);
  const dppId = passportIdOf(batchId);
  await rescoreBatch(deps, context, batchId);
  const source = await passportSource(deps, batchId);
  const { state } = await execute(deps.eventStore, context, {
    stream: passportStream(dppId),
    decider: passportDecider,
    // The product is read after the passport: who loses the race to append reads both again.
    command: async (): Promise<PassportCommand> => {
      const product = await findProduct(deps, { productId: source.productId, organizationId });
      const content = await contentOf(deps, organizationId, product.fields, source);
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

function addressOf({ consumerUrl }: PassportDependencies, gtin: string) {
  const serial = Array.from({ length: SERIAL_LENGTH }, () => SERIAL_ALPHABET[randomInt(SERIAL_ALPHABET.length)]).join(
    '',
  );
  return { gtin, serial, qrUrl: `${consumerUrl.replace(/\/+$/, '')}/p/${gtin}/${serial}` };
}

async function contentOf(
  { database }: PassportDependencies,
  organizationId: string,
  product: Parameters<typeof passportContent>[0]['product'],
  source: PassportSource,
) {
  const organization = await organizationById(database, organizationId);
  if (organization === null) {
    throw new Refusal('concurrent_change', 'The organization is only just being made; send the call again.');
  }
  return passportContent({ brandName: organization.name, product, source, defaultWeightKg: DEFAULT_WEIGHT_KG });
}

function summaryOf(passport: PublishedPassport): PassportSummary {
  const { dppId, gtin, serial, qrUrl } = passport.identity;
  const { version, content } = latestVersion(passport);
  const publishedAt = passport.versions[0]?.publishedAt ?? 0;
  return {
    ...{ dppId, gtin, serial, qrUrl, publishedAt, version },
    co2PerUnit: content.pefcr?.climate_change_per_unit ?? null,
  };
}
