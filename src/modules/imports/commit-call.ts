import { commandContext, organizationOf, type CommandContext } from '../../core/context.js';
import { deterministicUuid } from '../../core/ids.js';
import { brandNameOf, type PublishingDependencies } from '../publishing/index.js';
import type { HeldKeys } from '../products/index.js';
import type { ImportMode, ImportSource } from './contract.js';
import type { Candidates } from './decide-row.js';
import type { Found } from './lookup.js';
import type { NormalizedRow } from './normalize.js';

export type CommitDependencies = PublishingDependencies;

/** One call, or one chunk of a file. */
export interface Call {
  readonly deps: CommitDependencies;
  readonly context: CommandContext;
  readonly source: ImportSource;
  readonly mode: ImportMode;
  /** Addresses whose supplier this call has recorded. */
  readonly recorded: Map<string, Promise<void>>;
  /** What its passports show as the brand, once one is to be published. */
  brandName: Promise<string> | null;
}

/** Keys that this call has reserved, by the product to come. */
export type KeysHeld = ReadonlyMap<string, HeldKeys>;

/** Rows that share keys or products, and what is known of these now. */
export interface Group {
  readonly rows: readonly NormalizedRow[];
  candidates: Candidates;
  reserved: Found['reserved'];
  keysHeld: KeysHeld;
}

export const brandNameOfCall = (call: Call): Promise<string> =>
  (call.brandName ??= brandNameOf(call.deps, organizationOf(call.context)));

/** Ids and events of the row are the same in every try; what it writes is waited for like everything the call writes. */
export function contextOfRow({ context, source }: Call, { rowNumber: row }: NormalizedRow): CommandContext {
  const { organizationId, actor, correlationId, causationId, now } = context;
  const { importId, fileHash } = source;
  const seed = deterministicUuid(importId, `row/${row}`);
  const importMark = { importId, fileHash, row };
  return {
    ...commandContext({ organizationId, actor, correlationId, causationId, now, seed, importMark }),
    wrote: context.wrote,
  };
}
