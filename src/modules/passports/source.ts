import type { EventStore } from '../../infrastructure/event-store/port.js';
import { load } from '../../infrastructure/command-handler.js';
import type { Batch } from '../batches/state.js';
import { supplierStream, type SupplierEvent } from '../suppliers/events.js';
import type { PassportSource } from './content.js';
import type { PassportCertificate } from './events.js';

/** What the passport of a batch takes from it. */
export async function passportSource(deps: { readonly eventStore: EventStore }, batch: Batch): Promise<PassportSource> {
  const { batchId, productId, quantity, unit, preliminary, factoryId, requests, score } = batch;
  return {
    ...{ batchId, productId, quantity, unit, preliminary, score },
    factoryCountry: factoryId === null ? null : await countryOf(deps.eventStore, factoryId),
    production: requests.find(({ role }) => role === 'factory')?.data ?? null,
    certificates: distinct(requests.flatMap(({ data }) => data?.certificates ?? [])),
  };
}

type Requests = Batch['requests'];
type Certificates = NonNullable<NonNullable<Requests[number]['data']>['certificates']>;

function distinct(certificates: Certificates): readonly PassportCertificate[] {
  const byNumber = new Map(
    certificates.map((certificate) => [`${certificate.type}\n${certificate.number}`, certificate]),
  );
  return [...byNumber.values()];
}

const country = {
  initialState: null as string | null,
  evolve: (known: string | null, event: SupplierEvent): string | null =>
    event.type === 'SupplierInvited' || event.type === 'SupplierInvitedAgain' ? event.data.country : known,
};

const countryOf = async (eventStore: EventStore, supplierId: string): Promise<string | null> =>
  (await load(eventStore, country, supplierStream(supplierId))).state;
