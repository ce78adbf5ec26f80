import { setTimeout as sleep } from 'node:timers/promises';
import { assertNever } from '../../core/assert-never.js';
import { commandContext, organizationOf, type CommandContext } from '../../core/context.js';
import { Refusal, type RefusalCode } from '../../core/errors.js';
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
import { holdFree, keyTexts, type HeldKeys } from '../products/keys.js';
import { recordSupplier } from '../suppliers/handlers.js';
import type { EarlierRow, ImportMode, ImportRow, ImportSource, RowOutcome, RowWarning } from './contract.js';
import {
  createCandidates,
  decideRow,
  publishesAfter,
  recall,
  type Candidate,
  type Candidates,
  type Publishes,
} from './decide-row.js';
import { atMost, lookUp, type Found } from './lookup.js';
import { normalizeRow, type NormalizedRow } from './normalize.js';
import { outcomeOf } from './plan.js';
import { relatedRows, type RelatedRows } from './related-rows.js';

export type CommitDependencies = PassportDependencies;

interface Call {
  readonly deps: CommitDependencies;
  readonly context: CommandContext;
  readonly source: ImportSource;
  readonly mode: ImportMode;
  /** Addresses whose supplier this call has recorded. */
  readonly recorded: Map<string, Promise<void>>;
  /** What its passports show as the brand, once one is to be published. */
  brandName: Promise<string> | null;
}

/** Rows that have nothing to do with each other are written side by side. */
const ROWS_AT_ONCE = 25;

/**
 * Imports the rows; each has an outcome of its own. Called again with the same `importId` it answers what the first call would
 * have answered had nothing come in between, and finishes what that one began: the ids of what a row makes follow from
 * import and row, and the events say which row led to them.
 */
export async function commitRows(
  deps: CommitDependencies,
  context: CommandContext,
  {
    source,
    mode,
    rows,
    earlier = async () => [],
  }: {
    readonly source: ImportSource;
    readonly mode: ImportMode;
    readonly rows: readonly ImportRow[];
    /** Which rows of the same file, imported by earlier calls, led to these products; in their order. */
    readonly earlier?: (productIds: readonly string[]) => Promise<readonly EarlierRow[]>;
  },
): Promise<readonly RowOutcome[]> {
  const normalized = rows.map(normalizeRow);
  const found = await lookUp(deps, organizationOf(context), normalized);
  const before = found.products.length === 0 ? [] : await earlier(found.products.map(({ productId }) => productId));
  const call: Call = { deps, context, source, mode, recorded: new Map(), brandName: null };
  // A refusal because of the brand, whose name passports show, comes before anything is written.
  if (normalized.some(({ fields }) => (fields.materials ?? []).length > 0)) await brandNameOfCall(call);
  const groups = relatedRows(normalized, found);
  const held = await holdKeysOfNew(call, groups, found);
  const { unborn } = found;
  const outcomes = await atMost(ROWS_AT_ONCE, groups, (group) => commitGroup(call, group, { unborn, before, held }));
  const byRow = new Map(outcomes.flat().map((outcome) => [outcome.row, outcome]));
  return normalized.flatMap(({ rowNumber }) => byRow.get(rowNumber) ?? []);
}

const brandNameOfCall = (call: Call): Promise<string> =>
  (call.brandName ??= brandNameOf(call.deps, organizationOf(call.context)));

/** Where nobody has a key of a group, its first row makes a product: the keys of all these in one statement. */
async function holdKeysOfNew(call: Call, groups: readonly RelatedRows[], { unborn }: Found): Promise<Held> {
  const firsts = groups.flatMap(({ rows: [row], products }) => {
    const isNew = products.length === 0 && row !== undefined && row.errors.length === 0;
    return isNew && !keyTexts(row.fields).some(({ key }) => unborn.has(key)) ? [row] : [];
  });
  return holdFree(
    call.deps,
    organizationOf(call.context),
    firsts.map((row) => ({ productId: contextOfRow(call, row).newId('prd'), fields: row.fields })),
  );
}

/** By product. */
type Held = ReadonlyMap<string, HeldKeys>;

/** Rows that share keys or products, one after the other. */
async function commitGroup(
  call: Call,
  { rows, products }: RelatedRows,
  {
    unborn,
    before,
    held,
  }: { readonly unborn: Found['unborn']; readonly before: readonly EarlierRow[]; readonly held: Held },
): Promise<readonly RowOutcome[]> {
  const group: Group = { rows, candidates: createCandidates(products), unborn, held };
  recall(group.candidates, before);
  const outcomes: RowOutcome[] = [];
  for (const row of rows) outcomes.push(await commitRow(call, row, group));
  return outcomes;
}

interface Group {
  readonly rows: readonly NormalizedRow[];
  candidates: Candidates;
  unborn: Found['unborn'];
  /** Keys that are reserved for products that the rows are about to make. */
  held: Held;
}

const TRIES = 12;
const PAUSE_MS = 100;
/** Whoever reserved a key has either made its product by then or died. */
const TRIES_UNTIL_ADOPTED = 10;

/** What another writer who came first is told by: the row is held against what is there now. */
const OVERTAKEN: ReadonlySet<RefusalCode> = new Set([
  'sku_taken',
  'gtin_taken',
  'external_id_taken',
  'not_found',
  'product_deleted',
  'no_composition',
]);

async function commitRow(call: Call, row: NormalizedRow, group: Group): Promise<RowOutcome> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) {
      await sleep(PAUSE_MS);
      await lookAgain(call, group);
    }
    try {
      const outcome = await tryRow(call, row, group, attempt);
      if (outcome !== null) return outcome;
    } catch (error) {
      if (!(error instanceof Refusal) || !OVERTAKEN.has(error.code)) throw error;
    }
  }
  throw new Refusal(
    'concurrent_change',
    `Row ${row.rowNumber}: others are changing the same product at this moment; send the call again.`,
  );
}

/** Reads the group's products anew, from their streams: the read model may be behind what this very call has written. */
async function lookAgain({ deps, context }: Call, group: Group): Promise<void> {
  const found = await lookUp(deps, organizationOf(context), group.rows, { fromStreams: true });
  const before = new Map(group.candidates.all().map((candidate) => [candidate.productId, candidate]));
  group.unborn = found.unborn;
  // Whatever was refused has let go of them.
  group.held = new Map();
  group.candidates = createCandidates(found.products);
  for (const candidate of group.candidates.all()) {
    const known = before.get(candidate.productId);
    if (known === undefined) continue;
    group.candidates.put(Object.assign(candidate, { bornInRow: known.bornInRow, lastRow: known.lastRow }));
  }
}

/** Null: somebody else came first, so the row is to be decided anew. */
async function tryRow(call: Call, row: NormalizedRow, group: Group, attempt: number): Promise<RowOutcome | null> {
  const { decision, warnings } = decideRow(row, call.mode, group.candidates);
  switch (decision.kind) {
    case 'error':
      return outcomeOf(row, { outcome: 'error', errors: decision.errors, warnings: row.warnings });
    case 'create':
      return createRow(call, row, group, {
        fields: decision.fields,
        warnings,
        mayAdopt: attempt >= TRIES_UNTIL_ADOPTED,
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
function contextOfRow({ context, source }: Call, { rowNumber: row }: NormalizedRow): CommandContext {
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
