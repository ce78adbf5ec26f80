import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from './postgres/database.js';

/** Callers who are known to have to wait; forgetting one costs a query. */
const REMEMBERED = 10_000;

export interface CountedCall {
  readonly isRefused: boolean;
  /** How many more calls of the caller the window takes. */
  readonly remaining: number;
  /** Until the window ends; at least 1. */
  readonly leftS: number;
}

/**
 * Counts the calls of callers in windows, in the database: as many API processes as there are count as one. A caller who has to
 * wait is refused from memory, so that a flood does not reach the database.
 */
export function createCallLimit({
  database,
  kind,
  calls: limit,
  windowS,
  gate = (count) => count(),
}: {
  readonly database: Database;
  /** What is counted; callers of two kinds have nothing to do with each other. */
  readonly kind: string;
  readonly calls: number;
  readonly windowS: number;
  /** Lets counts through to the database. */
  readonly gate?: <T>(count: () => Promise<T>) => Promise<T>;
}): (caller: string) => Promise<CountedCall> {
  const refusedUntil = new LRUCache<string, number>({ max: REMEMBERED });
  const counted = (calls: number, leftMs: number): CountedCall => ({
    isRefused: calls > limit,
    remaining: Math.max(0, limit - calls),
    leftS: Math.max(1, Math.ceil(leftMs / 1000)),
  });

  return async (caller) => {
    const leftInMemoryMs = (refusedUntil.get(caller) ?? 0) - performance.now();
    if (leftInMemoryMs > 0) return counted(Infinity, leftInMemoryMs);
    const { rows } = await gate(() =>
      database.query<{ calls: number; left_ms: number }>({
        name: 'count-call',
        text: `insert into service.call_counts as c values ($1, now() + make_interval(secs => $2), 1)
             on conflict (caller_hash) do update
                set calls = case when c.window_ends_at <= now() then 1 else c.calls + 1 end,
                    window_ends_at = greatest(c.window_ends_at, case when c.window_ends_at <= now() then excluded.window_ends_at end)
             returning calls, extract(epoch from window_ends_at - now())::float8 * 1000 as left_ms`,
        values: [createHash('sha256').update(`${kind} ${caller}`).digest(), windowS],
      }),
    );
    const { calls = 0, left_ms: leftMs = 0 } = rows[0] ?? {};
    if (calls > limit) refusedUntil.set(caller, performance.now() + leftMs);
    return counted(calls, leftMs);
  };
}
