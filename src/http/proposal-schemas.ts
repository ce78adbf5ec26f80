import { z } from 'zod';
import { timestamp } from './schemas.js';

/** A supplier that a factory names behind a material, as the factory sees it. */
export const proposal = z
  .object({
    id: z.string(),
    state: z.enum(['proposed', 'accepted', 'declined']),
    materialType: z.string(),
    name: z.string(),
    contactEmail: z.string().nullable().describe('Null once it has been erased'),
    country: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Proposal' });
