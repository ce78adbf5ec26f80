import { z } from 'zod';
import { proposal } from '../../http/proposal-schemas.js';
import { email, id, line, listOf, mailedName, pageQuery, tier, timestamp } from '../../http/schemas.js';
import { countryCode, proposalState } from '../../http/vocabulary.js';

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

export const proposalParams = z.object({ id: id('pro') });
export const requestParams = z.object({ id: id('req') });
export const linkParams = z.object({
  token: line(200)
    .min(1)
    .meta({ description: 'Of the mailed link', examples: ['Yk9uZ2VyIHRoYW4gYW55Ym9keSBndWVzc2Vz'] }),
});

export const proposalQuery = pageQuery.extend({ state: proposalState.optional() });

export const brandProposal = proposal
  .omit({ createdAt: true })
  .extend({
    tier: tier.describe('That the supplier has once it is accepted'),
    proposedBy: z.object({ supplierId: z.string(), factoryName: z.string() }),
    requestId: z.string(),
    batchId: z.string(),
    productId: z.string(),
    productName: z.string(),
    supplierId: z.string().nullable().describe('The supplier that the acceptance made or found'),
    createdAt: timestamp,
    decidedAt: timestamp.nullable(),
  })
  .meta({ id: 'BrandProposal', description: 'A supplier that a factory has named, as the brand sees it' });

export type BrandProposal = z.output<typeof brandProposal>;

export const proposalList = listOf(brandProposal);
