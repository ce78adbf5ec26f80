import { MailRefused } from '../src/infrastructure/mailer.js';
import type { Queryable } from '../src/infrastructure/postgres/database.js';

/** Whom the service tells what an organization should know: its first owner. */
export async function ownerAddress(database: Queryable, organizationId: string): Promise<string> {
  const { rows } = await database.query<{ email: string }>(
    `select a.email from service.memberships m join service.accounts a on a.id = m.account_id
      where m.organization_id = $1 and m.role = 'owner' order by m.created_at, a.id limit 1`,
    [organizationId],
  );
  if (rows[0] === undefined) throw new MailRefused('the organization has no owner');
  return rows[0].email;
}
