import { v7 } from 'uuid';
import type { CommandContext } from '../../core/context.js';
import { Refusal } from '../../core/errors.js';
import type { Database, Queryable } from '../../infrastructure/postgres/database.js';
import type { SessionTokens } from '../../infrastructure/session-tokens.js';
import { organizationsOf } from '../../../projections/organizations/queries.js';
import { hashPassword, passwordMatches } from './passwords.js';
import {
  accountByEmail,
  beginAttempt,
  endSession,
  forgetAttempt,
  insertAccount,
  insertSession,
  takeOverUnproven,
  type Account,
} from './store.js';

const SESSION_MS = 7 * 24 * 60 * 60 * 1000;
const SIGN_INS = { limit: 10, windowS: 15 * 60 };

interface Signer {
  readonly database: Database;
  readonly tokens: SessionTokens;
  readonly clock: () => number;
}

/** Makes an account. The same call under the same seed answers the account that it made. */
export async function createAccount(
  db: Queryable,
  context: Pick<CommandContext, 'newId'>,
  {
    email,
    password,
    displayName,
    emailProven,
  }: { email: string; password: string; displayName: string; emailProven: boolean },
): Promise<Account> {
  const id = context.newId('usr');
  const passwordHash = await hashPassword(password);
  const { account, isNew } = await insertAccount(db, { id, email, displayName, passwordHash, emailProven });
  const isOwn = isNew || (account.id === id && (await passwordMatches(account.passwordHash, password)));
  if (!isOwn) {
    throw new Refusal('email_taken', `An account with the address "${email}" exists.`, {
      errors: [{ path: 'email', code: 'email_taken', message: 'An account with this address exists.' }],
    });
  }
  return account;
}

/**
 * The account of somebody who holds a link that was mailed to the address. It is made if there is none. One that nobody had
 * proven becomes theirs: whoever prepared it loses password and sessions. A proven one stays as it is.
 */
export async function accountOfProvenAddress(
  database: Database,
  context: Pick<CommandContext, 'newId'>,
  { email, password, displayName }: { email: string; password: string; displayName: string },
): Promise<Account> {
  const present = await accountByEmail(database, email);
  if (present === null) return createAccount(database, context, { email, password, displayName, emailProven: true });
  if (present.emailProvenAt === null) {
    const passwordHash = await hashPassword(password);
    await takeOverUnproven(database, { accountId: present.id, displayName, passwordHash });
  }
  return present;
}

/** Signs an account in by its address and password. */
export async function signIn(signer: Signer, { email, password }: { email: string; password: string }) {
  const attempt = await beginAttempt(signer.database, email, SIGN_INS);
  if (attempt.kind === 'refused') {
    throw new Refusal('rate_limited', `Too many failed sign-ins; try again in ${attempt.retryAfterS} s.`, {
      extra: { retryAfterS: attempt.retryAfterS },
    });
  }
  const account = await accountByEmail(signer.database, email);
  const matches = await passwordMatches(account?.passwordHash ?? null, password);
  if (account === null || !matches) throw new Refusal('bad_credentials', 'Address or password is wrong.');
  await forgetAttempt(signer.database, attempt.id);
  return openSession(signer, account);
}

/** A new session of the account, as every sign-in answers it. */
export async function openSession({ database, tokens, clock }: Signer, account: Account) {
  const sessionId = v7();
  const expiresAt = clock() + SESSION_MS;
  await insertSession(database, { id: sessionId, accountId: account.id, expiresAt });
  const [token, organizations] = await Promise.all([
    tokens.sign({ accountId: account.id, sessionId }, expiresAt),
    organizationsOf(database, account.id),
  ]);
  return { token, userId: account.id, email: account.email, organizations: [...organizations] };
}

export const signOut = (db: Queryable, sessionId: string): Promise<void> => endSession(db, sessionId);
