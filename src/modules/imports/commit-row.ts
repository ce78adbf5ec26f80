import { assertNever } from '../../core/assert-never.js';
import { commandContext, organizationOf, type CommandContext } from '../../core/context.js';
import { deterministicUuid } from '../../core/ids.js';
import { brandNameOf, type PassportDependencies } from '../passports/handlers.js';
import type { ProductFields } from '../products/events.js';
import {
  FOLLOW_UPS_AT_ONCE,
  preliminaryPassportOf,
  publishNewProduct,
  publishPreliminaryBatch,
  republishPassports,
} from '../products/follow-up.js';
import {
  createProductOfRow,
  holdKeysAgain,
  loadMarkedProduct,
  updateProductOfRow,
  type ActiveProduct,
  type IssuedPassport,
  type RowMark,
} from '../products/importing.js';
import { keyTexts, type HeldKeys } from '../products/keys.js';
import { recordSupplier } from '../suppliers/handlers.js';
import type { ImportMode, ImportSource, RowOutcome, RowWarning } from './contract.js';
import {
  createCandidates,
  decideRow,
  publishesAfter,
  type Candidate,
  type Candidates,
  type Publishes,
} from './decide-row.js';
import type { Found } from './lookup.js';
import type { NormalizedRow } from './normalize.js';
import { outcomeOf } from './plan.js';

export type CommitDependencies = PassportDependencies;

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

/** Keys that are reserved for products to come, by product. */
export type Held = ReadonlyMap<string, HeldKeys>;

/** Rows that share keys or products. */
export interface Group {
  readonly rows: readonly NormalizedRow[];
  candidates: Candidates;
  unborn: Found['unborn'];
  held: Held;
}

/** Null: somebody else came first, so the row is to be decided anew. */
export async function tryRow(
  call: Call,
  row: NormalizedRow,
  group: Group,
  { mayAdopt }: { readonly mayAdopt: boolean },
): Promise<RowOutcome | null> {
  const { decision, warnings } = decideRow(row, call.mode, group.candidates);
  switch (decision.kind) {
    case 'error':
      return outcomeOf(row, { outcome: 'error', errors: decision.errors, warnings: row.warnings });
    case 'pass':
      return outcomeOf(row, { outcome: 'skipped', warnings: row.warnings });
    case 'create':
      return createRow(call, row, group, {
        fields: decision.fields,
        warnings,
        mayAdopt,
      });
    case 'leave': {
      const { of, outcome } = decision;
      const before = await didBefore(call, row, group, of);
      if (before !== null) return finishAgain(call, row, { of, before, warnings });
      const publishes = of.isUnfinished ? 'first' : 'nothing';
      return finish(call, row, { of, outcome, publishes, issued: [], warnings });
    }
    case 'update': {
      const { of } = decision;
      const before = await didBefore(call, row, group, of);
      if (before !== null) return finishAgain(call, row, { of, before, warnings });
      return updateRow(call, row, group, { of, warnings });
    }
    default:
      return assertNever(decision);
  }
}

async function createRow(
  call: Call,
  row: NormalizedRow,
  group: Group,
  { fields, warnings, mayAdopt }: { fields: ProductFields; warnings: readonly RowWarning[]; mayAdopt: boolean },
): Promise<RowOutcome | null> {
  const { deps, source } = call;
  const context = contextOfRow(call, row);
  const own = context.newId('prd');
  const reservedFor = keyTexts(fields).flatMap(({ key }) => group.unborn.get(key) ?? [])[0] ?? own;
  const isOthers = reservedFor !== own;
  if (isOthers && !mayAdopt) return null;
  await recordSupplierOf(call, row);
  // The product that a dead process was about to make is made under the id that its keys are reserved for.
  const productId = reservedFor;
  const publishes = publishesAfter({ fields, passports: 0 }, {});
  const passport = publishes === 'first' ? preliminaryPassportOf(productId) : null;
  const { state, isNew } = await createProductOfRow(deps, context, {
    ...{ productId, fields, passport },
    held: group.held.get(productId) ?? [],
  });
  if (isOthers && state.status === 'active') await holdKeysAgain(deps, context, { productId, fields });
  const of: Candidate = {
    ...{ productId, bornInRow: row.rowNumber, fields, passports: 0, dppId: null },
    ...{ importId: source.importId, isUnfinished: false, lastRow: null },
  };
  if (isNew) {
    group.candidates.put(of);
    if (passport !== null) {
      const brandName = await brandNameOfCall(call);
      const { dppId } = await publishNewProduct(deps, context, { productId, fields, brandName });
      Object.assign(of, { dppId, passports: 1 });
    }
    of.lastRow = row;
    const passports = passport === null ? 0 : 1;
    return outcomeOf(row, { outcome: 'create', of, passports, warnings: [...row.warnings, ...warnings] });
  }
  const before = await didBefore(call, row, group, of);
  if (before === null) return null;
  // Deleted since: its keys are free, so that only its id has led here.
  if (state.status !== 'active')
    return outcomeOf(row, { outcome: 'create', of, warnings: [...row.warnings, ...warnings] });
  group.candidates.put(Object.assign(of, stateOf(state)));
  return finishAgain(call, row, { of, before, warnings });
}

async function updateRow(
  call: Call,
  row: NormalizedRow,
  group: Group,
  { of, warnings }: { of: Candidate; warnings: readonly RowWarning[] },
): Promise<RowOutcome> {
  const productId = bornId(of);
  await recordSupplierOf(call, row);
  const { product, changes } = await updateProductOfRow(call.deps, contextOfRow(call, row), {
    productId,
    said: row.fields,
  });
  Object.assign(of, stateOf(product));
  group.candidates.put(of);
  if (Object.keys(changes).length > 0) {
    const publishes = publishesAfter(of, changes);
    return finish(call, row, { of, outcome: 'update', publishes, issued: product.passports, warnings });
  }
  // The read model was behind: an earlier try has made these changes, or somebody else the very same ones.
  Object.assign(of, { importId: call.source.importId });
  const before = await didBefore(call, row, group, of);
  if (before !== null) return finishAgain(call, row, { of, before, warnings });
  return finish(call, row, { of, outcome: 'unchanged', publishes: 'nothing', issued: [], warnings });
}

/** What an earlier try of the same import has done, as far as the events tell; null if this row's turn had not come. */
interface Before {
  readonly mark: RowMark | null;
  readonly issued: readonly IssuedPassport[];
}

async function didBefore(call: Call, row: NormalizedRow, group: Group, of: Candidate): Promise<Before | null> {
  const { importId } = call.source;
  // One that the row made is known by its id, whoever has changed it since.
  const isOwn = of.productId === contextOfRow(call, row).newId('prd');
  if (of.importId !== importId && !isOwn) return null;
  const { state, marks } = await loadMarkedProduct(call.deps.eventStore, bornId(of));
  const ofImport = marks.filter((mark) => mark.importId === importId);
  const mark = ofImport.find(({ row: done }) => done === row.rowNumber) ?? null;
  // Rows of a group come one after the other: where a later one has been, this one has been and left nothing behind.
  const later = new Set(group.rows.slice(group.rows.indexOf(row) + 1).map(({ rowNumber }) => rowNumber));
  if (mark === null && !ofImport.some(({ row: done }) => later.has(done))) return null;
  return { mark, issued: state.status === 'active' ? state.passports : [] };
}

function finishAgain(
  call: Call,
  row: NormalizedRow,
  { of, before, warnings }: { of: Candidate; before: Before; warnings: readonly RowWarning[] },
): Promise<RowOutcome> {
  const { mark, issued } = before;
  switch (mark?.did) {
    case undefined: {
      const outcome = call.mode === 'create' ? 'skipped' : 'unchanged';
      return finish(call, row, { of, outcome, publishes: 'nothing', issued, warnings });
    }
    case 'create': {
      of.bornInRow = row.rowNumber;
      const publishes = publishesAfter({ fields: mark.fields, passports: 0 }, {});
      // What was said about a new product, not about the one that is there by now.
      const first = decideRow(row, call.mode, createCandidates([])).warnings;
      return finish(call, row, { of, outcome: 'create', publishes, issued, warnings: first });
    }
    case 'update': {
      const publishes = publishesAfter({ fields: of.fields, passports: mark.passports }, mark.changes);
      return finish(call, row, { of, outcome: 'update', publishes, issued: issued.slice(0, mark.passports), warnings });
    }
    default:
      return assertNever(mark);
  }
}

/** Publishes what is due because of the row; every step may be repeated. */
async function finish(
  call: Call,
  row: NormalizedRow,
  done: {
    readonly of: Candidate;
    readonly outcome: 'create' | 'update' | 'unchanged' | 'skipped';
    readonly publishes: Publishes;
    readonly issued: readonly IssuedPassport[];
    readonly warnings: readonly RowWarning[];
  },
): Promise<RowOutcome> {
  const { of, outcome, publishes, issued } = done;
  const context = contextOfRow(call, row);
  const isFirst = publishes === 'first' || of.isUnfinished;
  let passports = isFirst ? 1 : 0;
  if (isFirst) {
    const { dppId } = await publishPreliminaryBatch(call.deps, context, bornId(of));
    Object.assign(of, { dppId: of.dppId ?? dppId, passports: Math.max(of.passports, 1), isUnfinished: false });
  }
  if (publishes === 'again') {
    // The workflow that follows every change does the rest of them.
    await republishPassports(call.deps, context, bornId(of), issued.slice(0, FOLLOW_UPS_AT_ONCE));
    passports = issued.length;
  }
  of.lastRow = row;
  return outcomeOf(row, { outcome, of, passports, warnings: [...row.warnings, ...done.warnings] });
}

export const brandNameOfCall = (call: Call): Promise<string> =>
  (call.brandName ??= brandNameOf(call.deps, organizationOf(call.context)));

/** Before the product is written, as nothing leads back to a row whose product is as it should be. */
async function recordSupplierOf(call: Call, row: NormalizedRow): Promise<void> {
  const { supplier } = row;
  if (supplier === null) return;
  const known = call.recorded.get(supplier.email);
  if (known !== undefined) return known;
  const recording = recordSupplier(call.deps, contextOfRow(call, row), supplier);
  call.recorded.set(supplier.email, recording);
  await recording;
}

const stateOf = ({ fields, passports }: ActiveProduct) => ({
  fields,
  passports: passports.length,
  dppId: passports.at(-1)?.dppId ?? null,
});

function bornId({ productId }: Candidate): string {
  if (productId === null) throw new Error('a row was matched with a product that has not been made');
  return productId;
}

/** Ids and events of the row are the same in every try; what it writes is waited for like everything the call writes. */
export function contextOfRow({ context, source }: Call, { rowNumber: row }: NormalizedRow): CommandContext {
  const { organizationId, actor, correlationId, causationId, now } = context;
  const { importId, fileHash } = source;
  return {
    ...commandContext({
      ...{ organizationId, actor, correlationId, causationId, now },
      seed: deterministicUuid(importId, `row/${row}`),
      importMark: { importId, fileHash, row },
    }),
    wrote: context.wrote,
  };
}
