import { v7 } from 'uuid';
import { organizationsOf } from '../../../projections/organizations/queries.js';
import type { CommandContext } from '../../core/context.js';
import { notFound, Refusal } from '../../core/errors.js';
import { inTransaction, type Database, type Queryable } from '../../infrastructure/postgres/database.js';
import type { SessionTokens } from '../../infrastructure/session-tokens.js';
import type { FormLocale } from '../../pages/locale.js';
import { countMailedLink, countSignIn, forgetAttempt } from './attempts.js';
import { accountOfLink, endLinks, linkInvalid, mailLink, redeemLink, type LinkKind } from './links.js';
import { hashPassword, passwordMatches, signInGate } from './passwords.js';
import {
  accountByEmail,
  accountById,
  endSession,
  endSessions,
  exchangePassword,
  insertAccount,
  insertSession,
  listSessions,
  proveByOtherMeans,
  proveBySignUpLink,
  setDisplayName,
  setPassword,
  type Account,
} from './store.js';

const SESSION_MS = 7 * 24 * 60 * 60 * 1000;

export interface Signer {
  readonly database: Database;
  readonly tokens: SessionTokens;
  readonly clock: () => number;
  /** The key from which the tokens of mailed links are derived. */
  readonly linkKey: Buffer;
}

export interface SignedIn {
  readonly token: string;
  readonly userId: string;
  readonly email: string;
  readonly organizations: Awaited<ReturnType<typeof organizationsOf>>;
}

interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
}

/**
 * Makes an account, mails the link that proves its address, and signs in. The same call under the same seed answers the account
 * that it made.
 */
export async function signUp(
  signer: Signer,
  context: Pick<CommandContext, 'newId'>,
  { locale, ...fields }: NewAccount & { readonly locale: FormLocale },
): Promise<SignedIn> {
  const account = await createAccount(signer.database, context, fields, (db, { id: accountId }) =>
    mailLink(db, signer.linkKey, { kind: 'verification', to: { accountId }, locale }),
  );
  return openSession(signer, account);
}

/** `whenUnproven` does, in one transaction with a new account whose address is not proven, what follows from it. */
async function createAccount(
  database: Database,
  context: Pick<CommandContext, 'newId'>,
  { email, password, displayName }: NewAccount,
  whenUnproven: ((db: Queryable, account: Account) => Promise<void>) | null,
): Promise<Account> {
  const id = context.newId('usr');
  const passwordHash = await hashPassword(password);
  const { account, isNew } = await inTransaction(database, async (connection) => {
    const emailProven = whenUnproven === null;
    const inserted = await insertAccount(connection, { id, email, displayName, passwordHash, emailProven });
    if (inserted.isNew) await whenUnproven?.(connection, inserted.account);
    return inserted;
  });
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
  { email, password, displayName }: NewAccount,
): Promise<Account> {
  const present = await accountByEmail(database, email);
  if (present === null) return createAccount(database, context, { email, password, displayName }, null);
  if (present.emailProvenAt !== null) return present;
  const passwordHash = await hashPassword(password);
  await inTransaction(database, async (connection) => {
    if ((await proveByOtherMeans(connection, present.id)) === 'known') return;
    await setPassword(connection, present.id, passwordHash);
    await setDisplayName(connection, present.id, displayName);
  });
  return present;
}

/** Signs an account in by its address and password. */
export const signIn = (signer: Signer, { email, password }: { email: string; password: string }): Promise<SignedIn> =>
  signInGate(async () => {
    const { database } = signer;
    const attemptId = await countSignIn(database, email);
    const account = await accountByEmail(database, email);
    const matches = await passwordMatches(account?.passwordHash ?? null, password);
    if (account === null || !matches) throw badCredentials();
    await forgetAttempt(database, attemptId);
    return openSession(signer, account);
  });

const badCredentials = () => new Refusal('bad_credentials', 'Address or password is wrong.');

/** A new session of the account, as every sign-in answers it. */
export async function openSession(
  { database, tokens, clock }: Pick<Signer, 'tokens' | 'clock'> & { readonly database: Queryable },
  account: Account,
): Promise<SignedIn> {
  const sessionId = v7();
  const expiresAt = clock() + SESSION_MS;
  if (!(await insertSession(database, { id: sessionId, account, expiresAt }))) throw badCredentials();
  const token = await tokens.sign({ accountId: account.id, sessionId }, expiresAt);
  const organizations = await organizationsOf(database, account.id);
  return { token, userId: account.id, email: account.email, organizations };
}

/** Mails a link to the address, if somebody has it. Nothing that the caller sees depends on that, nor how long it takes. */
export async function askForLink(
  { database, linkKey }: Pick<Signer, 'database' | 'linkKey'>,
  { kind, email, locale }: { readonly kind: LinkKind; readonly email: string; readonly locale: FormLocale },
): Promise<void> {
  await countMailedLink(database, email);
  await mailLink(database, linkKey, { kind, to: { email }, locale });
}

/** Signs in by a magic link, once; that the link arrived proves the address. */
export async function signInByLink(signer: Signer, token: string): Promise<SignedIn> {
  return inTransaction(signer.database, async (connection) => {
    const accountId = await redeemLink(connection, 'magic_link', token);
    await proveByOtherMeans(connection, accountId);
    const account = await accountById(connection, accountId);
    if (account === null) throw linkInvalid();
    return openSession({ ...signer, database: connection }, account);
  });
}

/** Sets the password of who holds the link, and ends every session and every other link of the kind. */
export async function resetPassword(
  { database }: Pick<Signer, 'database'>,
  { token, password }: { readonly token: string; readonly password: string },
): Promise<void> {
  // Nobody makes the service hash without a link.
  if ((await accountOfLink(database, 'password_reset', token)) === null) throw linkInvalid();
  const passwordHash = await hashPassword(password);
  await inTransaction(database, async (connection) => {
    const accountId = await redeemLink(connection, 'password_reset', token);
    await proveByOtherMeans(connection, accountId);
    await setPassword(connection, accountId, passwordHash);
    await endSessions(connection, accountId);
    await endLinks(connection, accountId, 'password_reset');
  });
}

/**
 * Proves an address by the link of its sign-up. `beforeProof` does what comes with it: when it fails, the link is still good, and
 * then it is done again.
 */
export async function verifyAddress(
  { database }: Pick<Signer, 'database'>,
  token: string,
  beforeProof: (accountId: string) => Promise<void>,
): Promise<void> {
  const accountId = await accountOfLink(database, 'verification', token);
  if (accountId === null) throw linkInvalid();
  // Not within the transaction: it needs connections of its own, and all of them may be held by such calls.
  await beforeProof(accountId);
  await inTransaction(database, async (connection) => {
    await proveBySignUpLink(connection, await redeemLink(connection, 'verification', token));
  });
}

/** Whose address a link was mailed to, while it is good. */
export async function emailOfLink(db: Queryable, kind: LinkKind, token: string): Promise<string | null> {
  const accountId = await accountOfLink(db, kind, token);
  return accountId === null ? null : ((await accountById(db, accountId))?.email ?? null);
}

interface Caller {
  readonly accountId: string;
  readonly sessionId: string;
}

/** Sets a new password and ends the other sessions: whoever knew the old one is out. */
export async function changePassword(
  { database }: Pick<Signer, 'database'>,
  { accountId, sessionId }: Caller,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
): Promise<void> {
  const account = await accountById(database, accountId);
  if (account === null) throw badCredentials();
  // A stolen token must not be a way to try passwords without a count.
  const attemptId = await countSignIn(database, account.email);
  if (!(await passwordMatches(account.passwordHash, currentPassword))) {
    throw new Refusal('bad_credentials', 'The current password is wrong.');
  }
  await forgetAttempt(database, attemptId);
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(database, async (connection) => {
    if (!(await exchangePassword(connection, account, passwordHash))) throw badCredentials();
    await endSessions(connection, accountId, sessionId);
    await endLinks(connection, accountId, 'password_reset');
  });
}

/** The sessions that stand, newest first; `current` is the caller's. */
export async function sessionsOf(db: Queryable, { accountId, sessionId }: Caller) {
  const sessions = await listSessions(db, accountId);
  return sessions.map(({ id, createdAt, expiresAt }) => ({
    id,
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt.getTime(),
    current: id === sessionId,
  }));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Ends one session of the caller's account; one that has ended stays so. */
export async function endOneSession(db: Queryable, { accountId }: Caller, sessionId: string): Promise<void> {
  const ended = UUID.test(sessionId) && (await endSession(db, { accountId, sessionId }));
  if (!ended) throw notFound('session', sessionId);
}

export const signOut = (db: Queryable, { accountId }: Caller): Promise<void> => endSessions(db, accountId);
