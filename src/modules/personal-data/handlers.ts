import { organizationsKnowing } from '../../../projections/suppliers/queries.js';
import { notFound, Refusal } from '../../core/errors.js';
import { inTransaction, type Connection, type Database } from '../../infrastructure/postgres/database.js';
import { type Account, accountById, countSignIn, forgetAttempt, passwordMatches } from '../accounts/index.js';
import { deleteMember, findMember, hasOtherOwner, lastOwner, lockMembers } from '../members/index.js';
import { importTracesOf } from './import-traces.js';
import {
  deletePerson,
  factoryOf,
  lockAccount,
  membershipsOf,
  organizationsInviting,
  readPersonalData,
} from './store.js';

/** All that the service keeps about the person. */
export async function exportPersonalData(database: Database, accountId: string, now: number) {
  const present = await accountById(database, accountId);
  if (present === null) throw gone();
  const { account, ...rest } = await readPersonalData(database, accountId, present.email);
  if (account === null) throw gone();
  return { exportedAt: now, account, ...rest };
}

export interface ErasureDependencies {
  readonly database: Database;
  readonly encryptionKey: Uint8Array;
}

/** Erases the caller, who says the password again. Not while an organization would be left without an owner. */
export async function eraseOwnAccount(deps: ErasureDependencies, accountId: string, password: string): Promise<void> {
  const { database } = deps;
  const account = await accountById(database, accountId);
  if (account === null) throw gone();
  // A stolen token must not be a way to try passwords without a count.
  const attemptId = await countSignIn(database, account.email);
  if (!(await passwordMatches(account.passwordHash, password))) {
    throw new Refusal('bad_credentials', 'The password is wrong.');
  }
  await forgetAttempt(database, attemptId);
  await erase(deps, account, async () => undefined);
}

/**
 * Erases a member on behalf of the organization. Only whoever is nothing but its member: an account that others work with is not
 * one organization's to end.
 */
export async function erasePersonalData(
  deps: ErasureDependencies,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
): Promise<void> {
  const { database } = deps;
  const member = await findMember(database, organizationId, id);
  if (member === null) throw notFound('member', id);
  if (member.userId === null) return deleteMember(database, organizationId, id);
  const account = await accountById(database, member.userId);
  if (account === null) throw notFound('member', id);
  await erase(deps, account, async (connection, memberships) => {
    if (!memberships.includes(organizationId)) throw notFound('member', id);
    const factoryId = await factoryOf(connection, account.email);
    const records = factoryId === null ? [] : await organizationsKnowing(connection, factoryId);
    const asking = records.filter(({ isAsked }) => isAsked).map((record) => record.organizationId);
    const others = [...memberships, ...asking];
    if (others.every((other) => other === organizationId)) return;
    throw new Refusal(
      'account_in_use',
      `"${id}" works with other organizations too; remove the member instead. Only its holder can end the account.`,
    );
  });
}

async function erase(
  { database, encryptionKey }: ErasureDependencies,
  { id: accountId, email }: Account,
  mayErase: (connection: Connection, organizationIds: readonly string[]) => Promise<void>,
): Promise<void> {
  const namedIn = await importTracesOf(database, email, encryptionKey);
  const seen = (await membershipsOf(database, accountId)).map(({ organizationId }) => organizationId);
  await inTransaction(database, async (connection) => {
    await lockMembers(connection, seen);
    if (!(await lockAccount(connection, accountId))) return;
    const memberships = await membershipsOf(connection, accountId);
    const organizationIds = memberships.map(({ organizationId }) => organizationId);
    if (organizationIds.some((organizationId) => !seen.includes(organizationId))) {
      throw new Refusal(
        'concurrent_change',
        'The account has joined an organization in this moment; send the call again.',
      );
    }
    await mayErase(connection, organizationIds);
    for (const { organizationId, isOwner } of memberships) {
      if (isOwner && !(await hasOtherOwner(connection, organizationId, accountId))) throw lastOwner(organizationId);
    }
    const factoryId = await factoryOf(connection, email);
    const records = factoryId === null ? [] : await organizationsKnowing(connection, factoryId);
    const answeredIn = [
      ...organizationIds,
      ...records.map(({ organizationId }) => organizationId),
      ...(await organizationsInviting(connection, email)),
    ];
    await deletePerson(connection, { accountId, email, answeredIn, namedIn });
  });
}

const gone = (): Refusal => new Refusal('unauthenticated', 'The account has been erased.');
