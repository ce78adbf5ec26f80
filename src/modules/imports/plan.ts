import { assertNever } from '../../core/assert-never.js';
import { IMPORT_COUNTERS, type ImportCounts } from '../../core/vocabulary.js';
import type { ImportMode, ImportRow, RowError, RowOutcome, RowWarning } from './contract.js';
import { createCandidates, decideRow, type Candidate, type Candidates, type Decision } from './decide-row.js';
import { keyTexts } from '../products/index.js';
import type { KeySightings } from './key-sightings.js';
import { lookUp, type LookupDependencies } from './lookup.js';
import { normalizeRows, type NormalizedRow } from './normalize.js';

/**
 * What each row would do, in the order given; a row sees what the rows before it would have done. Writes nothing. Any number
 * of rows takes a handful of queries.
 */
export async function planRows(
  deps: LookupDependencies,
  organizationId: string,
  rows: readonly ImportRow[],
  mode: ImportMode,
): Promise<readonly RowOutcome[]> {
  return createPlanner(deps, organizationId, mode, null).plan(rows);
}

/** The same for a file that comes in parts: each sees what the parts before it would have done. */
export interface Planner {
  plan(rows: readonly ImportRow[]): Promise<readonly RowOutcome[]>;
}

/**
 * `sightings` are of the keys of the whole file: what no row to come can name is forgotten, so that the memory is that of one
 * part and of the keys that stand in several rows. Null: everything is remembered.
 */
export function createPlanner(
  deps: LookupDependencies,
  organizationId: string,
  mode: ImportMode,
  sightings: KeySightings | null,
): Planner {
  const candidates = createCandidates([]);
  return {
    async plan(rows) {
      const normalized = await normalizeRows(rows);
      const { products } = await lookUp(deps, organizationId, normalized);
      const before = sightings === null ? null : new Set(candidates.all());
      for (const product of products) candidates.add(product);
      const outcomes = normalized.map((row) => planRow(row, mode, candidates));
      if (sightings !== null) {
        const present = new Set(normalized.flatMap(({ fields }) => keyTexts(fields).map(({ key }) => key)));
        const had = new Map(products.map(({ productId, fields }) => [productId, fields]));
        const mayReturn = (candidate: Candidate): boolean =>
          [candidate.fields, had.get(candidate.productId ?? '')].some(
            (fields) =>
              fields !== undefined &&
              keyTexts(fields).some(({ key }) =>
                present.has(key) ? sightings.isRepeated(key) : sightings.isSeen(key),
              ),
          );
        for (const candidate of candidates.all()) {
          if (before?.has(candidate) !== true && !mayReturn(candidate)) candidates.drop(candidate);
        }
      }
      return outcomes;
    },
  };
}

/** Counts the keys of rows, for `createPlanner`. */
export async function seeKeys(sightings: KeySightings, rows: readonly ImportRow[]): Promise<void> {
  for (const { fields } of await normalizeRows(rows)) for (const { key } of keyTexts(fields)) sightings.see(key);
}

function planRow(row: NormalizedRow, mode: ImportMode, candidates: Candidates): RowOutcome {
  const { decision, warnings } = decideRow(row, mode, candidates);
  const said = [...row.warnings, ...warnings];
  switch (decision.kind) {
    case 'error':
      return outcomeOf(row, { outcome: 'error', errors: decision.errors, warnings: row.warnings });
    case 'pass':
      return outcomeOf(row, { outcome: 'skipped', warnings: row.warnings });
    case 'create': {
      const passports = decision.fields.materials.length > 0 ? 1 : 0;
      candidates.put({
        ...{ productId: null, madeByRow: row.rowNumber, fields: decision.fields, passports, dppId: null },
        ...{ importId: null, isUnfinished: false, lastRow: row },
      });
      return outcomeOf(row, { outcome: 'create', passports, warnings: said });
    }
    case 'leave':
    case 'update': {
      const { product } = decision;
      const passports = passportsOf(decision);
      const outcome = decision.kind === 'leave' ? decision.outcome : 'update';
      if (decision.kind === 'update') {
        product.fields = { ...product.fields, ...decision.changes };
        if (decision.publishes === 'first') product.passports = 1;
        candidates.put(product);
      }
      product.isUnfinished = false;
      product.lastRow = row;
      return outcomeOf(row, { outcome, product, passports, warnings: said });
    }
    default:
      return assertNever(decision);
  }
}

function passportsOf(decision: Extract<Decision, { product: Candidate }>): number {
  const { product } = decision;
  const finished = product.isUnfinished ? 1 : 0;
  if (decision.kind === 'leave') return finished;
  switch (decision.publishes) {
    case 'first':
      return 1;
    case 'again':
      return product.passports;
    case 'nothing':
      return finished;
    default:
      return assertNever(decision.publishes);
  }
}

/** The outcome of a row as the person reads it: every message begins with the row's number. */
export function outcomeOf(
  { rowNumber }: Pick<NormalizedRow, 'rowNumber'>,
  is: {
    readonly outcome: RowOutcome['outcome'];
    readonly product?: Pick<Candidate, 'productId' | 'dppId'>;
    readonly passports?: number;
    readonly errors?: readonly RowError[];
    readonly warnings: readonly RowWarning[];
  },
): RowOutcome {
  const { outcome, product, passports = 0, errors = [], warnings } = is;
  const named = <Said extends { readonly message: string }>(said: Said): Said => ({
    ...said,
    message: `Row ${rowNumber}: ${said.message}`,
  });
  return {
    ...{ row: rowNumber, outcome, passports, errors: errors.map(named), warnings: warnings.map(named) },
    ...(product?.productId != null && { productId: product.productId }),
    ...(product?.dppId != null && { dppId: product.dppId }),
  };
}

/** What is wrong with a row as one text, which says once which row it is. */
export const joinedMessages = (errors: readonly RowError[], separator: string): string =>
  errors.map(({ message }, index) => (index === 0 ? message : message.replace(/^Row \d+: /, ''))).join(separator);

export function summaryOf(outcomes: readonly RowOutcome[]): ImportCounts {
  const summary = { ...NO_COUNTS };
  for (const { outcome, passports } of outcomes) {
    summary[outcome === 'error' ? 'errors' : outcome] += 1;
    summary.passports += passports;
  }
  return summary;
}

export const summaryOfBoth = (a: ImportCounts, b: ImportCounts): ImportCounts =>
  countsBy((counter) => a[counter] + b[counter]);

const countsBy = (countOf: (counter: keyof ImportCounts) => number): ImportCounts =>
  Object.fromEntries(IMPORT_COUNTERS.map((counter) => [counter, countOf(counter)])) as ImportCounts;

export const NO_COUNTS = countsBy(() => 0);
