import { z } from 'zod';
import { SCOPES } from '../../http/access.js';
import { id, name, timestamp } from '../../http/schemas.js';

const scope = z.enum(SCOPES);

export const keysParams = z.object({ id: id('org') });

export const keyParams = keysParams.extend({ keyId: id('key') });

export const createBody = z.object({
  name: name(),
  scopes: z
    .array(scope)
    .min(1)
    .max(20)
    .describe('None includes another; every GET needs `read`. Named twice, a scope is kept once.'),
});

export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(scope),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().describe('To the minute'),
  })
  .meta({ id: 'ApiKey' });

export const newApiKey = apiKey
  .extend({ key: z.string().describe('`pps_...`, shown this once: keep it where secrets are kept') })
  .meta({ id: 'NewApiKey' });
