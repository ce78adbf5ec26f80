import { createSecretKey } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

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
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createSessionTokens(signingKey: Uint8Array, clock: () => number): SessionTokens {
  const key = createSecretKey(signingKey);
  return {
    sign: ({ accountId, sessionId }, expiresAt) =>
      new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setIssuer(ISSUER)
        .setSubject(accountId)
        .setJti(sessionId)
        .setIssuedAt(Math.floor(clock() / 1000))
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(key),
    verify: async (token) => {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          requiredClaims: ['sub', 'jti', 'exp'],
          currentDate: new Date(clock()),
        });
        if (payload.sub === undefined || payload.jti === undefined || !UUID.test(payload.jti)) return null;
        return { accountId: payload.sub, sessionId: payload.jti };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
