import type { CommandContext } from '../../core/context.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { emailOfAccount } from '../accounts/index.js';
import { factoryAt, unprovenFactory } from '../suppliers/index.js';
import type { FactoryCommand } from './decider.js';
import { isSameCertificate } from './events.js';
import { attachStoredFile } from './files.js';
import { factoryState, say } from './handlers.js';
import { certificatesIn, present, type Entries } from './state.js';
import { dropFileOf, moveAddresses } from './store.js';

/** The largest entries, that many at a time, are still one append. */
const ENTRIES_PER_APPEND = 20;

/**
 * Makes what an account kept before its address was proven the factory's own, where every brand sees it, as far as there is room.
 * Done again, it changes nothing: what the factory has changed or removed since then stays so.
 */
export async function adoptCatalogue(
  { eventStore, database }: { readonly eventStore: EventStore; readonly database: Database },
  context: CommandContext,
  accountId: string,
): Promise<void> {
  const before = unprovenFactory(accountId);
  const kept = await factoryState({ eventStore }, before);
  const email = await emailOfAccount(database, accountId);
  const isEmpty = [kept.products, kept.facilities, kept.subSuppliers, kept.certificates].every(
    ({ size }) => size === 0,
  );
  if (email === null || isEmpty) return;
  const factoryId = await factoryAt(database, email);
  const deps = { eventStore };
  const nothing = { products: [], facilities: [], subSuppliers: [] };
  const adopt = (entries: Partial<Omit<Extract<FactoryCommand, { type: 'Adopt' }>, 'type' | 'factoryId'>>) =>
    say(deps, context, factoryId, { type: 'Adopt', factoryId, ...nothing, ...entries });
  for (const products of inAppends(kept.products)) await adopt({ products });
  for (const facilities of inAppends(kept.facilities)) await adopt({ facilities });
  for (const subSuppliers of inAppends(kept.subSuppliers)) await adopt({ subSuppliers });
  for (const certificate of certificatesIn(kept)) {
    const statement = { type: 'StateCertificates', factoryId, certificates: [certificate] } as const;
    // As of when it was said: what the factory has said since then stays.
    const state = await say(deps, context, factoryId, { ...statement, statedAt: certificate.statedAt });
    const own = certificatesIn(state).find((one) => isSameCertificate(one, certificate));
    const file = kept.files.get(certificate.certificateId);
    if (file === undefined) continue;
    if (own !== undefined) {
      const named = state.files.get(own.certificateId);
      // Another copy that the factory has named stays; the same one is what an adoption that was cut off has left.
      if (named === undefined || named.sha256 === file.sha256) {
        const place = { factoryId, certificateId: own.certificateId };
        await attachStoredFile({ eventStore, database }, context, { ...place, file });
      }
    }
    // Also where the factory does not have the certificate: the copy would stay with one that nobody sees any more.
    await dropFileOf(database, { certificateId: certificate.certificateId });
  }
  await moveAddresses(database, before, factoryId);
}

function* inAppends<Data>(entries: Entries<Data>): Generator<readonly Data[]> {
  const all = present(entries).map(({ data }) => data);
  for (let from = 0; from < all.length; from += ENTRIES_PER_APPEND) yield all.slice(from, from + ENTRIES_PER_APPEND);
}
