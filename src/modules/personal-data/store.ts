import { createHash } from 'node:crypto';
import { requestsOfSuppliers } from '../../../projections/batches/queries.js';
import type { Role } from '../../core/vocabulary.js';
import { eraseTextKeys } from '../../infrastructure/private-texts/private-texts.js';
import type { Connection, Queryable } from '../../infrastructure/postgres/database.js';
import { unprovenFactory } from '../suppliers/index.js';
import { blankInImports, type ImportTraces } from './import-traces.js';

/** The places where the service keeps something about a person. An erasure and an export go through the same list. */

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;

/** Of the factory at the account's address ($1), and of the catalogue that it kept before the address was proven ($2). */
const OWN_CATALOGUE = '(factory_id = $2 or factory_id in (select id from service.factories where contact_email = $1))';

/** Everything about the account, by the person's id and address. */
export async function readPersonalData(db: Queryable, accountId: string, email: string) {
  const account = await db.query<{
    id: string;
    email: string;
    displayName: string;
    createdAt: number;
    emailProvenAt: number | null;
    hasPassword: boolean;
  }>(
    `select id, email, display_name as "displayName", ${ms('created_at')} as "createdAt",
            ${ms('email_proven_at')} as "emailProvenAt", password_hash is not null as "hasPassword"
       from service.accounts where id = $1`,
    [accountId],
  );
  const memberships = await db.query<{ organizationId: string; role: Role; since: number }>(
    `select organization_id as "organizationId", role, ${ms('created_at')} as since
       from service.memberships where account_id = $1 order by created_at, organization_id limit 1000`,
    [accountId],
  );
  const sessions = await db.query<{ id: string; createdAt: number; expiresAt: number; endedAt: number | null }>(
    `select id, ${ms('created_at')} as "createdAt", ${ms('expires_at')} as "expiresAt", ${ms('ended_at')} as "endedAt"
       from service.sessions where account_id = $1 order by created_at desc, id limit 1000`,
    [accountId],
  );
  const identities = await db.query<{ issuer: string; subject: string; linkedAt: number }>(
    `select issuer, subject, ${ms('linked_at')} as "linkedAt"
       from service.account_identities where account_id = $1 order by linked_at limit 100`,
    [accountId],
  );
  const factory = await db.query<{ id: string; contactEmail: string; createdAt: number }>(
    `select id, contact_email as "contactEmail", ${ms('created_at')} as "createdAt"
       from service.factories where contact_email = $1`,
    [email],
  );
  const languages = await db.query<{ locale: string; since: number }>(
    `select locale, ${ms('since')} as since from service.factory_languages
      where factory_id in (select id from service.factories where contact_email = $1) order by since limit 1000`,
    [email],
  );
  const invitations = await db.query<{
    organizationId: string;
    role: Role;
    createdAt: number;
  }>(
    `select organization_id as "organizationId", role, ${ms('created_at')} as "createdAt"
       from service.member_invitations where email = $1 order by created_at limit 1000`,
    [email],
  );
  const catalogueAddresses = await db.query<{ entryId: string; address: string }>(
    `select entry_id as "entryId", address from service.catalogue_addresses where ${OWN_CATALOGUE} order by entry_id limit 2000`,
    [email, unprovenFactory(accountId)],
  );
  return {
    account: account.rows[0] ?? null,
    memberships: memberships.rows,
    sessions: sessions.rows,
    identities: identities.rows,
    factory: factory.rows[0] === undefined ? null : { ...factory.rows[0], languages: languages.rows },
    catalogueAddresses: catalogueAddresses.rows,
    invitations: invitations.rows,
  };
}

/** Where the account belongs, with the organizations that it is an owner of. */
export async function membershipsOf(
  db: Queryable,
  accountId: string,
): Promise<{ organizationId: string; isOwner: boolean }[]> {
  const { rows } = await db.query<{ organizationId: string; isOwner: boolean }>(
    `select organization_id as "organizationId", role = 'owner' as "isOwner"
       from service.memberships where account_id = $1 order by organization_id`,
    [accountId],
  );
  return rows;
}

/** Keeps everybody else from giving the account something while it is erased. False when it has gone. */
export async function lockAccount(connection: Connection, accountId: string): Promise<boolean> {
  const { rowCount } = await connection.query('select 1 from service.accounts where id = $1 for update', [accountId]);
  return rowCount === 1;
}

export async function factoryOf(db: Queryable, email: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>('select id from service.factories where contact_email = $1', [email]);
  return rows[0]?.id ?? null;
}

const hashOf = (counted: string) => createHash('sha256').update(counted).digest();

/**
 * Deletes the person: the account with all that hangs on it (memberships, sessions, links, identities, mails still to be sent), and
 * every other row that holds the address. What stays is the opaque id in the events. `answeredIn` are the organizations whose
 * kept answers, encrypted and good for a day, may show the address; `namedIn` is what was imported with it.
 */
export async function deletePerson(
  connection: Connection,
  {
    accountId,
    email,
    answeredIn,
    namedIn,
  }: { accountId: string; email: string; answeredIn: readonly string[]; namedIn: ImportTraces },
): Promise<void> {
  await blankInImports(connection, email, namedIn);
  await eraseTexts(connection, accountId, email);
  const routes = ['POST /organizations/:id/members', 'POST /brand/suppliers/invite'];
  const scopes = answeredIn.flatMap((organizationId) => routes.map((route) => `${organizationId} ${route}`));
  await connection.query(
    `delete from service.idempotency_keys where scope = any($1) or starts_with(scope, $2 || ' ')`,
    [scopes, accountId],
  );
  await connection.query('delete from service.member_invitations where email = $1', [email]);
  // Those of the factory's own catalogue, and where another factory names the person as its supplier's contact.
  await connection.query(`delete from service.catalogue_addresses where address = $1 or ${OWN_CATALOGUE}`, [
    email,
    unprovenFactory(accountId),
  ]);
  await connection.query('delete from service.factories where contact_email = $1', [email]);
  await connection.query('delete from service.sign_in_attempts where address_hash = any($1::bytea[])', [
    [hashOf(email), hashOf(`mailed links: ${email}`)],
  ]);
  await connection.query('delete from service.accounts where id = $1', [accountId]);
}

/** What was written to the factory of the account, by it and about it: in the log, in read models, in forms that were begun. */
async function eraseTexts(connection: Connection, accountId: string, email: string): Promise<void> {
  const factoryId = await factoryOf(connection, email);
  const { rows } = await connection.query<{ id: string }>(
    `select owner_id as id from service.reservations where kind = 'supplier_address' and value = $1`,
    [factoryId],
  );
  const recordIds = rows.map(({ id }) => id);
  const ownIds = [unprovenFactory(accountId), ...(factoryId === null ? [] : [factoryId])];
  await eraseTextKeys(connection, [...ownIds, ...recordIds]);
  const requestIds = await requestsOfSuppliers(connection, recordIds);
  await connection.query('delete from service.request_drafts where request_id = any($1)', [requestIds]);
}

/** Organizations that have invited the address. */
export async function organizationsInviting(db: Queryable, email: string): Promise<string[]> {
  const { rows } = await db.query<{ organizationId: string }>(
    'select organization_id as "organizationId" from service.member_invitations where email = $1',
    [email],
  );
  return rows.map(({ organizationId }) => organizationId);
}
