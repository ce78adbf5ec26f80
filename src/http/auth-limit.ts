import { createHash } from 'node:crypto';
import type { onRequestAsyncHookHandler } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../core/errors.js';
import { createGate } from '../infrastructure/gate.js';
import type { AppDependencies } from './dependencies.js';

/** Addresses that are known to have to wait; forgetting one costs a query. */
const REMEMBERED = 10_000;

/**
 * Limits the auth calls of a socket address, counted in the database: as many API processes as there are count as one. An
 * address that has to wait is refused from memory, so that a flood does not reach the database.
 */
export function limitAuthCalls({
  config,
  database,
}: Pick<AppDependencies, 'config' | 'database'>): onRequestAsyncHookHandler {
  // A flood from many addresses leaves the connections of the database to others.
  const fewAtOnce = createGate({ atOnce: 2, maxWaiting: 1_000 });
  const refusedUntil = new LRUCache<string, number>({ max: REMEMBERED });

  const refuse = (untilMs: number): never => {
    const retryAfterS = Math.max(1, Math.ceil((untilMs - performance.now()) / 1000));
    throw new Refusal('rate_limited', `Too many calls from this address; try again in ${retryAfterS} s.`, {
      extra: { retryAfterS },
    });
  };

  return async ({ ip }) => {
    const known = refusedUntil.get(ip);
    if (known !== undefined && known > performance.now()) refuse(known);
    const count = () =>
      database.query<{ calls: number; left_ms: number }>({
        name: 'count-auth-call',
        text: `insert into service.auth_calls as c values ($1, now() + interval '1 minute', 1)
             on conflict (address_hash) do update
                set calls = case when c.window_ends_at <= now() then 1 else c.calls + 1 end,
                    window_ends_at = greatest(c.window_ends_at, case when c.window_ends_at <= now() then excluded.window_ends_at end)
             returning calls, extract(epoch from window_ends_at - now())::float8 * 1000 as left_ms`,
        values: [createHash('sha256').update(ip).digest()],
      });
    const { rows } = await fewAtOnce(count);
    const { calls = 0, left_ms: leftMs = 0 } = rows[0] ?? {};
    if (calls <= config.AUTH_CALLS_PER_MINUTE) return;
    const until = performance.now() + leftMs;
    refusedUntil.set(ip, until);
    refuse(until);
  };
}
