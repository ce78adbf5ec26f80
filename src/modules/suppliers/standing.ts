import { deterministicUuid } from '../../core/ids.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { accountById } from '../accounts/index.js';
import { factoryAt } from './store.js';

/** The factory that an account speaks for. */
export interface FactoryStanding {
  readonly factoryId: string;
  /**
   * The account has proven its address: what it says is what the factory says, and it sees what brands ask of it. Before, it
   * keeps a catalogue that nobody else sees.
   */
  readonly isProven: boolean;
}

export async function factoryOfAccount(db: Queryable, accountId: string): Promise<FactoryStanding> {
  const account = await accountById(db, accountId);
  if (account === null || account.emailProvenAt === null)
    return { factoryId: unprovenFactory(accountId), isProven: false };
  return { factoryId: await factoryAt(db, account.email), isProven: true };
}

/** Stands for the account alone, until it is known whose its address is. */
export const unprovenFactory = (accountId: string): string => `fac_${deterministicUuid(accountId, 'unproven')}`;
