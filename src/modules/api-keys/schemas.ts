import { z } from 'zod';
import { id, name, timestamp } from '../../http/schemas.js';
import { scope } from '../../http/vocabulary.js';

export const keysParams = z.object({ id: id('org') });

export const keyParams = keysParams.extend({ keyId: id('key') });

export const createBody = z
  .object({
    name: name(),
    scopes: z
      .array(scope)
      .min(1)
      .max(20)
      .describe('None includes another; every GET needs `read`. Named twice, a scope is kept once.'),
  })
  .meta({ id: 'CreateApiKey', examples: [{ name: 'Nightly import', scopes: ['read', 'import'] }] });

export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(scope),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().describe('To the minute'),
  })
  .meta({ id: 'ApiKey', description: 'A key of a machine, without what is secret' });

export const newApiKey = apiKey
  .extend({ key: z.string().describe('`pps_...`, shown this once: keep it where secrets are kept') })
  .meta({ id: 'NewApiKey', description: 'A key that has just been made' });
