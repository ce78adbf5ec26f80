import { v7 } from 'uuid';
import { Refusal } from '../../core/errors.js';
import { accountLinkToken, tokenHash } from '../../infrastructure/links.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { FormLocale } from '../../pages/locale.js';

/** What a mailed link is good for. */
export type LinkKind = 'magic_link' | 'password_reset' | 'verification';

const LIFETIME_S: Readonly<Record<LinkKind, number>> = {
  magic_link: 15 * 60,
  password_reset: 60 * 60,
  // Nobody waits for it, so it may lie in the inbox over a weekend.
  verification: 3 * 24 * 60 * 60,
};

/** To whom a link is mailed; `email` may be nobody's. */
type Recipient = { readonly accountId: string } | { readonly email: string };

/**
 * Makes a link and has it mailed. For an address that nobody has it does the same work, and no mail goes out. The mail is in
 * the row: who makes the link with something else does so in one transaction, and a kill loses neither.
 */
export async function mailLink(
  db: Queryable,
  linkKey: Buffer,
  { kind, to, locale }: { readonly kind: LinkKind; readonly to: Recipient; readonly locale: FormLocale },
): Promise<void> {
  const id = v7();
  // An address that is proven already has nothing to prove.
  const account =
    'email' in to
      ? "(select id from service.accounts where email = $4 and ($2 <> 'verification' or email_proven_at is null))"
      : '$4';
  await db.query(
    `insert into service.account_links (id, kind, token_hash, account_id, locale, expires_at)
     values ($1, $2, $3, ${account}, $5, now() + make_interval(secs => $6))`,
    [
      id,
      kind,
      tokenHash(accountLinkToken(linkKey, id)),
      'email' in to ? to.email : to.accountId,
      locale,
      LIFETIME_S[kind],
    ],
  );
}

const GOOD = 'token_hash = $1 and kind = $2 and used_at is null and expires_at > now() and account_id is not null';

/** The account of a link that is still good; looking at it does not use it up. */
export async function accountOfLink(db: Queryable, kind: LinkKind, token: string): Promise<string | null> {
  const { rows } = await db.query<{ account_id: string }>(
    `select account_id from service.account_links where ${GOOD}`,
    [tokenHash(token), kind],
  );
  return rows[0]?.account_id ?? null;
}

/** Uses the link up and answers its account; of two at once one wins. Inside the transaction of what the link is for. */
export async function redeemLink(db: Queryable, kind: LinkKind, token: string): Promise<string> {
  const { rows } = await db.query<{ account_id: string }>(
    `update service.account_links set used_at = now() where ${GOOD} returning account_id`,
    [tokenHash(token), kind],
  );
  const accountId = rows[0]?.account_id;
  if (accountId === undefined) throw linkInvalid();
  return accountId;
}

export const linkInvalid = (): Refusal =>
  new Refusal('link_invalid', 'The link is unknown, has been used or is too old; ask for a new one.');

/** Ends the links of a kind that lie in the account's inbox. */
export async function endLinks(db: Queryable, accountId: string, kind: LinkKind): Promise<void> {
  await db.query(
    `update service.account_links set used_at = now(), mail_due_at = null
      where account_id = $1 and kind = $2 and used_at is null`,
    [accountId, kind],
  );
}
