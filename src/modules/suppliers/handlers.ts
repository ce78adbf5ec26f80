import { batchesOfSupplier } from '../../../projections/batches/queries.js';
import { hasAnswered } from '../../../projections/suppliers/queries.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { invalid, notFound } from '../../core/errors.js';
import type { Sharing } from '../../core/vocabulary.js';
import { execute, load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database, Queryable } from '../../infrastructure/postgres/database.js';
import { ownerOf } from '../../infrastructure/reservations.js';
import { accountByEmail } from '../accounts/index.js';
import { countMailsNow } from '../organizations/index.js';
import {
  existing,
  supplierDecider,
  supplierOf,
  type ExpiringCertificate,
  type Supplier,
  type SupplierCommand,
  type SupplierState,
} from './decider.js';
import { invitationMailId, supplierStream, type InvitationRef, type SupplierInvitation } from './events.js';
import type { InviteBody, SupplierDetail } from './schemas.js';
import { contactEmailOf, factoryAt, openInvitationLink } from './store.js';

export interface SupplierDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
  /** The key from which the tokens of mailed links are derived. */
  readonly linkKey: Buffer;
}

/** What a factory keeps in its own pages. */
type Catalogue = {
  readonly [Kind in 'products' | 'facilities' | 'certificates' | 'subSuppliers']: Readonly<SupplierDetail[Kind]>;
};

/** Handed in by whoever puts the rooms together: the factory's side stands above this one. */
export interface CatalogueReader {
  readonly catalogueOf: (factoryId: string) => Promise<Catalogue>;
}

const NO_CATALOGUE: Catalogue = { products: [], facilities: [], certificates: [], subSuppliers: [] };

interface SupplierRef {
  readonly organizationId: string;
  readonly supplierId: string;
}

/**
 * Invites the factory behind an address. An organization has one record for it: invited again, the record takes the new
 * details. `isNew` says whether this call made it.
 */
export async function inviteSupplier(
  deps: SupplierDependencies & CatalogueReader,
  context: CommandContext,
  { body, inviterEmail }: { readonly body: InviteBody; readonly inviterEmail: string | null },
): Promise<{ readonly detail: SupplierDetail; readonly isNew: boolean }> {
  const { contactEmail, factoryName, tier, country = null, notes = null } = body;
  if (contactEmail === inviterEmail) throw invalid('contactEmail', 'This is your own address; invite a factory.');
  const organizationId = organizationOf(context);
  const { database } = deps;
  const [factoryId, account] = await Promise.all([
    factoryAt(database, contactEmail),
    accountByEmail(database, contactEmail),
  ]);
  const supplierId = await recordIdOf(deps, context, factoryId);
  const invitation = { supplierId, organizationId, factoryId, factoryName, country, tier, notes, callId: context.seed };
  const state = await mailedInvitation(deps, context, {
    ...{ type: 'InviteSupplier', invitation, hasAccount: account !== null },
  });
  const supplier = supplierOf(state, { supplierId, organizationId });
  return { detail: await detailOf(deps, supplier), isNew: supplier.invitations[0] === context.seed };
}

/**
 * Records whom an import names as a supplier, of tier 1, without mailing anybody. A record that is there already stays as it
 * is. Without a name it goes by the domain of its address, up to the first dot: a whole one is a link in a mail.
 */
export async function recordSupplier(
  { database, eventStore }: { readonly database: Queryable; readonly eventStore: EventStore },
  context: CommandContext,
  { name, email }: { readonly name: string | null; readonly email: string },
): Promise<void> {
  const organizationId = organizationOf(context);
  const factoryId = await factoryAt(database, email);
  const supplierId = await recordIdOf({ database }, context, factoryId);
  const [domain = email] = email.slice(email.lastIndexOf('@') + 1).split('.');
  const factoryName = name ?? domain;
  const supplier = { supplierId, organizationId, factoryId, factoryName, country: null, tier: 1, notes: null };
  await execute(eventStore, context, {
    stream: supplierStream(supplierId),
    decider: supplierDecider,
    command: { type: 'RecordSupplier', supplier },
  });
}

/** The organization's one record of a factory, made or to be made. */
export const recordIdOf = (
  { database }: { readonly database: Queryable },
  context: CommandContext,
  factoryId: string,
): Promise<string> =>
  ownerOf(database, {
    ...{ organizationId: organizationOf(context), kind: 'supplier_address', value: factoryId },
    ownerId: context.newId('sup'),
  });

/** The same, where a Postgres that is older than the record does not know of it. */
export const restoreRecordId = async (
  { database }: { readonly database: Queryable },
  { organizationId, factoryId, supplierId }: Pick<SupplierInvitation, 'organizationId' | 'factoryId' | 'supplierId'>,
): Promise<void> => {
  await ownerOf(database, { organizationId, kind: 'supplier_address', value: factoryId, ownerId: supplierId });
};

/**
 * Takes on a supplier that somebody else has named: invited as described, or, where an import alone had named it, as its record
 * is. One that has been asked before stays as it is. Done again, it changes nothing.
 */
export async function takeOnSupplier(
  deps: SupplierDependencies,
  context: CommandContext,
  invitation: SupplierInvitation,
): Promise<void> {
  const contactEmail = await contactEmailOf(deps.database, invitation.factoryId);
  const account = contactEmail === null ? null : await accountByEmail(deps.database, contactEmail);
  await mailedInvitation(deps, context, { type: 'TakeOnSupplier', invitation, hasAccount: account !== null });
}

/**
 * Runs a command that may invite. Its mail is counted, and the link good, before anybody can be told of it; for who is not invited
 * neither is done.
 */
async function mailedInvitation(
  deps: SupplierDependencies,
  context: CommandContext,
  command: Extract<SupplierCommand, { type: 'InviteSupplier' | 'TakeOnSupplier' }>,
): Promise<SupplierState> {
  const { database, eventStore, linkKey } = deps;
  const { supplierId } = command.invitation;
  const { state } = await execute(eventStore, context, {
    stream: supplierStream(supplierId),
    decider: supplierDecider,
    command: async (before) => {
      const isInviting = supplierDecider.decide(command, before).length > 0;
      if (isInviting) {
        await countInvitation(deps, command.invitation);
        await openInvitationLink(database, linkKey, supplierId);
      }
      return command;
    },
  });
  return state;
}

/** Counts the mail of an invitation among those of its day; refused, nobody is invited. */
export async function countInvitation(
  deps: Pick<SupplierDependencies, 'database' | 'linkKey'>,
  { organizationId, factoryId, ...invitation }: InvitationRef & { organizationId: string; factoryId: string },
): Promise<void> {
  const to = await contactEmailOf(deps.database, factoryId);
  const mails = to === null ? [] : [{ messageId: invitationMailId(invitation), to }];
  await countMailsNow(deps, { organizationId, mails });
}

/** `none` for a record that is still to be made. */
export async function supplierStatus(
  { eventStore }: Pick<SupplierDependencies, 'eventStore'>,
  supplierId: string,
): Promise<Supplier['status'] | 'none'> {
  return (await load(eventStore, supplierDecider, supplierStream(supplierId))).state.status;
}

export async function readSupplier(deps: DetailDependencies, ref: SupplierRef): Promise<SupplierDetail> {
  const { state } = await load(deps.eventStore, supplierDecider, supplierStream(ref.supplierId));
  return detailOf(deps, supplierOf(state, ref));
}

/** The supplier, whoever's it is: for the holder of its link. */
export async function findSupplier(
  { eventStore }: Pick<SupplierDependencies, 'eventStore'>,
  supplierId: string,
): Promise<Supplier> {
  const { state } = await load(eventStore, supplierDecider, supplierStream(supplierId));
  return existing(state, supplierId);
}

/** The organization's supplier; null when it has none of this id. */
export async function supplierOfBrand(
  { eventStore }: Pick<SupplierDependencies, 'eventStore'>,
  { supplierId, organizationId }: SupplierRef,
): Promise<Supplier | null> {
  const { state } = await load(eventStore, supplierDecider, supplierStream(supplierId));
  return state.status === 'none' || state.organizationId !== organizationId ? null : state;
}

/** Confirms, accepts or declines on behalf of the factory; what is so already changes nothing. */
export async function answerInvitation(
  { eventStore }: Pick<SupplierDependencies, 'eventStore'>,
  context: CommandContext,
  answer: Extract<SupplierCommand, { type: 'ConfirmSupplier' | 'GrantSharing' | 'DeclineSupplier' }>,
): Promise<Supplier> {
  const { state } = await execute(eventStore, context, {
    stream: supplierStream(answer.supplierId),
    decider: supplierDecider,
    command: answer,
  });
  return existing(state, answer.supplierId);
}

/** The factory's own record with a brand; that of another factory is not there. */
export async function recordOfFactory(
  deps: Pick<SupplierDependencies, 'eventStore'>,
  { supplierId, factoryId }: { readonly supplierId: string; readonly factoryId: string },
): Promise<Supplier> {
  const supplier = await findSupplier(deps, supplierId);
  if (supplier.factoryId !== factoryId) throw notFound('supplier', supplierId);
  return supplier;
}

/** Tells the organization that one of its supplier's certificates ends soon; told so already, nothing happens. */
export async function noticeCertificateExpiry(
  { eventStore }: Pick<SupplierDependencies, 'eventStore'>,
  context: CommandContext,
  notice: { readonly supplierId: string; readonly certificate: ExpiringCertificate },
): Promise<void> {
  await execute(eventStore, context, {
    stream: supplierStream(notice.supplierId),
    decider: supplierDecider,
    command: { type: 'NoticeCertificateExpiry', ...notice },
  });
}

/** That somebody has typed its address, or that there is an account, shows nothing of a factory: it has said so, or has answered. */
function sharingOf({ status, isSharingGranted }: Supplier, hasAnsweredUs: boolean): Sharing {
  if (status === 'declined') return 'declined';
  return isSharingGranted || hasAnsweredUs ? 'granted' : 'asked';
}

type DetailDependencies = Pick<SupplierDependencies, 'eventStore'> & CatalogueReader & { readonly database: Queryable };

async function detailOf(deps: DetailDependencies, supplier: Supplier): Promise<SupplierDetail> {
  const { supplierId: id, organizationId, factoryId, factoryName, country, tier, status } = supplier;
  const [contactEmail, catalogue, batches, answered] = await Promise.all([
    contactEmailOf(deps.database, factoryId),
    deps.catalogueOf(factoryId),
    batchesOfSupplier(deps.database, organizationId, id),
    hasAnswered(deps.database, id),
  ]);
  const sharing = sharingOf(supplier, answered);
  const { facilities, certificates, subSuppliers, products } = sharing === 'granted' ? catalogue : NO_CATALOGUE;
  return {
    ...{ id, factoryName, country, tier, state: status, sharing, contactEmail },
    ...{ facilities: [...facilities], certificates: [...certificates] },
    ...{ subSuppliers: [...subSuppliers], products: [...products], batches },
  };
}
