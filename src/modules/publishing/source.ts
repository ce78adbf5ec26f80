import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Batch } from '../batches/index.js';
import { supplierOfBrand } from '../suppliers/index.js';
import type { PassportSource } from './content.js';
import type { PassportCertificate } from '../passports/index.js';

/** What the passport of a batch takes from it. */
export async function passportSource(deps: { readonly eventStore: EventStore }, batch: Batch): Promise<PassportSource> {
  const { batchId, organizationId, productId, quantity, unit, preliminary, factoryId, requests, score } = batch;
  const supplier = factoryId === null ? null : await supplierOfBrand(deps, { organizationId, supplierId: factoryId });
  return {
    batchId,
    productId,
    quantity,
    unit,
    preliminary,
    score,
    factoryCountry: supplier?.country ?? null,
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
