import { assertNever } from '../../core/assert-never.js';
import {
  type ActiveProduct,
  createProductOfRow,
  holdKeysAgain,
  keyTexts,
  type ProductFields,
  updateProductOfRow,
} from '../products/index.js';
import {
  preliminaryPassportOf,
  publishNewProduct,
  publishPreliminaryBatch,
  republishFirstPassports,
} from '../publishing/index.js';
import { recordSupplier } from '../suppliers/index.js';
import { brandNameOfCall, contextOfRow, type Call, type Group } from './commit-call.js';
import type { RowOutcome, RowWarning } from './contract.js';
import { decideRow, idOf, publishesAfter, type Candidate, type Decision } from './decide-row.js';
import { writtenEarlier, type Written } from './earlier-try.js';
import type { NormalizedRow } from './normalize.js';
import { outcomeOf } from './plan.js';

/** Until its maker has had its time, a product that somebody else has reserved the keys for is left to them. */
export interface Patience {
  readonly mayAdopt: boolean;
}

/**
 * One row: decide what becomes of it, write that unless an earlier try has, publish what is due, tell. It may be killed anywhere
 * and done again. Null: somebody else came first, so the row is to be decided anew.
 */
export async function commitRow(
  call: Call,
  row: NormalizedRow,
  group: Group,
  patience: Patience,
): Promise<RowOutcome | null> {
  const { decision, warnings } = decideRow(row, call.mode, group.candidates);
  switch (decision.kind) {
    case 'error':
      return outcomeOf(row, { outcome: 'error', errors: decision.errors, warnings: row.warnings });
    case 'pass':
      return outcomeOf(row, { outcome: 'skipped', warnings: row.warnings });
    case 'create': {
      const { fields } = decision;
      const written = await create(call, row, group, { fields, warnings, ...patience });
      return written === null ? null : publishAndTell(call, row, written);
    }
    case 'leave':
    case 'update': {
      const { product } = decision;
      const earlier = await writtenEarlier(call, row, group, { product, warnings });
      return publishAndTell(call, row, earlier ?? (await write(call, row, group, { decision, warnings })));
    }
    default:
      return assertNever(decision);
  }
}

async function create(
  call: Call,
  row: NormalizedRow,
  group: Group,
  { fields, warnings, mayAdopt }: { fields: ProductFields; warnings: readonly RowWarning[] } & Patience,
): Promise<Written | null> {
  const { deps, source } = call;
  const context = contextOfRow(call, row);
  const own = context.newId('prd');
  // The product that a dead process was about to make is made under the id that its keys are reserved for.
  const productId = keyTexts(fields).flatMap(({ key }) => group.reserved.get(key) ?? [])[0] ?? own;
  const isAdopted = productId !== own;
  if (isAdopted && !mayAdopt) return null;
  await recordSupplierOf(call, row);
  const isPublished = publishesAfter({ fields, passports: 0 }, {}) === 'first';
  const passport = isPublished ? preliminaryPassportOf(productId) : null;
  const held = group.keysHeld.get(productId) ?? [];
  const { state, isNew } = await createProductOfRow(deps, context, { productId, fields, passport, held });
  if (isAdopted && state.status === 'active') await holdKeysAgain(deps, context, { productId, fields });
  const product: Candidate = {
    productId,
    madeByRow: row.rowNumber,
    fields,
    passports: 0,
    dppId: null,
    importId: source.importId,
    isUnfinished: false,
    lastRow: null,
  };
  if (isNew) {
    group.candidates.put(product);
    return { product, outcome: 'create', publishes: isPublished ? 'announced' : 'nothing', issued: [], warnings };
  }
  if (state.status === 'active') Object.assign(product, stateOf(state));
  const earlier = await writtenEarlier(call, row, group, { product, warnings });
  if (earlier === null) return null;
  // Deleted since: its keys are free, so that only its id has led here.
  if (state.status !== 'active') return { product, outcome: 'create', publishes: 'nothing', issued: [], warnings };
  group.candidates.put(product);
  return earlier;
}

/** What a row does to the product that it was matched with. */
async function write(
  call: Call,
  row: NormalizedRow,
  group: Group,
  done: {
    readonly decision: Extract<Decision, { kind: 'leave' | 'update' }>;
    readonly warnings: readonly RowWarning[];
  },
): Promise<Written> {
  const { decision, warnings } = done;
  const { product } = decision;
  if (decision.kind === 'leave') {
    return { product, outcome: decision.outcome, publishes: 'nothing', issued: [], warnings };
  }
  await recordSupplierOf(call, row);
  const { product: updated, changes } = await updateProductOfRow(call.deps, contextOfRow(call, row), {
    productId: idOf(product),
    said: row.fields,
  });
  Object.assign(product, stateOf(updated));
  group.candidates.put(product);
  if (Object.keys(changes).length > 0) {
    const publishes = publishesAfter(product, changes);
    return { product, outcome: 'update', publishes, issued: updated.passports, warnings };
  }
  // The read model was behind: an earlier try has made these changes, or somebody else the very same ones.
  product.importId = call.source.importId;
  const earlier = await writtenEarlier(call, row, group, { product, warnings });
  return earlier ?? { product, outcome: 'unchanged', publishes: 'nothing', issued: [], warnings };
}

/** Publishes what is due because of the row; every step may be repeated. */
async function publishAndTell(call: Call, row: NormalizedRow, written: Written): Promise<RowOutcome> {
  const { product, outcome, publishes, issued } = written;
  const context = contextOfRow(call, row);
  const productId = idOf(product);
  let passports = 0;
  if (publishes === 'announced') {
    const { fields } = product;
    const { dppId } = await publishNewProduct(call.deps, context, {
      productId,
      fields,
      brandName: await brandNameOfCall(call),
    });
    Object.assign(product, { dppId, passports: 1 });
    passports = 1;
  } else if (publishes === 'first' || product.isUnfinished) {
    const { dppId } = await publishPreliminaryBatch(call.deps, context, productId);
    Object.assign(product, {
      dppId: product.dppId ?? dppId,
      passports: Math.max(product.passports, 1),
      isUnfinished: false,
    });
    passports = 1;
  }
  if (publishes === 'again') {
    // The workflow that follows every change does the rest of them.
    await republishFirstPassports(call.deps, context, productId, issued);
    passports = issued.length;
  }
  product.lastRow = row;
  return outcomeOf(row, { outcome, product, passports, warnings: [...row.warnings, ...written.warnings] });
}

/** Before the product is written, as nothing leads back to a row whose product is as it should be. */
async function recordSupplierOf(call: Call, row: NormalizedRow): Promise<void> {
  const { supplier } = row;
  if (supplier === null) return;
  const recording = call.recorded.get(supplier.email) ?? recordSupplier(call.deps, contextOfRow(call, row), supplier);
  call.recorded.set(supplier.email, recording);
  await recording;
}

const stateOf = ({ fields, passports }: ActiveProduct) => ({
  fields,
  passports: passports.length,
  dppId: passports.at(-1)?.dppId ?? null,
});
