import { z } from 'zod';

/* What a factory keeps in its catalogue, as itself and the brands that work with it see it. */

export const PRODUCT_TYPES = ['fabric', 'yarn', 'trim', 'garment', 'other'] as const;

export const catalogueProduct = z
  .object({
    id: z.string(),
    name: z.string(),
    productType: z.enum(PRODUCT_TYPES),
    materials: z.array(
      z.object({ materialType: z.string(), percentage: z.number(), originCountry: z.string().nullable() }),
    ),
  })
  .meta({ id: 'CatalogueProduct' });

export const facility = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z.string().nullable(),
    country: z.string().nullable(),
    activities: z.array(z.string()),
  })
  .meta({ id: 'Facility' });

export const certificate = z
  .object({
    id: z.string(),
    type: z.string(),
    number: z.string(),
    issuer: z.string().nullable(),
    validFrom: z.string().nullable(),
    validUntil: z.string().nullable(),
    fileUrl: z.string().nullable().describe('Needs the bearer token of the factory or of a brand that works with it'),
  })
  .meta({ id: 'Certificate' });

export const subSupplier = z
  .object({
    id: z.string(),
    name: z.string(),
    country: z.string().nullable(),
    tier: z.int(),
    contactEmail: z.string().nullable(),
  })
  .meta({ id: 'SubSupplier' });
