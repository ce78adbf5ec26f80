import { z } from 'zod';
import { catalogueProduct, certificate, facility, subSupplier } from '../../http/catalogue-schemas.js';
import { countryCode, email, freeText, id, line, listOf, name, timestamp } from '../../http/schemas.js';

export const inviteBody = z.object({
  factoryName: name(),
  contactEmail: email,
  country: countryCode.nullish(),
  tier: z.int().min(1).max(9),
  notes: freeText.nullish().describe('Mailed with the invitation'),
});

export type InviteBody = z.output<typeof inviteBody>;

export const supplierParams = z.object({ id: id('sup') });

const state = z.enum(['recorded', 'invited', 'confirmed', 'declined']);
const sharing = z
  .enum(['asked', 'granted', 'declined'])
  .describe("Whether the factory's catalogue is shown: `granted` once it has accepted or has answered a request");

const fields = z.object({
  id: z.string(),
  factoryName: z.string(),
  country: z.string().nullable(),
  tier: z.int(),
  state,
  sharing,
  contactEmail: z.string().nullable().describe('Null once it has been erased'),
});

export const supplierList = listOf(
  fields
    .extend({
      certificateCount: z.int(),
      productCount: z.int(),
      batchCount: z.int(),
      createdAt: timestamp,
    })
    .meta({ id: 'SupplierListItem' }),
);

const batch = z.object({
  id: z.string(),
  poReference: z.string().nullable(),
  productName: z.string(),
  quantity: z.int(),
  unit: z.string(),
  state: z.enum(['draft', 'sent', 'submitted', 'published']),
  role: z.enum(['factory', 'sub_supplier']),
  createdAt: timestamp,
});

export const supplierDetail = fields
  .extend({
    facilities: z.array(facility),
    certificates: z.array(certificate),
    subSuppliers: z.array(subSupplier),
    products: z.array(catalogueProduct),
    batches: z.array(batch).describe("The organization's own batches that involve the supplier"),
  })
  .meta({ id: 'Supplier' });

export type SupplierDetail = z.output<typeof supplierDetail>;

export const linkParams = z.object({ token: line(100) });

export const joinQuery = z.object({ lang: line(20).optional() });

/** The form of the invitation as typed; `joinForm` says what is wrong with it. */
export const typedForm = z.record(z.string(), z.unknown());

export const joinForm = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('join'),
    displayName: name(),
    password: z.string().min(8).max(200),
  }),
  /** Of who has an account already: the address was linked at once. */
  z.object({ action: z.literal('accept') }),
  z.object({ action: z.literal('decline') }),
]);

export const page = z.any().describe('text/html');

export const brandParams = z.object({ supplierId: id('sup') });

const brand = {
  supplierId: z.string(),
  brand: z.object({ name: z.string() }),
  factoryName: z.string().describe('As the brand calls the factory'),
  tier: z.int(),
  state,
  sharing,
  notes: z.string().nullable(),
};

export const answeredBrand = z.object(brand).meta({ id: 'AnsweredBrand' });

export const brandsOfFactoryList = listOf(z.object({ ...brand, createdAt: timestamp }).meta({ id: 'BrandOfFactory' }));
