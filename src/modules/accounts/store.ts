import type { Connection, Queryable } from '../../infrastructure/postgres/database.js';

/** A person's account. Not event-sourced: it can be erased, and the log cannot. */
export interface Account {
  readonly id: string;
  /** Trimmed, in lower case. */
  readonly email: string;
  readonly displayName: string;
  /** Null when the account signs in by other means. */
  readonly passwordHash: string | null;
  readonly emailProvenAt: Date | null;
}

const COLUMNS =
  'id, email, display_name as "displayName", password_hash as "passwordHash", email_proven_at as "emailProvenAt"';

/** `email` in the form in which addresses are kept. */
export async function accountByEmail(db: Queryable, email: string): Promise<Account | null> {
  const { rows } = await db.query<Account>(`select ${COLUMNS} from service.accounts where email = $1`, [email]);
  return rows[0] ?? null;
}

export async function accountById(db: Queryable, accountId: string): Promise<Account | null> {
  const { rows } = await db.query<Account>(`select ${COLUMNS} from service.accounts where id = $1`, [accountId]);
  return rows[0] ?? null;
}

export async function emailOfAccount(db: Queryable, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ email: string }>('select email from service.accounts where id = $1', [accountId]);
  return rows[0]?.email ?? null;
}

/** Answers the account that has the address: the one just made, or the one that was there. */
export async function insertAccount(
  db: Queryable,
  account: { id: string; email: string; displayName: string; passwordHash: string | null; emailProven: boolean },
): Promise<{ readonly account: Account; readonly isNew: boolean }> {
  const { rows } = await db.query<Account>(
    `insert into service.accounts (id, email, display_name, password_hash, email_proven_at)
     values ($1, $2, $3, $4, case when $5 then now() end)
     on conflict do nothing
     returning ${COLUMNS}`,
    [account.id, account.email, account.displayName, account.passwordHash, account.emailProven],
  );
  const made = rows[0];
  if (made !== undefined) return { account: made, isNew: true };
  const present = await accountByEmail(db, account.email);
  if (present === null) throw new Error(`the account id ${account.id} belongs to another address`);
  return { account: present, isNew: false };
}

/**
 * Notes that whoever acts holds the address, by anything but the link of the sign-up. The first time, what was there before may
 * be somebody else's: the password is dropped and every session ends. Inside the transaction of what the proof was for.
 */
export async function proveByOtherMeans(connection: Connection, accountId: string): Promise<'proven' | 'known'> {
  const first = await connection.query(
    `update service.accounts set email_proven_at = now(), password_hash = null
      where id = $1 and email_proven_at is null`,
    [accountId],
  );
  if (first.rowCount === 0) return 'known';
  await endSessions(connection, accountId);
  return 'proven';
}

/** The link of the very sign-up: password and sessions are those of whoever holds the address. */
export async function proveBySignUpLink(connection: Connection, accountId: string): Promise<void> {
  await connection.query(
    'update service.accounts set email_proven_at = now() where id = $1 and email_proven_at is null',
    [accountId],
  );
}

export async function setDisplayName(connection: Connection, accountId: string, displayName: string): Promise<void> {
  await connection.query('update service.accounts set display_name = $2 where id = $1', [accountId, displayName]);
}

export async function setPassword(connection: Connection, accountId: string, passwordHash: string): Promise<void> {
  await connection.query('update service.accounts set password_hash = $2 where id = $1', [accountId, passwordHash]);
}

/** False when the password is not the one that was looked at any more. */
export async function exchangePassword(
  connection: Connection,
  { id, passwordHash: before }: Account,
  after: string,
): Promise<boolean> {
  const changed = await connection.query(
    'update service.accounts set password_hash = $3 where id = $1 and password_hash = $2',
    [id, before, after],
  );
  return changed.rowCount === 1;
}

/** False when the account has another password than the one that was looked at: somebody else's sign-in must not outlive it. */
export async function insertSession(
  db: Queryable,
  session: { id: string; account: Pick<Account, 'id' | 'passwordHash'>; expiresAt: number },
): Promise<boolean> {
  const inserted = await db.query(
    `insert into service.sessions (id, account_id, expires_at)
     select $1, id, $3
       from (select id from service.accounts where id = $2 and password_hash is not distinct from $4 for share) a`,
    [session.id, session.account.id, new Date(session.expiresAt), session.account.passwordHash],
  );
  return inserted.rowCount === 1;
}

export interface StandingSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** The account that an identity of a provider is linked with. */
export async function accountOfIdentity(db: Queryable, { issuer, subject }: IdentityKey): Promise<Account | null> {
  const { rows } = await db.query<Account>(
    `select ${COLUMNS} from service.accounts
      where id = (select account_id from service.account_identities where issuer = $1 and subject = $2)`,
    [issuer, subject],
  );
  return rows[0] ?? null;
}

/** Links an identity with an account, or leaves the link that is there. */
export async function linkIdentity(db: Queryable, { issuer, subject }: IdentityKey, accountId: string): Promise<void> {
  await db.query(
    'insert into service.account_identities (issuer, subject, account_id) values ($1, $2, $3) on conflict do nothing',
    [issuer, subject, accountId],
  );
}

/** As many as somebody looks through. */
const MAX_LISTED = 200;

/** Those that have not ended, newest first. */
export async function listSessions(db: Queryable, accountId: string): Promise<readonly StandingSession[]> {
  const { rows } = await db.query<StandingSession>(
    `select id, created_at as "createdAt", expires_at as "expiresAt" from service.sessions
      where account_id = $1 and ended_at is null and expires_at > now()
      order by created_at desc, id desc limit $2`,
    [accountId, MAX_LISTED],
  );
  return rows;
}

/** False when the account never had it. */
export async function endSession(
  db: Queryable,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<boolean> {
  const ended = await db.query(
    'update service.sessions set ended_at = coalesce(ended_at, now()) where id = $1 and account_id = $2',
    [sessionId, accountId],
  );
  return ended.rowCount === 1;
}

/** Ends every session of the account, but for one. */
export async function endSessions(db: Queryable, accountId: string, except: string | null = null): Promise<void> {
  await db.query(
    `update service.sessions set ended_at = now()
      where account_id = $1 and ended_at is null and id is distinct from $2::uuid`,
    [accountId, except],
  );
}

/** Forgets what has run out, at most `limit` rows of each kind. */
export async function purgeAccountTraces(db: Queryable, limit: number): Promise<number> {
  let purged = 0;
  for (const [table, key, column] of [
    ['sign_in_attempts', 'id', 'tried_at'],
    ['sessions', 'id', 'expires_at'],
    ['account_links', 'id', 'expires_at'],
    ['call_counts', 'caller_hash', 'window_ends_at'],
  ] as const) {
    const { rowCount } = await db.query(
      `delete from service.${table} where ${key} in
         (select ${key} from service.${table} where ${column} < now() - interval '1 day' limit $1)`,
      [limit],
    );
    purged += rowCount ?? 0;
  }
  return purged;
}
