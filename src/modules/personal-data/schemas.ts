import { z } from 'zod';
import { id, text, timestamp } from '../../http/schemas.js';
import { role } from '../../http/vocabulary.js';

/** A wrong password may have any length: it is wrong, not malformed. */
export const erasureBody = z
  .object({ password: text(1_000) })
  .meta({ id: 'EraseAccount', examples: [{ password: 'a long enough password' }] });

export const memberParams = z.object({ id: id('org'), userId: id('usr') });

export const personalData = z
  .object({
    exportedAt: timestamp,
    account: z.object({
      id: z.string().describe('The opaque id by which events name who acted'),
      email: z.string(),
      displayName: z.string(),
      createdAt: timestamp,
      emailProvenAt: timestamp.nullable(),
      hasPassword: z.boolean(),
    }),
    memberships: z.array(z.object({ organizationId: z.string(), role, since: timestamp })),
    sessions: z.array(
      z.object({ id: z.string(), createdAt: timestamp, expiresAt: timestamp, endedAt: timestamp.nullable() }),
    ),
    identities: z
      .array(z.object({ issuer: z.string(), subject: z.string(), linkedAt: timestamp }))
      .describe('Identity providers that sign the account in'),
    factory: z
      .object({
        id: z.string(),
        contactEmail: z.string(),
        createdAt: timestamp,
        languages: z
          .array(z.object({ locale: z.string(), since: timestamp }))
          .describe('In which it has filled in its form'),
      })
      .nullable()
      .describe('The factory that brands reach at this address'),
    catalogueAddresses: z
      .array(z.object({ entryId: z.string(), address: z.string() }))
      .describe('Addresses of facilities and of contacts that stand in its catalogue'),
    invitations: z
      .array(z.object({ organizationId: z.string(), role, createdAt: timestamp }))
      .describe('Into organizations, not taken up'),
  })
  .meta({ id: 'PersonalData', description: 'All that is kept about the caller' });
