import { z } from 'zod';
import { tier } from './schemas.js';
import { countryCode, materialType } from './vocabulary.js';

/* What a factory keeps in its catalogue, as itself and the brands that work with it see it. */

export const PRODUCT_TYPES = ['fabric', 'yarn', 'trim', 'garment', 'other'] as const;

export const productType = z.enum(PRODUCT_TYPES).meta({ id: 'ProductType', description: 'What a factory makes' });

export const catalogueProduct = z
  .object({
    id: z.string(),
    name: z.string(),
    productType,
    materials: z.array(z.object({ materialType, percentage: z.number(), originCountry: countryCode.nullable() })),
  })
  .meta({ id: 'CatalogueProduct', description: 'Something that the factory makes' });

export const facility = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z.string().nullable(),
    country: countryCode.nullable(),
    activities: z.array(z.string()),
  })
  .meta({ id: 'Facility', description: 'A place where the factory works' });

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
  .meta({ id: 'Certificate', description: 'A certificate of the factory' });

export const subSupplier = z
  .object({
    id: z.string(),
    name: z.string(),
    country: countryCode.nullable(),
    tier,
    contactEmail: z.string().nullable(),
  })
  .meta({ id: 'SubSupplier', description: 'Who supplies the factory' });
