import { createHash, createSecretKey } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** What a bearer token says; whether the session still stands is the database's to say. */
export interface SessionClaims {
  readonly accountId: string;
  readonly sessionId: string;
}

export interface SessionTokens {
  sign(claims: SessionClaims, expiresAt: number): Promise<string>;
  /** Null for a token that is forged, expired or not one of ours. */
  verify(token: string): Promise<SessionClaims | null>;
}

// Pinned, so that a token cannot choose how it is checked.
const ALGORITHM = 'HS256';
const ISSUER = 'product-passport-service';
/** Tokens whose signature was checked and need not be again: a client sends the same one with every call. */
const VERIFIED_TOKENS = 2_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Signs with one key and takes the tokens of all: the one before, until its last token has run out, or the next one, while
 * processes that sign with it already run beside this one.
 */
export function createSessionTokens(
  config: { readonly TOKEN_SIGNING_KEY: Uint8Array; readonly TOKEN_SIGNING_KEYS_ACCEPTED: readonly Uint8Array[] },
  clock: () => number,
): SessionTokens {
  const keys = [config.TOKEN_SIGNING_KEY, ...config.TOKEN_SIGNING_KEYS_ACCEPTED];
  const byId = new Map(keys.map((key) => [keyIdOf(key), createSecretKey(key)] as const));
  const kid = keyIdOf(config.TOKEN_SIGNING_KEY);
  const signingKey = createSecretKey(config.TOKEN_SIGNING_KEY);
  const verified = new LRUCache<string, { readonly claims: SessionClaims; readonly expiresAt: number }>({
    max: VERIFIED_TOKENS,
  });
  return {
    sign: ({ accountId, sessionId }, expiresAt) =>
      new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM, kid })
        .setIssuer(ISSUER)
        .setSubject(accountId)
        .setJti(sessionId)
        .setIssuedAt(Math.floor(clock() / 1000))
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(signingKey),
    verify: async (token) => {
      const known = verified.get(token);
      if (known !== undefined) return known.expiresAt > clock() ? known.claims : null;
      try {
        const keyOf = (header: { kid?: string }) => {
          const key = byId.get(header.kid ?? '');
          if (key === undefined) throw new errors.JWKSNoMatchingKey();
          return key;
        };
        const { payload } = await jwtVerify(token, keyOf, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          requiredClaims: ['sub', 'jti', 'exp'],
          currentDate: new Date(clock()),
        });
        const { sub, jti, exp } = payload;
        if (sub === undefined || jti === undefined || exp === undefined || !UUID.test(jti)) return null;
        const claims = { accountId: sub, sessionId: jti };
        verified.set(token, { claims, expiresAt: exp * 1000 });
        return claims;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/** Names a key without giving anything of it away; nobody has to invent ids. */
export const keyIdOf = (key: Uint8Array): string =>
  createHash('sha256').update('session-key/').update(key).digest('base64url').slice(0, 12);
