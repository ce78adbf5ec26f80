import { z } from 'zod';
import { email, name, text } from '../../http/schemas.js';

export const password = text(200).min(8);

export const signupBody = z.object({ email, password, displayName: name() });

/** A wrong password may have any length: it is wrong, not malformed. */
export const loginBody = z.object({ email, password: text(1_000) });

export const session = z
  .object({
    token: z.string().describe('Bearer token, valid for 7 days'),
    userId: z.string(),
    email: z.string(),
    organizations: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        plan: z.enum(['free', 'pro']),
        role: z.enum(['owner', 'editor', 'auditor']),
      }),
    ),
  })
  .meta({ id: 'Session' });
