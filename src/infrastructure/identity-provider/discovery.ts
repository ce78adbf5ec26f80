import { createLocalJWKSet } from 'jose';
import { z } from 'zod';
import { isLoopback } from '../config.js';
import { callProvider, expectBody, ProviderUnavailable } from './requests.js';

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  claims_parameter_supported: z.boolean().default(false),
});

export type ProviderMetadata = z.output<typeof metadata>;

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(200) });

export type ProviderKeys = ReturnType<typeof createLocalJWKSet>;

/** What the provider says of itself, and its keys: so long may a change take to be seen that nothing else makes us look for. */
const MAX_AGE_MS = 10 * 60 * 1000;

export interface Discovery {
  metadata(signal: AbortSignal): Promise<ProviderMetadata>;
  /** `fresh`: a token names a key that was not among them. */
  keys(signal: AbortSignal, fresh?: 'fresh'): Promise<ProviderKeys>;
}

/** OpenID Connect discovery, at the first call and not at the start: the service runs without its provider. */
export function createDiscovery({ issuer, clock }: { issuer: string; clock: () => number }): Discovery {
  const demandSafe = (url: string): void => {
    // A provider over http, which only development allows, may send us to http.
    const isSafe = new URL(url).protocol === 'https:' || (issuer.startsWith('http:') && isLoopback(url));
    if (!isSafe) throw new ProviderUnavailable('the provider names an address that is not https');
  };

  const readMetadata = async (signal: AbortSignal): Promise<ProviderMetadata> => {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = expectBody(metadata, await callProvider(url, { signal }), 'discovery');
    if (found.issuer !== issuer) throw new ProviderUnavailable('the provider calls itself by another name');
    for (const address of [found.authorization_endpoint, found.token_endpoint, found.jwks_uri]) demandSafe(address);
    return found;
  };
  const discovered = kept(readMetadata, clock);

  const keys = kept(async (signal) => {
    const { jwks_uri: url } = await discovered.read(signal);
    const found = expectBody(keySet, await callProvider(url, { signal }), 'keys');
    // Keys for signatures alone; a shared secret in a published set is none.
    const usable = found.keys.filter(({ kty, use }) => kty !== 'oct' && (use === undefined || use === 'sig'));
    return createLocalJWKSet({ keys: usable });
  }, clock);

  return {
    metadata: (signal) => discovered.read(signal),
    keys: (signal, fresh) => {
      if (fresh !== undefined) keys.forget();
      return keys.read(signal);
    },
  };
}

/** Keeps what was read for a while; a failure is not kept. */
function kept<T>(read: (signal: AbortSignal) => Promise<T>, clock: () => number) {
  let last: { readonly value: T; readonly readAt: number } | null = null;
  return {
    forget: () => void (last = null),
    read: async (signal: AbortSignal): Promise<T> => {
      if (last !== null && clock() - last.readAt < MAX_AGE_MS) return last.value;
      const value = await read(signal);
      last = { value, readAt: clock() };
      return value;
    },
  };
}
