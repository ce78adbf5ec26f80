import { organizationById } from '../../../projections/organizations/queries.js';
import type { CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import { deterministicUuid } from '../../core/ids.js';
import type { Role } from '../../core/vocabulary.js';
import { inTransaction, type Connection, type Database } from '../../infrastructure/postgres/database.js';
import type { Locale } from '../../pages/locale.js';
import { accountByEmail, accountOfProvenAddress } from '../accounts/index.js';
import { countMails } from '../organizations/index.js';
import {
  countMembers,
  deleteMember,
  findInvited,
  findMember,
  hasOtherOwner,
  insertMembership,
  invitationOfLink,
  lockMembers,
  memberMailId,
  queueMail,
  setRole,
  upsertInvitation,
  type Invitation,
  type Member,
} from './store.js';

/** As many as somebody looks through; also what bounds the mails that an organization can cause. */
export const MAX_MEMBERS = 200;
const INVITATION_S = 14 * 24 * 60 * 60;

/**
 * Adds who has an account of a proven address, at once and told by mail; anybody else is mailed a link that makes the account,
 * or takes it from whoever prepared it, and the membership.
 * `isNew` says whether this call added or invited somebody.
 */
export async function inviteMember(
  { database, linkKey }: { readonly database: Database; readonly linkKey: Buffer },
  context: Pick<CommandContext, 'newId' | 'seed'>,
  invited: { readonly organizationId: string; readonly email: string; readonly role: Role; readonly locale: Locale },
): Promise<{ readonly member: Member; readonly isNew: boolean }> {
  const { organizationId, email, role, locale } = invited;
  return inTransaction(database, async (connection) => {
    await lockMembers(connection, [organizationId]);
    const mail = { id: deterministicUuid(context.seed, 'member-mail'), organizationId, locale };
    const queue = async (about: { readonly accountId: string } | { readonly invitationId: string }) => {
      const mails = [{ messageId: memberMailId(mail.id), to: email }];
      await countMails(connection, { linkKey, organizationId, mails });
      await queueMail(connection, { ...mail, ...about });
    };
    const known = await accountByEmail(connection, email);
    const member = known === null ? null : await findMember(connection, organizationId, known.id);
    // An account may have been made by somebody else: it is not theirs to let in until the address is proven.
    const account = known?.emailProvenAt != null || member !== null ? known : null;
    const present = account === null ? await findInvited(connection, organizationId, email) : member;
    const isNew = present === null;
    if (isNew && (await countMembers(connection, organizationId)) >= MAX_MEMBERS) {
      throw new Refusal('member_limit', `An organization has at most ${MAX_MEMBERS} members and invitations.`);
    }
    if (account === null) {
      const id = present?.id ?? context.newId('inv');
      await upsertInvitation(connection, linkKey, { id, email, organizationId, role, lifetimeS: INVITATION_S });
      await queue({ invitationId: id });
      return { member: await existing(connection, organizationId, id), isNew };
    }
    if (present === null) {
      const pending = await findInvited(connection, organizationId, email);
      if (pending !== null) await deleteMember(connection, organizationId, pending.id);
      await insertMembership(connection, { organizationId, accountId: account.id, role });
      await queue({ accountId: account.id });
    } else if (present.role !== role) {
      throw new Refusal('already_member', `"${email}" is a member with the role "${present.role}".`, {
        errors: [{ path: 'email', code: 'already_member', message: 'The address belongs to a member.' }],
      });
    }
    return { member: await existing(connection, organizationId, account.id), isNew };
  });
}

interface MemberRef {
  readonly organizationId: string;
  /** Of the account, or of an invitation. */
  readonly id: string;
}

/** Acts at once, also on tokens that were issued before: each call looks the role up. */
export const changeRole = (database: Database, { organizationId, id }: MemberRef, role: Role): Promise<Member> =>
  inTransaction(database, async (connection) => {
    await lockMembers(connection, [organizationId]);
    const member = await existing(connection, organizationId, id);
    if (role !== 'owner') await keepAnOwner(connection, organizationId, member);
    await setRole(connection, { organizationId, id, role });
    return { ...member, role };
  });

/** Removes a member, or withdraws an invitation. */
export const removeMember = (database: Database, { organizationId, id }: MemberRef): Promise<void> =>
  inTransaction(database, async (connection) => {
    await lockMembers(connection, [organizationId]);
    const member = await existing(connection, organizationId, id);
    await keepAnOwner(connection, organizationId, member);
    await deleteMember(connection, organizationId, id);
  });

async function keepAnOwner(
  connection: Connection,
  organizationId: string,
  { id, role, state }: Pick<Member, 'id' | 'role' | 'state'>,
): Promise<void> {
  if (state === 'invited' || role !== 'owner' || (await hasOtherOwner(connection, organizationId, id))) return;
  throw lastOwner(organizationId);
}

export const lastOwner = (organizationId: string): Refusal =>
  new Refusal(
    'last_owner',
    `The organization "${organizationId}" has no other owner; make somebody else an owner first.`,
  );

async function existing(connection: Connection, organizationId: string, memberId: string): Promise<Member> {
  const member = await findMember(connection, organizationId, memberId);
  if (member === null) throw notFound('member', memberId);
  return member;
}

/** What stands behind the link of an invitation. */
export interface OpenInvitation extends Invitation {
  readonly organizationName: string;
  /** The address has an account by now, so nothing is left to be chosen. */
  readonly hasAccount: boolean;
}

export async function findInvitation(database: Database, token: string): Promise<OpenInvitation | null> {
  const invitation = await invitationOfLink(database, token);
  if (invitation === null) return null;
  const [organization, account] = await Promise.all([
    organizationById(database, invitation.organizationId),
    accountByEmail(database, invitation.email),
  ]);
  const hasAccount = account !== null && account.emailProvenAt !== null;
  return { ...invitation, organizationName: organization?.name ?? '', hasAccount };
}

/**
 * Takes up an invitation: the link was mailed to the address, so its holder has proven it. Whoever made an account with the
 * address before, and had not proven it, loses it. False when somebody was faster, or it was withdrawn in this moment.
 */
export async function acceptInvitation(
  database: Database,
  context: Pick<CommandContext, 'newId'>,
  { token, displayName, password }: { readonly token: string; readonly displayName: string; readonly password: string },
): Promise<boolean> {
  const invitation = await invitationOfLink(database, token);
  if (invitation === null) return false;
  const { email, organizationId } = invitation;
  const join = () => accountOfProvenAddress(database, context, { email, displayName, password });
  const account = await join().catch((error: unknown) => {
    // Made in this moment by somebody else: it is there now.
    if (error instanceof Refusal && error.code === 'email_taken') return join();
    throw error;
  });
  return inTransaction(database, async (connection) => {
    await lockMembers(connection, [organizationId]);
    const current = await invitationOfLink(connection, token);
    if (current === null) return false;
    await deleteMember(connection, organizationId, current.id);
    await insertMembership(connection, { organizationId, accountId: account.id, role: current.role });
    return true;
  });
}
