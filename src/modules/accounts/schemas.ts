import { z } from 'zod';
import { email, line, mailedName, text, timestamp } from '../../http/schemas.js';
import { plan, role } from '../../http/vocabulary.js';

export const password = text(200).min(8);

/** A wrong password may have any length: it is wrong, not malformed. */
const typedPassword = text(1_000);

export const signupBody = z.object({ email, password, displayName: mailedName() }).meta({
  id: 'SignUp',
  examples: [{ email: 'ana@nordfaden.example', password: 'a long enough password', displayName: 'Ana Sousa' }],
});

export const loginBody = z
  .object({ email, password: typedPassword })
  .meta({ id: 'SignIn', examples: [{ email: 'ana@nordfaden.example', password: 'a long enough password' }] });

export const linkBody = z.object({ email }).meta({ id: 'AskForLink', examples: [{ email: 'ana@nordfaden.example' }] });

/** The same for the token of a link. */
const token = line(1_000);

export const tokenBody = z.object({ token }).meta({
  id: 'LinkToken',
  description: 'The token of a mailed link',
  examples: [{ token: 'Yk9uZ2VyIHRoYW4gYW55Ym9keSBndWVzc2Vz' }],
});

export const resetBody = z.object({ token, password }).meta({
  id: 'ResetPassword',
  examples: [{ token: 'Yk9uZ2VyIHRoYW4gYW55Ym9keSBndWVzc2Vz', password: 'another long password' }],
});

export const passwordBody = z.object({ currentPassword: typedPassword, newPassword: password }).meta({
  id: 'ChangePassword',
  examples: [{ currentPassword: 'a long enough password', newPassword: 'another long password' }],
});

export const sessionParams = z.object({ id: line(100).meta({ examples: ['019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f'] }) });

export const session = z
  .object({
    token: z.string().describe('Bearer token, valid for 7 days'),
    userId: z.string(),
    email: z.string(),
    organizations: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        plan,
        role,
      }),
    ),
  })
  .meta({
    id: 'Session',
    description: 'Somebody is signed in',
    examples: [
      {
        token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
        userId: 'usr_019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f',
        email: 'ana@nordfaden.example',
        organizations: [
          { id: 'org_019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f', name: 'Nordfaden', plan: 'pro', role: 'owner' },
        ],
      },
    ],
  });

export const sessionItem = z
  .object({
    id: z.string(),
    createdAt: timestamp,
    expiresAt: timestamp,
    current: z.boolean().describe('The session of the token that asks'),
  })
  .meta({ id: 'SessionListItem', description: 'A sign-in that stands' });

/** Long enough that nobody guesses it; PKCE and nonce are derived from it. */
const state = line(500)
  .min(16)
  .optional()
  .meta({
    description: 'The same in both calls; recommended: it brings PKCE and a nonce',
    examples: ['a-state-that-nobody-guesses'],
  });

const redirectUri = line(2_000).meta({ format: 'uri', examples: ['https://app.example/callback'] });

export const idpUrlQuery = z.object({ redirect_uri: redirectUri, state });

export const idpUrl = z.object({ url: z.url() }).meta({ id: 'IdpUrl', description: 'Where to send the person' });

export const idpCallbackBody = z.object({ code: line(4_000).min(1), redirect_uri: redirectUri, state }).meta({
  id: 'IdpCallback',
  examples: [
    {
      code: 'SplxlOBeZQQYbYS6WxSbIA',
      redirect_uri: 'https://app.example/callback',
      state: 'a-state-that-nobody-guesses',
    },
  ],
});
