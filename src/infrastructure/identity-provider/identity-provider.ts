import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { invalid, Refusal } from '../../core/errors.js';
import { deriveKey } from '../encryption.js';
import type { Logger } from '../logger.js';
import { createDiscovery, type ProviderMetadata } from './discovery.js';
import { ProviderRejected, verifyIdToken } from './id-token.js';
import { callProvider, expectBody, ProviderUnavailable } from './requests.js';

/** Who somebody is, by the word of the provider; the address is proven. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Trimmed, in lower case. */
  readonly email: string;
  readonly name: string | null;
}

/** One sign-in: the same `redirectUri` and `state` in both calls. `state` gives it PKCE and a nonce. */
interface SignIn {
  readonly redirectUri: string;
  readonly state: string | null;
}

export interface IdentityProvider {
  /** Where people sign in at the provider. */
  authorizationUrl(signIn: SignIn): Promise<string>;
  /** What the provider says for a code that it gave out. */
  identityOf(signIn: SignIn & { readonly code: string }): Promise<Identity>;
  /** Whether the address may be sent back to. */
  allows(redirectUri: string): boolean;
}

/** All calls to the provider for one of ours, together. */
const LIMIT_MS = 10_000;

const tokenAnswer = z.object({ id_token: z.string().max(64 * 1024) });
const tokenError = z.object({ error: z.string() });

const claims = z.object({
  email: z.string().max(254).trim().toLowerCase().pipe(z.email()),
  name: z.string().optional().catch(undefined),
});

/** Any OpenID Connect provider, by discovery; the code flow. */
export function createIdentityProvider(options: {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a client that has none; it proves itself by PKCE alone. */
  readonly clientSecret: string | null;
  readonly redirectUris: readonly string[];
  readonly encryptionKey: Uint8Array;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly limitMs?: number;
}): IdentityProvider {
  const { issuer, clientId, redirectUris, clock, logger, limitMs = LIMIT_MS } = options;
  const discovery = createDiscovery({ issuer, clock });
  const key = deriveKey(options.encryptionKey, 'identity-provider');
  // Nothing is stored between the two calls: whoever has the state has begun the sign-in, and only we can derive these.
  const derived = (what: 'verifier' | 'nonce', state: string): string =>
    createHmac('sha256', key).update(`${what}/${state}`).digest('base64url');

  const demandAllowed = (redirectUri: string): void => {
    if (!redirectUris.includes(redirectUri)) {
      throw invalid('redirect_uri', 'This address is not among those that the service may send people back to.');
    }
  };

  const logged = async <T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await work(AbortSignal.timeout(limitMs));
    } catch (error) {
      if (error instanceof ProviderUnavailable || error instanceof ProviderRejected) {
        logger.warn({ what, code: error.code, reason: error.reason }, 'the identity provider');
      }
      throw error;
    }
  };

  return {
    allows: (redirectUri) => redirectUris.includes(redirectUri),

    authorizationUrl: ({ redirectUri, state }) =>
      logged('authorization address', async (signal) => {
        demandAllowed(redirectUri);
        const { authorization_endpoint: endpoint, claims_parameter_supported: takesClaims } =
          await discovery.metadata(signal);
        const url = new URL(endpoint);
        const parameters = {
          ...{ client_id: clientId, response_type: 'code', scope: 'openid email profile', redirect_uri: redirectUri },
          ...(takesClaims ? { claims: WANTED_CLAIMS } : {}),
          ...(state === null
            ? {}
            : {
                ...{ state, nonce: derived('nonce', state), code_challenge_method: 'S256' },
                code_challenge: createHash('sha256').update(derived('verifier', state)).digest('base64url'),
              }),
        };
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
        return url.href;
      }),

    identityOf: ({ code, redirectUri, state }) =>
      logged('sign-in', async (signal) => {
        demandAllowed(redirectUri);
        const provider = await discovery.metadata(signal);
        const answer = await callProvider(provider.token_endpoint, {
          signal,
          method: 'POST',
          ...tokenRequest(provider, options, {
            ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri },
            ...(state === null ? {} : { code_verifier: derived('verifier', state) }),
          }),
        });
        const refusal = tokenError.safeParse(answer.body);
        // One that does not know us any more is a fault of the setting-up, not of whoever signs in.
        if (refusal.success && answer.status < 500 && refusal.data.error !== 'invalid_client') {
          throw new ProviderRejected(refusal.data.error.slice(0, 100));
        }
        const { id_token: token } = expectBody(tokenAnswer, answer, 'token endpoint');
        const payload = await verifyIdToken(token, {
          ...{ issuer, clientId, clock },
          nonce: state === null ? null : derived('nonce', state),
          algorithms: provider.id_token_signing_alg_values_supported,
          keys: (fresh) => discovery.keys(signal, fresh),
        });
        // Neither a missing mark nor a text counts: an address that nobody has proven opens nobody's account.
        const found = claims.safeParse(payload);
        if (payload['email_verified'] !== true || !found.success) {
          throw new Refusal('email_not_verified', 'The identity provider has not verified the email address.');
        }
        return { issuer, subject: payload.sub, email: found.data.email, name: found.data.name ?? null };
      }),
  };
}

const WANTED_CLAIMS = JSON.stringify({
  id_token: { email: { essential: true }, email_verified: { essential: true }, name: null },
});

/** The call to the token endpoint, with the client's proof of itself in the way that the provider takes. */
function tokenRequest(
  { token_endpoint_auth_methods_supported: methods }: ProviderMetadata,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string | null },
  parameters: Readonly<Record<string, string>>,
) {
  const body = new URLSearchParams(parameters);
  const headers: Record<string, string> = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
  };
  if (clientSecret !== null && methods.includes('client_secret_basic')) {
    const [user, password] = [formEncoded(clientId), formEncoded(clientSecret)];
    headers['Authorization'] = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  } else {
    body.set('client_id', clientId);
    if (clientSecret !== null) body.set('client_secret', clientSecret);
  }
  return { headers, body: body.toString() };
}

const formEncoded = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2);
