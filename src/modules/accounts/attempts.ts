import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { rateLimited } from '../../core/errors.js';
import { createGate } from '../../infrastructure/gate.js';
import { inTransaction, type Database, type Queryable } from '../../infrastructure/postgres/database.js';

const WINDOW_S = 15 * 60;
/** Failed sign-ins, and mailed links asked for, of one address in the window. */
const LIMIT = 10;

/** One try under way; it counts as failed until it is said to have succeeded. */
type Attempt =
  { readonly kind: 'allowed'; readonly id: string } | { readonly kind: 'refused'; readonly retryAfterS: number };

/** Counts a sign-in for an address, known or not; the id is for `forgetAttempt`. Too many are refused. */
export async function countSignIn(database: Database, email: string): Promise<string> {
  const attempt = await beginAttempt(database, email);
  if (attempt.kind === 'allowed') return attempt.id;
  throw rateLimited(`Too many failed sign-ins; try again in ${attempt.retryAfterS} s.`, attempt.retryAfterS);
}

/** Counts a mail asked for an address, known or not. Too many are refused. */
export async function countMailedLink(database: Database, email: string): Promise<void> {
  // No address has a blank in it, so this is nobody's count of sign-ins.
  const attempt = await beginAttempt(database, `mailed links: ${email}`);
  if (attempt.kind === 'allowed') return;
  throw rateLimited(`Too many mails for this address; try again in ${attempt.retryAfterS} s.`, attempt.retryAfterS);
}

export async function forgetAttempt(db: Queryable, id: string): Promise<void> {
  await db.query('delete from service.sign_in_attempts where id = $1', [id]);
}

/**
 * Counts a try before the password is looked at, so that tries side by side are counted too. A refused one does not count: the
 * wait ends by itself.
 */
const beginAttempt = (database: Database, counted: string): Promise<Attempt> =>
  fewAtOnce(() => countAttempt(database, counted));

/** A flood of them leaves the connections of the database to others. */
const fewAtOnce = createGate({ atOnce: 2, maxWaiting: 500 });

async function countAttempt(database: Database, counted: string): Promise<Attempt> {
  // A hash: what was typed into the address field may be anything, such as a password.
  const hash = createHash('sha256').update(counted).digest();
  return inTransaction(database, async (connection) => {
    await connection.query('select pg_advisory_xact_lock($1)', [hash.readBigInt64BE(0).toString()]);
    const { rows } = await connection.query<{ tries: number; wait_s: number | null }>(
      `select count(*)::int as tries,
              ceil(extract(epoch from min(tried_at) + make_interval(secs => $2) - now()))::int as wait_s
         from (select tried_at from service.sign_in_attempts
                where address_hash = $1 and tried_at > now() - make_interval(secs => $2)
                order by tried_at desc limit $3) as recent`,
      [hash, WINDOW_S, LIMIT],
    );
    const { tries = 0, wait_s: waitS = null } = rows[0] ?? {};
    if (tries >= LIMIT) return { kind: 'refused', retryAfterS: Math.max(1, waitS ?? WINDOW_S) };
    const id = v7();
    await connection.query('insert into service.sign_in_attempts (id, address_hash) values ($1, $2)', [id, hash]);
    return { kind: 'allowed', id };
  });
}
