import { newId } from '../../core/ids.js';
import { invitationToken, tokenHash } from '../../infrastructure/links.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';

/** The factory behind a contact address (trimmed, in lower case): one for all brands, made when it is first named. */
export async function factoryAt(db: Queryable, contactEmail: string): Promise<string> {
  await db.query('insert into service.factories (id, contact_email) values ($1, $2) on conflict do nothing', [
    newId('fac'),
    contactEmail,
  ]);
  const factoryId = await knownFactoryAt(db, contactEmail);
  if (factoryId === null) throw new Error('the factory of an address has gone');
  return factoryId;
}

/** The same, if somebody has named it before. */
export async function knownFactoryAt(db: Queryable, contactEmail: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>('select id from service.factories where contact_email = $1', [
    contactEmail,
  ]);
  return rows[0]?.id ?? null;
}

/** Null once the factory's personal data are erased. */
export async function contactEmailOf(db: Queryable, factoryId: string): Promise<string | null> {
  const { rows } = await db.query<{ contact_email: string }>(
    'select contact_email from service.factories where id = $1',
    [factoryId],
  );
  return rows[0]?.contact_email ?? null;
}

/** The same of many, by their ids; those that are erased are missing. */
export async function contactEmailsOf(
  db: Queryable,
  factoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (factoryIds.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; email: string }>(
    'select id, contact_email as email from service.factories where id = any($1)',
    [factoryIds],
  );
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Where a factory is written to, and the language that it had used last at a moment (ms since the epoch); null once it is erased. */
export async function correspondentAt(
  db: Queryable,
  factoryId: string,
  momentMs: number,
): Promise<{ readonly email: string; readonly usedLocale: string | null } | null> {
  const { rows } = await db.query<{ email: string; usedLocale: string | null }>(
    `select contact_email as email,
            (select locale from service.factory_languages
              where factory_id = f.id and since <= $2 order by since desc limit 1) as "usedLocale"
       from service.factories f where id = $1`,
    [factoryId, new Date(momentMs)],
  );
  return rows[0] ?? null;
}

/** From now on mails to the factory speak this language; the one that it uses already changes nothing. */
export async function noteLanguage(db: Queryable, factoryId: string, locale: string): Promise<void> {
  await db.query(
    `insert into service.factory_languages (factory_id, locale)
     select id, $2 from service.factories
      where id = $1 and $2 is distinct from
            (select locale from service.factory_languages where factory_id = $1 order by since desc limit 1)
     on conflict do nothing`,
    [factoryId, locale],
  );
}

const LINK_DAYS = 30;

/** Makes the invitation's link good, anew if it has ended; its token is derived again whenever it is mailed. */
export async function openInvitationLink(db: Queryable, linkKey: Buffer, supplierId: string): Promise<void> {
  await db.query(
    `insert into service.invitation_links (token_hash, supplier_id, expires_at)
     values ($1, $2, now() + make_interval(days => $3))
     on conflict (token_hash) do update set expires_at = excluded.expires_at, used_at = null`,
    [tokenHash(invitationToken(linkKey, supplierId)), supplierId, LINK_DAYS],
  );
}

/** Whom the link invites; null for a token that was never mailed, was used, or is too old. */
export async function supplierOfLink(db: Queryable, token: string): Promise<string | null> {
  const { rows } = await db.query<{ supplier_id: string }>(
    'select supplier_id from service.invitation_links where token_hash = $1 and used_at is null and expires_at > now()',
    [tokenHash(token)],
  );
  return rows[0]?.supplier_id ?? null;
}

export async function endInvitationLink(db: Queryable, token: string): Promise<void> {
  await db.query('update service.invitation_links set used_at = now() where token_hash = $1', [tokenHash(token)]);
}
