import { setTimeout as sleep } from 'node:timers/promises';
import { organizationOf, type CommandContext } from '../../core/context.js';
import { Refusal, type RefusalCode } from '../../core/errors.js';
import { holdFree, keyTexts } from '../products/index.js';
import {
  brandNameOfCall,
  contextOfRow,
  type Call,
  type CommitDependencies,
  type Group,
  type KeysHeld,
} from './commit-call.js';
import { commitRow } from './commit-row.js';
import type { EarlierRow, ImportMode, ImportRow, ImportSource, RowOutcome } from './contract.js';
import { createCandidates, recall } from './decide-row.js';
import { atMost, lookUp, type Found } from './lookup.js';
import { normalizeRows, type NormalizedRow } from './normalize.js';
import { relatedRows, type RelatedRows } from './related-rows.js';

/** Rows that have nothing to do with each other are written side by side. */
const ROWS_AT_ONCE = 25;

/**
 * Imports at most `COMMIT_ROWS` rows, in the order of the file; each has an outcome of its own, and none throws. What throws is a
 * part that is down, and `concurrent_change` when others keep changing the same products. The calls of one import come one after
 * the other. Called again with the same `importId` it answers what the first call would
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
  const normalized = await normalizeRows(rows);
  const found = await lookUp(deps, organizationOf(context), normalized);
  const ofEarlierRows =
    found.products.length === 0 ? [] : await earlier(found.products.map(({ productId }) => productId));
  const call: Call = { deps, context, source, mode, recorded: new Map(), brandName: null };
  // A refusal because of the brand, whose name passports show, comes before anything is written.
  if (normalized.some(({ fields }) => (fields.materials ?? []).length > 0)) await brandNameOfCall(call);
  const related = relatedRows(normalized, found);
  const keysHeld = await holdKeysOfNew(call, related, found);
  const { reserved } = found;
  const outcomes = await atMost(ROWS_AT_ONCE, related, async ({ rows: some, products }) => {
    const group: Group = { rows: some, candidates: createCandidates(products), reserved, keysHeld };
    recall(group.candidates, ofEarlierRows);
    return commitGroup(call, group);
  });
  const byRow = new Map(outcomes.flat().map((outcome) => [outcome.row, outcome]));
  return normalized.flatMap(({ rowNumber }) => byRow.get(rowNumber) ?? []);
}

/** Where nobody has a key of a group, its first row makes a product: the keys of all these in one statement. */
async function holdKeysOfNew(call: Call, groups: readonly RelatedRows[], { reserved }: Found): Promise<KeysHeld> {
  const firsts = groups.flatMap(({ rows: [row], products }) => {
    const isNew = products.length === 0 && row !== undefined && row.errors.length === 0 && !row.isVariant;
    return isNew && !keyTexts(row.fields).some(({ key }) => reserved.has(key)) ? [row] : [];
  });
  return holdFree(
    call.deps,
    organizationOf(call.context),
    firsts.map((row) => ({ productId: contextOfRow(call, row).newId('prd'), fields: row.fields })),
  );
}

/** Rows that share keys or products, one after the other. */
async function commitGroup(call: Call, group: Group): Promise<readonly RowOutcome[]> {
  const outcomes: RowOutcome[] = [];
  for (const row of group.rows) outcomes.push(await commitWithRetries(call, row, group));
  return outcomes;
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

async function commitWithRetries(call: Call, row: NormalizedRow, group: Group): Promise<RowOutcome> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) {
      await sleep(PAUSE_MS);
      await lookAgain(call, group);
    }
    try {
      const outcome = await commitRow(call, row, group, { mayAdopt: attempt >= TRIES_UNTIL_ADOPTED });
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
  const earlier = new Map(group.candidates.all().map((candidate) => [candidate.productId, candidate]));
  group.reserved = found.reserved;
  // Whatever was refused has let go of them.
  group.keysHeld = new Map();
  group.candidates = createCandidates(found.products);
  for (const candidate of group.candidates.all()) {
    const { madeByRow, lastRow } = earlier.get(candidate.productId) ?? candidate;
    group.candidates.put(Object.assign(candidate, { madeByRow, lastRow }));
  }
}
