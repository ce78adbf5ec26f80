import type { Plan, Role } from '../../src/core/vocabulary.js';

import type { Queryable } from '../../src/infrastructure/postgres/database.js';

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
