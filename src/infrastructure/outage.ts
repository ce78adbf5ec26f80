import { isDatabaseUnavailable } from './postgres/unavailable.js';

const EVENT_STORE_IS_AWAY = new Set(['AppendOutcomeUnknown', 'EventStoreUnavailable']);
/** Of gRPC: what is wrong with the call itself; every other code says something of the server or of the way to it. */
const ABOUT_THE_CALL = new Set([3, 9, 11]);

/** True when an error says that a server behind the service cannot be used now, rather than that something cannot be done. */
export function isOutage(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (EVENT_STORE_IS_AWAY.has(current.name) || isDatabaseUnavailable(current)) return true;
    const { code } = current as { code?: unknown };
    if (typeof code === 'number' && !ABOUT_THE_CALL.has(code)) return true;
  }
  return false;
}
