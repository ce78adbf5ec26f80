import { fold } from '../../core/decider.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { ThirdPartyMail } from '../organizations/index.js';
import { contactEmailsOf, type Supplier, supplierOfBrand } from '../suppliers/index.js';
import { batchDecider, type BatchCommand } from './decider.js';
import { requestMailId } from './events.js';
import { outstandingMails, type Batch } from './state.js';

/** The mails that a command asks for, in the order of its requests: the factory's first. `concerned` are suppliers known already. */
export async function mailsAskedFor(
  { eventStore, database }: { readonly eventStore: EventStore; readonly database: Queryable },
  order: { readonly batch: Batch; readonly command: BatchCommand; readonly concerned: readonly Supplier[] },
): Promise<readonly ThirdPartyMail[]> {
  const { batch, command, concerned } = order;
  const { organizationId } = batch;
  const after = fold({ ...batchDecider, initialState: batch }, batchDecider.decide(command, batch));
  if (after.status === 'none') return [];
  const before = new Set(outstandingMails(batch).map(requestMailId));
  const asked = outstandingMails(after).filter((mail) => !before.has(requestMailId(mail)));
  const supplierIdOf = new Map(after.requests.map(({ id, supplierId }) => [id, supplierId]));
  const known = new Map(concerned.map((supplier) => [supplier.supplierId, supplier]));
  const suppliers = await Promise.all(
    asked.map(async ({ requestId }) => {
      const supplierId = supplierIdOf.get(requestId) ?? '';
      return known.get(supplierId) ?? supplierOfBrand({ eventStore }, { organizationId, supplierId });
    }),
  );
  // Who has declined since is mailed nothing.
  const factoryIds = suppliers.map((supplier) =>
    supplier === null || supplier.status === 'declined' ? '' : supplier.factoryId,
  );
  const addresses = await contactEmailsOf(database, factoryIds);
  return asked.flatMap((mail, index) => {
    const to = addresses.get(factoryIds[index] ?? '');
    return to === undefined ? [] : [{ messageId: requestMailId(mail), to }];
  });
}
