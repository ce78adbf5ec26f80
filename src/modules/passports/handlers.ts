import { passportAt } from '../../../projections/passports/queries.js';
import type { CommandContext } from '../../core/context.js';
import { notFound } from '../../core/errors.js';
import { deterministicUuid } from '../../core/ids.js';
import { execute, load, type Loaded } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { parseGtin, toGtin14 } from '../../reference-data/gtin.js';
import {
  passportDecider,
  publishedPassport,
  type PassportCommand,
  type PassportState,
  type PublishedPassport,
} from './decider.js';
import { passportStream, type PassportContent, type PassportIdentity } from './events.js';

interface PassportDependencies {
  readonly eventStore: EventStore;
}

/** A batch has one passport: the same id whoever asks, however often. */
export const passportIdOf = (batchId: string): string => `dpp_${deterministicUuid(batchId, 'passport')}`;

/** The first version of a passport; one that is out already stays as it is. */
export async function publishPassport(
  { eventStore }: PassportDependencies,
  context: CommandContext,
  { identity, content }: { readonly identity: PassportIdentity; readonly content: PassportContent },
): Promise<PublishedPassport> {
  const { state } = await execute(eventStore, context, {
    stream: passportStream(identity.dppId),
    decider: passportDecider,
    command: { type: 'PublishPassport', identity, content, publishedAt: context.now },
    isNew: true,
  });
  return publishedPassport(state, identity);
}

export type LoadedPassport = Loaded<PassportState> & { readonly state: PublishedPassport };

/** The passport of the batch, or null while it is not out. */
export async function passportOfBatch(
  { eventStore }: PassportDependencies,
  batchId: string,
): Promise<LoadedPassport | null> {
  const loaded = await load(eventStore, passportDecider, passportStream(passportIdOf(batchId)));
  const { state } = loaded;
  return state.status === 'none' ? null : { ...loaded, state };
}

/**
 * The next version of a passport that was just read, if it would show something else. `content` is asked after the passport was
 * read, and again when somebody else was quicker: nobody puts what was so before above what is so now.
 */
export async function republishPassport(
  { eventStore }: PassportDependencies,
  context: CommandContext,
  known: LoadedPassport,
  content: () => Promise<PassportContent>,
): Promise<void> {
  const { dppId, organizationId } = known.state.identity;
  await execute(eventStore, context, {
    stream: passportStream(dppId),
    decider: passportDecider,
    command: async (): Promise<PassportCommand> => ({
      ...{ type: 'RepublishPassport', dppId, organizationId },
      ...{ content: await content(), publishedAt: context.now },
    }),
    known,
  });
}

/** A passport of the organization. */
export async function findPassport(
  { eventStore }: PassportDependencies,
  ref: { readonly dppId: string; readonly organizationId: string },
): Promise<PublishedPassport> {
  const { state } = await load(eventStore, passportDecider, passportStream(ref.dppId));
  return publishedPassport(state, ref);
}

/** The passport whose page answers at this address; public. GTINs are compared as 14 digits. */
export async function passportAtAddress(
  { eventStore, database }: PassportDependencies & { readonly database: Queryable },
  { gtin, serial }: { readonly gtin: string; readonly serial: string },
): Promise<PublishedPassport> {
  const found = parseGtin(gtin).ok ? await passportAt(database, toGtin14(gtin), serial) : null;
  if (found === null) throw notFound('passport', `${gtin}/${serial}`);
  const { state } = await load(eventStore, passportDecider, passportStream(found.dppId));
  if (state.status === 'none') throw notFound('passport', `${gtin}/${serial}`);
  return state;
}
