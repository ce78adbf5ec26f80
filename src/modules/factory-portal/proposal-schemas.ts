import { z } from 'zod';
import { email, line, mailedName } from '../../http/schemas.js';
import { countryCode } from '../../http/vocabulary.js';

export const proposeBody = z
  .object({
    materialType: line(100).min(1, 'must be one of the materials').describe("One of the product's materials"),
    name: mailedName().describe('What the supplier is called'),
    contactEmail: email,
    country: countryCode.nullish(),
  })
  .meta({
    id: 'ProposeSupplier',
    examples: [
      {
        materialType: 'cotton_organic',
        name: 'Aegean Cotton',
        contactEmail: 'aegean@factories.example',
        country: 'TR',
      },
    ],
  });

export type ProposeBody = z.output<typeof proposeBody>;
