import { PLANS, type Plan, type Role } from '../../src/core/vocabulary.js';

import { SHARED_QUERY, type Queryable } from '../../src/infrastructure/postgres/database.js';

export interface OrganizationOfAccount {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly role: Role;
}

export interface OrganizationRecord {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: number;
}

/** The organizations that the account belongs to, in the order it joined them. */
export async function organizationsOf(db: Queryable, accountId: string): Promise<OrganizationOfAccount[]> {
  const { rows } = await db.query<OrganizationOfAccount>(
    `select o.id, o.name, o.plan, m.role
       from service.memberships m
       join lateral (select * from read.organizations o where o.id = m.organization_id limit 1) o on true
      where m.account_id = $1
      order by m.created_at, o.id`,
    [accountId],
  );
  return rows;
}

export async function organizationById(db: Queryable, id: string): Promise<OrganizationRecord | null> {
  const { rows } = await db.query<OrganizationRecord>(
    'select id, name, plan, created_at as "createdAt" from read.organizations where id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/** What a session may do in the organization that a call names. */
export interface Membership {
  readonly role: Role;
  readonly plan: Plan;
}

// Prepared once for each connection: every call of the interface begins with one of these two. The plan is the read model's; one
// that has not seen the organization yet knows no plan, and free is where all begin.
const SESSION = {
  ...SHARED_QUERY,
  name: 'session',
  text: `select m.role, coalesce(o.plan, '${PLANS[0]}') as plan
           from service.sessions s
           left join service.memberships m on m.account_id = s.account_id and m.organization_id = $3
           left join read.organizations o on o.id = m.organization_id
          where s.id = $1 and s.account_id = $2 and s.ended_at is null and s.expires_at > now()`,
};

/** Null when the session has ended, expired or never was; its `membership` when there is none, or no organization was named. */
export async function openSession(
  db: Queryable,
  session: { readonly sessionId: string; readonly accountId: string },
  organizationId: string | null,
): Promise<{ readonly membership: Membership | null } | null> {
  const { rows } = await db.query<{ role: Role | null; plan: Plan }>({
    ...SESSION,
    values: [session.sessionId, session.accountId, organizationId],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return { membership: row.role === null ? null : { role: row.role, plan: row.plan } };
}

export interface KeyHolder {
  readonly id: string;
  readonly organizationId: string;
  readonly scopes: readonly string[];
  readonly plan: Plan;
  /** The last use that was noted is more than a minute ago. */
  readonly isUseDue: boolean;
}

const API_KEY = {
  ...SHARED_QUERY,
  name: 'api-key',
  text: `select k.id, k.organization_id as "organizationId", k.scopes, coalesce(o.plan, '${PLANS[0]}') as plan,
                k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as "isUseDue"
           from service.api_keys k left join read.organizations o on o.id = k.organization_id
          where k.key_hash = $1`,
};

/** Null for a key that never was, or was revoked. */
export async function keyHolder(db: Queryable, keyHash: Buffer): Promise<KeyHolder | null> {
  const { rows } = await db.query<KeyHolder>({ ...API_KEY, values: [keyHash] });
  return rows[0] ?? null;
}
