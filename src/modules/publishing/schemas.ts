import { z } from 'zod';
import { id } from '../../http/schemas.js';

export const productParams = z.object({ id: id('prd') });

export const batchParams = z.object({ id: id('bat') });

export const publishedPassport = z.object({ qrUrl: z.string(), dppId: z.string() }).meta({
  id: 'PublishedPassport',
  description: 'The passport, which anybody can read now',
  examples: [
    {
      qrUrl: 'https://passports.example/p/04012345000016/2f6a0c1d2e4f',
      dppId: 'dpp_019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f',
    },
  ],
});

export const publishedBatch = z
  .object({ qrUrl: z.string(), dppId: z.string() })
  .meta({ description: 'The passport, which anybody can read now' });
