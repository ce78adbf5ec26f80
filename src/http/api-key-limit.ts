import type { FastifyReply } from 'fastify';
import { rateLimited } from '../core/errors.js';
import { createCallLimit } from '../infrastructure/call-limit.js';
import type { AppDependencies } from './dependencies.js';

const WINDOW_S = 1;

/** Read by clients of other origins too. */
export const RATE_LIMIT_HEADERS = ['RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Counts a call of an API key and tells its caller, in the headers of draft-ietf-httpapi-ratelimit-headers-06; one too many is refused. */
export function limitApiKeys({
  config: { API_KEY_CALLS_PER_SECOND: limit },
  database,
}: Pick<AppDependencies, 'config' | 'database'>): (keyId: string, reply: FastifyReply) => Promise<void> {
  const count = createCallLimit({ database, kind: 'api key', calls: limit, windowS: WINDOW_S });
  return async (keyId, reply) => {
    const { isRefused, remaining, leftS } = await count(keyId);
    void reply.headers({
      'RateLimit-Policy': `${limit};w=${WINDOW_S}`,
      'RateLimit-Limit': limit,
      'RateLimit-Remaining': remaining,
      'RateLimit-Reset': leftS,
    });
    if (isRefused)
      throw rateLimited(`An API key makes at most ${limit} calls a second; try again in ${leftS} s.`, leftS);
  };
}
