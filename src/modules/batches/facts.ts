import { notFound } from '../../core/errors.js';
import { load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import { productStream, type ProductEvent, type ProductFields } from '../products/events.js';
import { supplierStream, type SupplierEvent, type SupplierInvitation } from '../suppliers/events.js';

/*
 * What a batch needs to know of other streams, folded from their events: always fresh, where a read model may lag behind
 * the call that named the supplier a moment ago.
 */

export interface ProductFacts extends ProductFields {
  readonly organizationId: string;
  readonly deleted: boolean;
}

export interface SupplierFacts extends Omit<SupplierInvitation, 'callId'> {
  readonly declined: boolean;
}

const productFacts = {
  initialState: null as ProductFacts | null,
  evolve: (product: ProductFacts | null, event: ProductEvent): ProductFacts | null => {
    if (event.type === 'ProductCreated') return { ...event.data, deleted: false };
    if (product === null) return null;
    if (event.type === 'ProductUpdated') return { ...product, ...event.data.changes };
    return event.type === 'ProductDeleted' ? { ...product, deleted: true } : product;
  },
};

const supplierFacts = {
  initialState: null as SupplierFacts | null,
  evolve: (supplier: SupplierFacts | null, event: SupplierEvent): SupplierFacts | null => {
    switch (event.type) {
      case 'SupplierRecorded':
      case 'SupplierInvited':
      case 'SupplierInvitedAgain':
        return { ...event.data, declined: false };
      case 'SupplierDeclined':
        return supplier === null ? null : { ...supplier, declined: true };
      case 'SupplierConfirmed':
        return supplier === null ? null : { ...supplier, declined: false };
      default:
        return supplier;
    }
  },
};

/** A product that its batches may be made of; `path` names the field that its id came in. */
export async function productOf(
  eventStore: EventStore,
  organizationId: string,
  productId: string,
  path?: string,
): Promise<ProductFacts> {
  const product = await anyProduct(eventStore, productId);
  if (product === null || product.deleted || product.organizationId !== organizationId) {
    throw notFound('product', productId, path);
  }
  return product;
}

/** The same for a deleted one too. */
export const anyProduct = async (eventStore: EventStore, productId: string): Promise<ProductFacts | null> =>
  (await load(eventStore, productFacts, productStream(productId))).state;

/** Null when the organization has no such supplier. */
export async function supplierOf(
  eventStore: EventStore,
  organizationId: string,
  supplierId: string,
): Promise<SupplierFacts | null> {
  const { state } = await load(eventStore, supplierFacts, supplierStream(supplierId));
  return state?.organizationId === organizationId ? state : null;
}
