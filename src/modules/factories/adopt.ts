import type { CommandContext } from '../../core/context.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { emailOfAccount } from '../accounts/store.js';
import { factoryAt } from '../suppliers/store.js';
import { isSameCertificate } from './events.js';
import { attachFile } from './files.js';
import { factoryState, say } from './handlers.js';
import { unprovenFactory } from './standing.js';
import { certificatesIn, present } from './state.js';
import { contentOfFile, dropFileOf, moveAddresses } from './store.js';

/**
 * Makes what an account kept before its address was proven the factory's own, where every brand sees it. Done again, it changes
 * nothing.
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
  for (const { data } of present(kept.products)) {
    await say(deps, context, factoryId, { type: 'SaveProduct', product: { ...data, factoryId } });
  }
  for (const { data } of present(kept.facilities)) {
    await say(deps, context, factoryId, { type: 'SaveFacility', facility: { ...data, factoryId } });
  }
  for (const { data } of present(kept.subSuppliers)) {
    await say(deps, context, factoryId, { type: 'SaveSubSupplier', subSupplier: { ...data, factoryId } });
  }
  for (const certificate of certificatesIn(kept)) {
    const statement = { type: 'StateCertificates', factoryId, certificates: [certificate] } as const;
    // As of when it was said: what the factory has said since then stays.
    const state = await say(deps, context, factoryId, { ...statement, statedAt: certificate.statedAt });
    const own = certificatesIn(state).find((one) => isSameCertificate(one, certificate));
    const file = kept.files.get(certificate.certificateId);
    if (own === undefined || file === undefined) continue;
    const named = state.files.get(own.certificateId);
    const content = await contentOfFile(database, file.sha256);
    // Another copy that the factory has named stays; the same one is what an adoption that was cut off has left.
    if (content !== null && (named === undefined || named.sha256 === file.sha256)) {
      await attachFile({ eventStore, database }, context, { factoryId, certificateId: own.certificateId, content });
    }
    // Or the copy would outlive its certificate, held by one that nobody sees any more.
    await dropFileOf(database, { certificateId: certificate.certificateId });
  }
  await moveAddresses(database, before, factoryId);
}
