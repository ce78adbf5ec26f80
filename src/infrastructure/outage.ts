import { outageCause, type PartName } from './outage-cause.js';
import { isDatabaseUnavailable } from './postgres/unavailable.js';

/** Errors of ours that say which part is away, by name: they cross from activities to workflows and their callers. */
const OURS: ReadonlyMap<string, PartName> = new Map([
  ['AppendOutcomeUnknown', 'event store'],
  ['EventStoreUnavailable', 'event store'],
  ['WorkflowUnavailable', 'workflow server'],
  ['MailNotTaken', 'mail server'],
]);
/** Of gRPC: what is wrong with the call itself; every other code says something of the server or of the way to it. */
const ABOUT_THE_CALL = new Set([3, 9, 11]);

/** Which server behind the service cannot be used now; null when an error says rather that something cannot be done. */
function awayIn(error: unknown): { readonly part: PartName; readonly said: Error } | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const part = OURS.get(current.name);
    if (part !== undefined) return { part, said: current };
    if (isDatabaseUnavailable(current)) return { part: 'database', said: current };
    const { code } = current as { code?: unknown };
    const isOfGrpc = typeof code === 'number' && 'details' in current;
    if (isOfGrpc && !ABOUT_THE_CALL.has(code)) return { part: 'workflow server', said: current };
  }
  return null;
}

export const isOutage = (error: unknown): boolean => awayIn(error) !== null;

/**
 * For log and operators: of an outage its part and its cause, of any other error its name and its message alone, as other members of
 * an error of the database may hold what the statement held. `part`: who asked it knows that nothing else can be wrong.
 */
export function describeError(error: unknown, part?: PartName): string {
  if (part !== undefined) return `${part}: ${outageCause(error, part)}`;
  const away = awayIn(error);
  // A mailer's error is in words of ours, without what it was made of.
  if (away?.part === 'mail server') return away.said.message;
  if (away !== null) return `${away.part}: ${outageCause(error, away.part)}`;
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1_000) : String(error);
}
