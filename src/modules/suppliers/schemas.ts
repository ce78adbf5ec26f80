import { z } from 'zod';
import { catalogueProduct, certificate, facility, subSupplier } from '../../http/catalogue-schemas.js';
import { count, email, freeText, id, listOf, mailedName, quantity, tier, timestamp } from '../../http/schemas.js';
import { batchState, countryCode, supplierRole, supplierState, sharing } from '../../http/vocabulary.js';

export const inviteBody = z
  .object({
    factoryName: mailedName(),
    contactEmail: email,
    country: countryCode.nullish(),
    tier,
    notes: freeText.nullish().describe('Mailed with the invitation'),
  })
  .meta({
    id: 'InviteSupplier',
    examples: [
      {
        factoryName: 'Fiação do Norte',
        contactEmail: 'norte@factories.example',
        country: 'PT',
        tier: 1,
        notes: 'We would like to work with you.',
      },
    ],
  });

export type InviteBody = z.output<typeof inviteBody>;

export const supplierParams = z.object({ id: id('sup') });

const fields = z.object({
  id: z.string(),
  factoryName: z.string(),
  country: countryCode.nullable(),
  tier,
  state: supplierState,
  sharing,
  contactEmail: z.string().nullable().describe('Null once it has been erased'),
});

export const supplierList = listOf(
  fields
    .extend({
      certificateCount: count,
      productCount: count,
      batchCount: count,
      createdAt: timestamp,
    })
    .meta({ id: 'SupplierListItem', description: 'A factory that works with the brand' }),
);

const batch = z
  .object({
    id: z.string(),
    poReference: z.string().nullable(),
    productName: z.string(),
    quantity,
    unit: z.string(),
    state: batchState,
    role: supplierRole,
    createdAt: timestamp,
  })
  .meta({ id: 'SupplierBatch', description: 'A batch that involves the supplier' });

export const supplierDetail = fields
  .extend({
    facilities: z.array(facility),
    certificates: z.array(certificate),
    subSuppliers: z.array(subSupplier),
    products: z.array(catalogueProduct),
    batches: z.array(batch).describe("The organization's own batches that involve the supplier"),
  })
  .meta({ id: 'Supplier', description: 'A factory that works with the brand, and what it keeps in its catalogue' });

export type SupplierDetail = z.output<typeof supplierDetail>;
