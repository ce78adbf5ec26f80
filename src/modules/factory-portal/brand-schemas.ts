import { z } from 'zod';
import { id, listOf, tier, timestamp } from '../../http/schemas.js';
import { sharing, supplierState } from '../../http/vocabulary.js';

export const brandParams = z.object({ supplierId: id('sup') });

const brand = {
  supplierId: z.string(),
  brand: z.object({ name: z.string() }),
  factoryName: z.string().describe('As the brand calls the factory'),
  tier,
  state: supplierState,
  sharing,
  notes: z.string().nullable(),
};

export const answeredBrand = z
  .object(brand)
  .meta({ id: 'AnsweredBrand', description: 'A brand, and what the factory has answered it' });

export const brandsOfFactoryList = listOf(
  z
    .object({ ...brand, createdAt: timestamp })
    .meta({ id: 'BrandOfFactory', description: 'A brand that has invited the factory' }),
);
