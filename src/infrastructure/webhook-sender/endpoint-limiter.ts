import { LRUCache } from 'lru-cache';

/** Keeps one endpoint from taking the places of all others. Knows what this process does, and forgets it with the process. */
export interface EndpointLimiter {
  /** Whether there is a place now. */
  hasPlace(endpoint: string): boolean;
  /** How long to stay away when there is no place now, or null when there may be one. Each who asks is told a later time. */
  refusal(endpoint: string): { readonly waitMs: number } | null;
  /** Takes a place, or says how long to stay away. `leave` gives it back. */
  enter(endpoint: string): { readonly waitMs: number } | { readonly leave: () => void };
}

interface Endpoint {
  /** How many attempts it may have in flight: grows while it answers quickly, shrinks while it does not. */
  places: number;
  taken: number;
  isSlow: boolean;
  meanMs: number;
  /** When the next one that was sent away is to come back. */
  nextAt: number;
}

const FIRST_PLACES = 8;
const MIN_PLACES = 4;
const MAX_PLACES = 32;
/** An answer that takes longer makes the endpoint a slow one. */
const SLOW_MS = 2_000;
const MIN_WAIT_MS = 100;
/** An endpoint that has come back is noticed within this. */
const MAX_WAIT_MS = 60_000;
const REMEMBERED = 10_000;

/** `places` are those of all endpoints together; the slow ones share half of them, so the others always find one. */
export function createEndpointLimiter({
  places,
  clock,
}: {
  readonly places: number;
  readonly clock: () => number;
}): EndpointLimiter {
  const endpoints = new LRUCache<string, Endpoint>({ max: REMEMBERED });
  let takenBySlow = 0;

  const known = (name: string): Endpoint => {
    const found = endpoints.get(name);
    if (found !== undefined) return found;
    const made = { places: FIRST_PLACES, taken: 0, isSlow: false, meanMs: MIN_WAIT_MS, nextAt: 0 };
    endpoints.set(name, made);
    return made;
  };

  const mark = (endpoint: Endpoint, isSlow: boolean): void => {
    if (endpoint.isSlow === isSlow) return;
    endpoint.isSlow = isSlow;
    takenBySlow += isSlow ? endpoint.taken : -endpoint.taken;
  };

  const hasPlace = (endpoint: Endpoint): boolean =>
    endpoint.taken < endpoint.places && !(endpoint.isSlow && takenBySlow >= places / 2);

  const refusalOf = (endpoint: Endpoint): { waitMs: number } | null => {
    if (hasPlace(endpoint)) return null;
    const now = clock();
    endpoint.nextAt = Math.min(Math.max(now, endpoint.nextAt) + endpoint.meanMs / endpoint.places, now + MAX_WAIT_MS);
    return { waitMs: Math.max(MIN_WAIT_MS, Math.round(endpoint.nextAt - now)) };
  };

  return {
    hasPlace: (name) => hasPlace(known(name)),
    refusal: (name) => refusalOf(known(name)),
    enter(name) {
      const endpoint = known(name);
      const refusal = refusalOf(endpoint);
      if (refusal !== null) return refusal;
      const began = performance.now();
      endpoint.taken += 1;
      if (endpoint.isSlow) takenBySlow += 1;
      // Known before the attempt ends, so that a silent receiver does not fill all places meanwhile.
      const slow = setTimeout(() => mark(endpoint, true), SLOW_MS);
      return {
        leave() {
          clearTimeout(slow);
          const durationMs = performance.now() - began;
          mark(endpoint, durationMs > SLOW_MS);
          endpoint.taken -= 1;
          if (endpoint.isSlow) takenBySlow -= 1;
          endpoint.meanMs += (durationMs - endpoint.meanMs) / 4;
          endpoint.places = endpoint.isSlow
            ? Math.max(MIN_PLACES, Math.floor(endpoint.places / 2))
            : Math.min(MAX_PLACES, endpoint.places + 1);
        },
      };
    },
  };
}
