import { z } from 'zod';
import { timestamp } from './schemas.js';
import { countryCode, materialType, proposalState } from './vocabulary.js';

/** A supplier that a factory names behind a material, as the factory sees it. */
export const proposal = z
  .object({
    id: z.string(),
    state: proposalState,
    materialType,
    name: z.string(),
    contactEmail: z.string().nullable().describe('Null once it has been erased'),
    country: countryCode.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Proposal', description: 'A supplier that a factory has named' });
