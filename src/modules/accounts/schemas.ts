import { z } from 'zod';
import { email, line, name, text, timestamp } from '../../http/schemas.js';

export const password = text(200).min(8);

/** A wrong password may have any length: it is wrong, not malformed. */
const typedPassword = text(1_000);

export const signupBody = z.object({ email, password, displayName: name() });

export const loginBody = z.object({ email, password: typedPassword });

export const linkBody = z.object({ email });

/** The same for the token of a link. */
const token = line(1_000);

export const tokenBody = z.object({ token });

export const resetBody = z.object({ token, password });

export const passwordBody = z.object({ currentPassword: typedPassword, newPassword: password });

export const sessionParams = z.object({ id: line(100) });

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

export const sessionItem = z.object({
  id: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  current: z.boolean().describe('The session of the token that asks'),
});

/** Long enough that nobody guesses it; PKCE and nonce are derived from it. */
const state = line(500).min(16).optional().describe('The same in both calls; recommended: it brings PKCE and a nonce');

const redirectUri = line(2_000);

export const idpUrlQuery = z.object({ redirect_uri: redirectUri, state });

export const idpUrl = z.object({ url: z.url() });

export const idpCallbackBody = z.object({ code: line(4_000).min(1), redirect_uri: redirectUri, state });
