import { timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { Refusal } from '../../core/errors.js';
import type { ProviderKeys } from './discovery.js';

/** Signatures by a key that is published; a token cannot choose a shared secret, or none. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** As far as the provider's clock may be from ours. */
const CLOCK_SKEW_S = 60;
/** The token comes straight from the provider, so an old one is a used one. */
const MAX_AGE_S = 10 * 60;

/** Verifies an ID token; throws `idp_rejected`, which does not tell its maker why. */
export async function verifyIdToken(
  token: string,
  expected: {
    readonly issuer: string;
    readonly clientId: string;
    /** Null: the sign-in was begun without `state`, so there must be none. */
    readonly nonce: string | null;
    /** What the provider says it signs with, if it does. */
    readonly algorithms: readonly string[] | undefined;
    readonly keys: (fresh?: 'fresh') => Promise<ProviderKeys>;
    readonly clock: () => number;
  },
): Promise<JWTPayload & { readonly sub: string }> {
  const { issuer, clientId, nonce } = expected;
  const verify = async (keys: ProviderKeys) =>
    jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS.filter((one) => expected.algorithms?.includes(one) ?? true),
      clockTolerance: CLOCK_SKEW_S,
      maxTokenAge: MAX_AGE_S,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(expected.clock()),
    });
  try {
    const { payload } = await verify(await expected.keys()).catch(async (error: unknown) => {
      // The provider may have changed its keys since they were read.
      if (error instanceof errors.JWKSNoMatchingKey) return verify(await expected.keys('fresh'));
      throw error;
    });
    const { sub, aud, azp } = payload;
    if (typeof sub !== 'string' || sub === '' || sub.length > 255) throw rejected('no subject');
    const isForUs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId;
    if (!isForUs) throw rejected('made for another client');
    if (!isSameNonce(payload['nonce'], nonce)) throw rejected('nonce');
    return { ...payload, sub };
  } catch (error) {
    if (error instanceof errors.JOSEError) throw rejected(error.code);
    throw error;
  }
}

function isSameNonce(found: unknown, expected: string | null): boolean {
  if (expected === null) return found === undefined;
  const [one, other] = [Buffer.from(typeof found === 'string' ? found : ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The provider's word is not taken. The reason is for the log. */
export class ProviderRejected extends Refusal {
  readonly reason: string;

  constructor(reason: string) {
    super('idp_rejected', 'The sign-in at the identity provider is not accepted; begin it again.');
    this.reason = reason;
  }
}

const rejected = (reason: string) => new ProviderRejected(reason);
