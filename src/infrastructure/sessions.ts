import type { Plan, Role } from '../core/vocabulary.js';

import { SHARED_QUERY, type Queryable } from './postgres/database.js';
import type { SessionClaims } from './session-tokens.js';

/** What one query says about a caller: a session that stands and, when an organization was asked for, the place in it. */
export interface Standing {
  readonly member: { readonly role: Role; readonly plan: Plan } | null;
}

// Prepared once for each connection: every call of the interface begins with it.
const STANDING = {
  ...SHARED_QUERY,
  name: 'standing-of-session',
  text: `select m.role, o.plan
           from service.sessions s
           left join service.memberships m on m.account_id = s.account_id and m.organization_id = $3
           left join read.organizations o on o.id = m.organization_id
          where s.id = $1 and s.account_id = $2 and s.ended_at is null and s.expires_at > now()`,
};

/** Null when the session has ended, expired or never was. */
export async function standingOf(
  db: Queryable,
  claims: SessionClaims,
  organizationId: string | null,
): Promise<Standing | null> {
  type Row = { role: Role | null; plan: Plan | null };
  const { rows } = await db.query<Row>({ ...STANDING, values: [claims.sessionId, claims.accountId, organizationId] });
  const row = rows[0];
  if (row === undefined) return null;
  // The plan is the read model's; one that has not seen the organization yet knows no plan, and free is where all begin.
  return { member: row.role === null ? null : { role: row.role, plan: row.plan ?? 'free' } };
}
