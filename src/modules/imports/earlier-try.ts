import { assertNever } from '../../core/assert-never.js';
import { type IssuedPassport, loadMarkedProduct } from '../products/index.js';
import { contextOfRow, type Call, type Group } from './commit-call.js';
import type { RowWarning } from './contract.js';
import { createCandidates, decideRow, idOf, publishesAfter, type Candidate, type Publishes } from './decide-row.js';
import type { NormalizedRow } from './normalize.js';

/** What a row has written, in this try or in an earlier one. What is left is to publish what that calls for, and to tell. */
export interface Written {
  readonly product: Candidate;
  readonly outcome: 'create' | 'update' | 'unchanged' | 'skipped';
  /** `announced`: the product was made with its passport announced, which nobody else can have published yet. */
  readonly publishes: Publishes | 'announced';
  /** The product's passports that the row's change concerns. */
  readonly issued: readonly IssuedPassport[];
  /** Those that the products around the row gave rise to. */
  readonly warnings: readonly RowWarning[];
}

/**
 * What an earlier try of this row has written, as the product's events tell: each names the import and the row that led to it.
 * Null if the row's turn had not come.
 */
export async function writtenEarlier(
  call: Call,
  row: NormalizedRow,
  group: Group,
  { product, warnings }: { readonly product: Candidate; readonly warnings: readonly RowWarning[] },
): Promise<Written | null> {
  const { importId } = call.source;
  // A product that the row made is known by its id, whoever has changed it since.
  const isOwn = product.productId === contextOfRow(call, row).newId('prd');
  if (product.importId !== importId && !isOwn) return null;
  const { state, marks } = await loadMarkedProduct(call.deps.eventStore, idOf(product));
  const issued = state.status === 'active' ? state.passports : [];
  const ofImport = marks.filter((mark) => mark.importId === importId);
  const mark = ofImport.find((other) => other.row === row.rowNumber);
  switch (mark?.did) {
    case undefined: {
      // Rows of a group come one after the other: where a later one has been, this one has been and had nothing to write.
      const later = new Set(group.rows.slice(group.rows.indexOf(row) + 1).map(({ rowNumber }) => rowNumber));
      if (!ofImport.some((other) => later.has(other.row))) return null;
      const outcome = call.mode === 'create' ? 'skipped' : 'unchanged';
      return { product, outcome, publishes: 'nothing', issued, warnings };
    }
    case 'create': {
      product.madeByRow = row.rowNumber;
      const publishes = publishesAfter({ fields: mark.fields, passports: 0 }, {});
      // What was said about a new product, not about the one that is there by now.
      const first = decideRow(row, call.mode, createCandidates([])).warnings;
      return { product, outcome: 'create', publishes, issued, warnings: first };
    }
    case 'update': {
      const publishes = publishesAfter({ fields: product.fields, passports: mark.passports }, mark.changes);
      return { product, outcome: 'update', publishes, issued: issued.slice(0, mark.passports), warnings };
    }
    default:
      return assertNever(mark);
  }
}
