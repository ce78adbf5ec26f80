import type { Role } from '../../core/vocabulary.js';

import { memberInvitationToken, tokenHash } from '../../infrastructure/links.js';
import type { Connection, Queryable } from '../../infrastructure/postgres/database.js';

/** Somebody who belongs to an organization, or is invited to. Not event-sourced, as accounts are not. */
export interface Member {
  /** The account's id, or the invitation's while there is none. */
  readonly id: string;
  readonly userId: string | null;
  readonly email: string;
  readonly displayName: string | null;
  readonly role: Role;
  readonly state: 'member' | 'invited';
  readonly createdAt: number;
}

const MEMBER = `a.id, a.id as "userId", a.email, a.display_name as "displayName", m.role, 'member' as state,
  (extract(epoch from m.created_at) * 1000)::bigint as "createdAt"`;
const INVITED = `i.id, null as "userId", i.email, null as "displayName", i.role, 'invited' as state,
  (extract(epoch from i.created_at) * 1000)::bigint as "createdAt"`;

/** One change of an organization's members at a time: who the last owner is depends on all of them. */
export async function lockMembers(connection: Connection, organizationIds: readonly string[]): Promise<void> {
  for (const organizationId of [...organizationIds].sort()) {
    await connection.query(`select pg_advisory_xact_lock(hashtextextended('members/' || $1, 0))`, [organizationId]);
  }
}

/** Members first, then those invited, each in the order they came; `limit` bounds them all. */
export async function listMembers(db: Queryable, organizationId: string, limit: number): Promise<Member[]> {
  const { rows } = await db.query<Member>(
    `select * from (
       select ${MEMBER} from service.memberships m join service.accounts a on a.id = m.account_id
        where m.organization_id = $1
       union all
       select ${INVITED} from service.member_invitations i where i.organization_id = $1
     ) everybody
     order by state desc, "createdAt", id limit $2`,
    [organizationId, limit],
  );
  return rows;
}

/** Whether the address is that of a member. */
export async function isMember(db: Queryable, organizationId: string, email: string): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from service.accounts a
       join service.memberships m on m.account_id = a.id and m.organization_id = $1
      where a.email = $2`,
    [organizationId, email],
  );
  return rows.length > 0;
}

/** By the id of the account or of the invitation; null for one who is not of this organization. */
export async function findMember(db: Queryable, organizationId: string, id: string): Promise<Member | null> {
  const { rows } = await db.query<Member>(
    `select ${MEMBER} from service.memberships m join service.accounts a on a.id = m.account_id
      where m.organization_id = $1 and m.account_id = $2
     union all
     select ${INVITED} from service.member_invitations i where i.organization_id = $1 and i.id = $2`,
    [organizationId, id],
  );
  return rows[0] ?? null;
}

export async function findInvited(db: Queryable, organizationId: string, email: string): Promise<Member | null> {
  const { rows } = await db.query<Member>(
    `select ${INVITED} from service.member_invitations i where i.organization_id = $1 and i.email = $2`,
    [organizationId, email],
  );
  return rows[0] ?? null;
}

export async function countMembers(db: Queryable, organizationId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select (select count(*) from service.memberships where organization_id = $1)
          + (select count(*) from service.member_invitations where organization_id = $1) as count`,
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}

/** Owners of the organization other than this account. */
export async function hasOtherOwner(db: Queryable, organizationId: string, accountId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from service.memberships where organization_id = $1 and account_id <> $2 and role = 'owner' limit 1`,
    [organizationId, accountId],
  );
  return rowCount === 1;
}

interface Place {
  readonly organizationId: string;
  readonly role: Role;
}

/** Who is a member already stays what they are. Waits for an erasure of the account under way; then there is nobody to add. */
export async function insertMembership(
  db: Queryable,
  { organizationId, role, accountId }: Place & { readonly accountId: string },
): Promise<void> {
  await db.query(
    `insert into service.memberships (organization_id, account_id, role)
     select $1, a.id, $3 from (select id from service.accounts where id = $2 for key share) a
     on conflict do nothing`,
    [organizationId, accountId, role],
  );
}

/** Invites an address, or gives its invitation another role and new time. */
export async function upsertInvitation(
  db: Queryable,
  linkKey: Buffer,
  { id, email, organizationId, role, lifetimeS }: Place & { id: string; email: string; lifetimeS: number },
): Promise<void> {
  await db.query(
    `insert into service.member_invitations as i (id, organization_id, email, role, token_hash, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
     on conflict (organization_id, email) do update set role = excluded.role, expires_at = excluded.expires_at`,
    [id, organizationId, email, role, tokenHash(memberInvitationToken(linkKey, id)), lifetimeS],
  );
}

/** Its Message-ID. */
export const memberMailId = (id: string): string => `member.${id}`;

/** Has a mail sent; with the same id it is one mail. */
export async function queueMail(
  db: Queryable,
  mail: { id: string; organizationId: string; locale: string; accountId?: string; invitationId?: string },
): Promise<void> {
  await db.query(
    `insert into service.member_mails (id, organization_id, locale, account_id, invitation_id)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [mail.id, mail.organizationId, mail.locale, mail.accountId ?? null, mail.invitationId ?? null],
  );
}

export async function setRole(db: Queryable, { organizationId, role, id }: Place & { id: string }): Promise<void> {
  await db.query('update service.memberships set role = $3 where organization_id = $1 and account_id = $2', [
    ...[organizationId, id, role],
  ]);
  await db.query('update service.member_invitations set role = $3 where organization_id = $1 and id = $2', [
    ...[organizationId, id, role],
  ]);
}

export async function deleteMember(db: Queryable, organizationId: string, id: string): Promise<void> {
  await db.query('delete from service.memberships where organization_id = $1 and account_id = $2', [
    organizationId,
    id,
  ]);
  await db.query('delete from service.member_invitations where organization_id = $1 and id = $2', [organizationId, id]);
}

export interface Invitation extends Place {
  readonly id: string;
  readonly email: string;
}

/** Null for a link that is unknown, used, withdrawn or too old. */
export async function invitationOfLink(db: Queryable, token: string): Promise<Invitation | null> {
  const { rows } = await db.query<Invitation>(
    `select id, organization_id as "organizationId", email, role from service.member_invitations
      where token_hash = $1 and expires_at > now()`,
    [tokenHash(token)],
  );
  return rows[0] ?? null;
}

/** Forgets invitations that nobody took up, at most `limit`. */
export async function purgeInvitations(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from service.member_invitations where id in
       (select id from service.member_invitations where expires_at < now() - interval '30 days' limit $1)`,
    [limit],
  );
  return rowCount ?? 0;
}
