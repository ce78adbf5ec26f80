import { v7 } from 'uuid';
import type { Actor, ImportMark } from './events.js';
import { deterministicUuid, type IdPrefix } from './ids.js';

/** Who asks for what, when: everything a command needs from the world around it. */
export interface CommandContext {
  readonly organizationId: string | null;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The row that the command came from; null outside imports. */
  readonly importMark: ImportMark | null;
  /** Ids made from it are the same when the same call is sent again under its idempotency key. */
  readonly seed: string;
  readonly newId: (prefix: IdPrefix) => string;
  /** Notes that an event was appended there; the answer waits until the read models have passed it. */
  readonly wrote: (position: bigint) => void;
  /** The furthest position that this call has written, or null. */
  readonly position: () => bigint | null;
}

export function commandContext(from: {
  organizationId: string | null;
  actor: Actor;
  correlationId: string;
  causationId?: string | null;
  now: number;
  seed?: string;
  importMark?: ImportMark;
}): CommandContext {
  const seed = from.seed ?? v7();
  let made = 0;
  let furthest: bigint | null = null;
  return {
    organizationId: from.organizationId,
    actor: from.actor,
    correlationId: from.correlationId,
    causationId: from.causationId ?? null,
    now: from.now,
    importMark: from.importMark ?? null,
    seed,
    // The first id is the seed itself, a UUIDv7, so that records sort by their time.
    newId: (prefix) => `${prefix}_${made++ === 0 ? seed : deterministicUuid(seed, `id-${made}`)}`,
    wrote: (position) => {
      if (furthest === null || position > furthest) furthest = position;
    },
    position: () => furthest,
  };
}

/** The organization that a command acts for; only commands outside any organization have none. */
export function organizationOf(context: CommandContext): string {
  if (context.organizationId === null) throw new Error('a command of an organization came without its id');
  return context.organizationId;
}
