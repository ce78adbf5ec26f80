import type { ImportableProduct } from '../../../projections/products/queries.js';
import { changesWhatIsShown } from '../publishing/index.js';
import { changesOfRow, keyTexts, type ProductFields, productOfRow, unnamedOrigins } from '../products/index.js';
import { toGtin14 } from '../../reference-data/gtin.js';
import { quoted } from './cells.js';
import type { EarlierRow, ImportMode, RowError, RowWarning } from './contract.js';
import { normalizeRow, type NormalizedRow } from './normalize.js';
import { implausibleWeight } from './weight-cell.js';

/** A product that rows are held against: one that is there, or one that an earlier row makes. */
export interface Candidate {
  /** Null while it is only planned. */
  productId: string | null;
  /** The row that makes it; null for a product that was there before. */
  madeByRow: number | null;
  fields: ProductFields;
  passports: number;
  dppId: string | null;
  importId: string | null;
  /** Its passport was begun, or is due, by an import that did not come to its end. */
  isUnfinished: boolean;
  /** The last row of this call that was matched with it. */
  lastRow: NormalizedRow | null;
}

/** Products by the keys that they have at this point of the call. */
export interface Candidates {
  all(): readonly Candidate[];
  at(key: string): Candidate | null;
  /** Takes a candidate in, under the keys that it has now. */
  put(candidate: Candidate): void;
  /** Takes a product in that has been read, unless it is there. */
  add(product: ImportableProduct): void;
  /** Forgets a candidate: it is read again if a row names it once more. */
  drop(candidate: Candidate): void;
}

export function createCandidates(products: readonly ImportableProduct[]): Candidates {
  const byKey = new Map<string, Candidate>();
  const keysOf = new Map<Candidate, readonly string[]>();
  const byId = new Map<string, Candidate>();
  const release = (candidate: Candidate): void => {
    for (const key of keysOf.get(candidate) ?? []) if (byKey.get(key) === candidate) byKey.delete(key);
  };
  const put = (candidate: Candidate): void => {
    release(candidate);
    const keys = keyTexts(candidate.fields).map(({ key }) => key);
    for (const key of keys) byKey.set(key, candidate);
    keysOf.set(candidate, keys);
  };
  const add = (product: ImportableProduct): void => {
    if (byId.has(product.productId)) return;
    const candidate = candidateOf(product);
    byId.set(product.productId, candidate);
    put(candidate);
  };
  const drop = (candidate: Candidate): void => {
    release(candidate);
    keysOf.delete(candidate);
    if (candidate.productId !== null) byId.delete(candidate.productId);
  };
  for (const product of products) add(product);
  return { all: () => [...keysOf.keys()], at: (key) => byKey.get(key) ?? null, put, add, drop };
}

export function idOf({ productId }: Candidate): string {
  if (productId === null) throw new Error('a row was matched with a product that has not been made');
  return productId;
}

/** Lets the candidates know of the rows of the file that led to them before; those in their order. */
export function recall(candidates: Candidates, earlier: readonly EarlierRow[]): void {
  const byId = new Map(candidates.all().map((candidate) => [candidate.productId, candidate]));
  for (const { productId, row, made, dppId } of earlier) {
    const candidate = byId.get(productId);
    if (candidate === undefined) continue;
    candidate.lastRow = normalizeRow(row);
    // That row has come to its end, whether the read model knows of it or not: its passport is no later row's.
    candidate.isUnfinished = false;
    candidate.dppId ??= dppId;
    if (made) candidate.madeByRow = row.rowNumber;
  }
}

const candidateOf = ({ isBeingPublished, ...product }: ImportableProduct): Candidate => ({
  ...product,
  madeByRow: null,
  isUnfinished:
    isBeingPublished || (product.importId !== null && product.passports === 0 && product.fields.materials.length > 0),
  lastRow: null,
});

export type Decision =
  | { readonly kind: 'error'; readonly errors: readonly RowError[] }
  /** A further variant of a product. */
  | { readonly kind: 'pass' }
  | { readonly kind: 'create'; readonly fields: ProductFields }
  /** `skipped` or `unchanged`: there is nothing to write, unless the product's passport is still to be finished. */
  | { readonly kind: 'leave'; readonly outcome: 'skipped' | 'unchanged'; readonly product: Candidate }
  | {
      readonly kind: 'update';
      readonly product: Candidate;
      readonly changes: Partial<ProductFields>;
      readonly publishes: Publishes;
    };

/** What a change means for the passports of the product. */
export type Publishes = 'first' | 'again' | 'nothing';

/** What becomes of a row as things stand, and the warnings that only the products around it give rise to. */
export function decideRow(
  row: NormalizedRow,
  mode: ImportMode,
  candidates: Candidates,
): { readonly decision: Decision; readonly warnings: readonly RowWarning[] } {
  const warnings: RowWarning[] = [];
  if (row.isVariant) return { decision: { kind: 'pass' }, warnings };
  if (row.errors.length > 0) return { decision: { kind: 'error', errors: row.errors }, warnings };
  const matches = keyTexts(row.fields).flatMap(({ field, key }) => {
    const candidate = candidates.at(key);
    return candidate === null ? [] : [{ field, candidate }];
  });
  const [first] = matches;
  if (first === undefined) {
    const fields = productOfRow(row.fields);
    const implausible = row.fields.weightKg === undefined ? null : implausibleWeight(fields);
    if (implausible !== null) return { decision: { kind: 'error', errors: [implausible] }, warnings };
    if (fields.weightEstimated) warnings.push(MISSING_WEIGHT);
    if (fields.materials.length === 0) warnings.push(NO_COMPOSITION);
    return { decision: { kind: 'create', fields }, warnings };
  }

  const other = matches.find(({ candidate }) => candidate !== first.candidate);
  if (other !== undefined) {
    const message =
      `${first.field} ${quoted(row.fields[first.field])} is of ${nameOf(first.candidate)}, ` +
      `${other.field} ${quoted(row.fields[other.field])} is of ${nameOf(other.candidate)}.`;
    return {
      decision: { kind: 'error', errors: [{ code: 'ambiguous_keys', field: other.field, message }] },
      warnings,
    };
  }

  const product = first.candidate;
  const changes = changesOfRow(product.fields, row.fields);
  // A weight that the row leaves alone counts only where the row makes another kind of product of it.
  const isOfOtherKind = mode === 'upsert' && (changes.categoryId ?? changes.subcategory) !== undefined;
  const changed = { ...product.fields, ...changes };
  const isWeighed = row.fields.weightKg !== undefined || (isOfOtherKind && !changed.weightEstimated);
  const implausible = isWeighed ? implausibleWeight(changed) : null;
  if (implausible !== null) return { decision: { kind: 'error', errors: [implausible] }, warnings };
  if (product.lastRow !== null && saysOtherwise(product.lastRow, row)) {
    warnings.push({
      ...{ code: 'repeated_key', field: first.field },
      message: `The ${first.field} ${quoted(row.fields[first.field])} stands in row ${product.lastRow.rowNumber} too, which says something else.`,
    });
  }
  if (mode === 'create') return { decision: { kind: 'leave', outcome: 'skipped', product }, warnings };
  warnings.push(...originWarnings(product.fields, row));
  if ((changes.materials ?? product.fields.materials).length === 0) warnings.push(NO_COMPOSITION);
  if (Object.keys(changes).length === 0)
    return { decision: { kind: 'leave', outcome: 'unchanged', product }, warnings };
  return { decision: { kind: 'update', product, changes, publishes: publishesAfter(product, changes) }, warnings };
}

export function publishesAfter(
  { fields, passports }: Pick<Candidate, 'fields' | 'passports'>,
  changes: Partial<ProductFields>,
): Publishes {
  if (passports > 0) return changesWhatIsShown(changes) ? 'again' : 'nothing';
  return (changes.materials ?? fields.materials).length > 0 ? 'first' : 'nothing';
}

const saysOtherwise = (a: NormalizedRow, b: NormalizedRow): boolean => textOfRow(a) !== textOfRow(b);

const textOfRow = ({ fields, supplier }: NormalizedRow): string =>
  JSON.stringify([{ ...fields, gtin: fields.gtin == null ? null : toGtin14(fields.gtin) }, supplier]);

/** What becomes of stored origins that the row does not name. */
function originWarnings(stored: ProductFields, { fields }: NormalizedRow): readonly RowWarning[] {
  const { kept, removed } = unnamedOrigins(stored, fields);
  const list = (materials: typeof kept) =>
    materials.map(({ materialType, originCountry }) => `${materialType} (${originCountry})`).join(', ');
  const warning = (code: 'origins_kept' | 'origins_removed', message: string): RowWarning => ({
    ...{ code, field: 'materials', message },
  });
  return [
    ...(kept.length === 0 ? [] : [warning('origins_kept', `Origins that the row leaves blank stay: ${list(kept)}.`)]),
    ...(removed.length === 0
      ? []
      : [warning('origins_removed', `The new composition names no origin for ${list(removed)}: the stored one goes.`)]),
  ];
}

// The same before and after the row has made it: what is validated reads like what is committed.
const nameOf = ({ productId, madeByRow }: Candidate): string =>
  madeByRow === null ? `product "${productId ?? ''}"` : `the product of row ${madeByRow}`;

const MISSING_WEIGHT: RowWarning = {
  ...{ code: 'missing_weight', field: 'weightKg', to: '0.25' },
  message: 'The weight is missing: 0.25 kg is assumed, and flagged as an estimate.',
};

const NO_COMPOSITION: RowWarning = {
  ...{ code: 'no_composition', field: 'materials' },
  message: 'There is no composition: the product gets no passport until it has one.',
};
