import { z } from 'zod';
import { proposal } from '../../http/proposal-schemas.js';
import { id, listOf, pageQuery, tier, timestamp } from '../../http/schemas.js';
import { proposalState } from '../../http/vocabulary.js';

export const proposalParams = z.object({ id: id('pro') });
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
