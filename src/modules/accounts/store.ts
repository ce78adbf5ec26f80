import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { inTransaction, type Database, type Queryable } from '../../infrastructure/postgres/database.js';

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

export async function emailOfAccount(db: Queryable, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ email: string }>('select email from service.accounts where id = $1', [accountId]);
  return rows[0]?.email ?? null;
}

/** Gives an account that nobody had proven to who has: with their password, and without the sessions opened before. */
export async function takeOverUnproven(
  database: Database,
  { accountId, displayName, passwordHash }: { accountId: string; displayName: string; passwordHash: string },
): Promise<void> {
  await inTransaction(database, async (connection) => {
    const taken = await connection.query(
      `update service.accounts set password_hash = $2, display_name = $3, email_proven_at = now()
        where id = $1 and email_proven_at is null`,
      [accountId, passwordHash, displayName],
    );
    if (taken.rowCount === 0) return;
    await connection.query('update service.sessions set ended_at = now() where account_id = $1 and ended_at is null', [
      accountId,
    ]);
  });
}

/** Answers the account that has the address: the one just made, or the one that was there. */
export async function insertAccount(
  db: Queryable,
  account: { id: string; email: string; displayName: string; passwordHash: string; emailProven: boolean },
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

export async function insertSession(
  db: Queryable,
  session: { id: string; accountId: string; expiresAt: number },
): Promise<void> {
  await db.query('insert into service.sessions (id, account_id, expires_at) values ($1, $2, $3)', [
    session.id,
    session.accountId,
    new Date(session.expiresAt),
  ]);
}

export async function endSession(db: Queryable, sessionId: string): Promise<void> {
  await db.query('update service.sessions set ended_at = now() where id = $1 and ended_at is null', [sessionId]);
}

/** One sign-in under way; it counts as failed until it is said to have succeeded. */
export type Attempt =
  { readonly kind: 'allowed'; readonly id: string } | { readonly kind: 'refused'; readonly retryAfterS: number };

/**
 * Counts a sign-in for an address before the password is looked at, so that tries side by side are counted too. A refused one
 * does not count: the wait ends by itself.
 */
export async function beginAttempt(
  database: Database,
  email: string,
  { limit, windowS }: { limit: number; windowS: number },
): Promise<Attempt> {
  // A hash: what was typed into the address field may be anything, such as a password.
  const hash = createHash('sha256').update(email).digest();
  return inTransaction(database, async (connection) => {
    await connection.query('select pg_advisory_xact_lock($1)', [hash.readBigInt64BE(0).toString()]);
    const { rows } = await connection.query<{ tries: number; wait_s: number | null }>(
      `select count(*)::int as tries,
              ceil(extract(epoch from min(tried_at) + make_interval(secs => $2) - now()))::int as wait_s
         from (select tried_at from service.sign_in_attempts
                where address_hash = $1 and tried_at > now() - make_interval(secs => $2)
                order by tried_at desc limit $3) as recent`,
      [hash, windowS, limit],
    );
    const { tries = 0, wait_s: waitS = null } = rows[0] ?? {};
    if (tries >= limit) return { kind: 'refused', retryAfterS: Math.max(1, waitS ?? windowS) };
    const id = v7();
    await connection.query('insert into service.sign_in_attempts (id, address_hash) values ($1, $2)', [id, hash]);
    return { kind: 'allowed', id };
  });
}

export async function forgetAttempt(db: Queryable, id: string): Promise<void> {
  await db.query('delete from service.sign_in_attempts where id = $1', [id]);
}

/** Forgets what has run out, at most `limit` rows of each kind. */
export async function purgeAccountTraces(db: Queryable, limit: number): Promise<number> {
  const attempts = await db.query(
    `delete from service.sign_in_attempts where id in
       (select id from service.sign_in_attempts where tried_at < now() - interval '1 day' limit $1)`,
    [limit],
  );
  const sessions = await db.query(
    `delete from service.sessions where id in
       (select id from service.sessions where expires_at < now() - interval '1 day' limit $1)`,
    [limit],
  );
  return (attempts.rowCount ?? 0) + (sessions.rowCount ?? 0);
}
