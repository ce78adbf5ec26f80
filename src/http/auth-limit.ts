import type { onRequestAsyncHookHandler } from 'fastify';
import { rateLimited } from '../core/errors.js';
import { createCallLimit } from '../infrastructure/call-limit.js';
import { createGate } from '../infrastructure/gate.js';
import type { AppDependencies } from './dependencies.js';

/** Limits the auth calls of a socket address. */
export function limitAuthCalls({
  config,
  database,
}: Pick<AppDependencies, 'config' | 'database'>): onRequestAsyncHookHandler {
  const count = createCallLimit({
    ...{ database, kind: 'auth', calls: config.AUTH_CALLS_PER_MINUTE, windowS: 60 },
    // A flood from many addresses leaves the connections of the database to others.
    gate: createGate({ atOnce: 2, maxWaiting: 1_000 }),
  });
  return async ({ ip }) => {
    const { isRefused, leftS } = await count(ip);
    if (isRefused) throw rateLimited(`Too many calls from this address; try again in ${leftS} s.`, leftS);
  };
}
