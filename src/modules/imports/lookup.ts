import { importableProducts, type ImportableProduct } from '../../../projections/products/queries.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { isPreliminaryUnderWay } from '../publishing/index.js';
import { loadMarkedProduct, ownersOfKeys } from '../products/index.js';
import type { NormalizedRow } from './normalize.js';

export interface LookupDependencies {
  readonly database: Queryable;
  readonly eventStore: EventStore;
}

/** What the keys of some rows lead to. */
export interface Found {
  readonly products: readonly ImportableProduct[];
  /** Keys reserved for products that are not there yet, with the ids that those have or would have had. */
  readonly reserved: ReadonlyMap<string, string>;
}

const KEYS_AT_ONCE = 5_000;
const STREAMS_AT_ONCE = 16;

/**
 * The products that have a key of the rows: who has reserved the keys, and the read model's rows of those, in one query each
 * (for every few thousand rows). Products that the read model does not have yet are read from their streams, and all of
 * them if `fromStreams`.
 */
export async function lookUp(
  deps: LookupDependencies,
  organizationId: string,
  rows: readonly Pick<NormalizedRow, 'fields'>[],
  { fromStreams = false }: { readonly fromStreams?: boolean } = {},
): Promise<Found> {
  const owners = new Map<string, string>();
  const listed: ImportableProduct[] = [];
  for (let start = 0; start < rows.length; start += KEYS_AT_ONCE) {
    const some = rows.slice(start, start + KEYS_AT_ONCE).map(({ fields }) => fields);
    const ownersOfSome = await ownersOfKeys(deps, organizationId, some);
    for (const [key, ownerId] of ownersOfSome) owners.set(key, ownerId);
    if (!fromStreams) {
      listed.push(
        ...(await importableProducts(deps.database, deps.eventStore.texts, organizationId, [
          ...new Set(ownersOfSome.values()),
        ])),
      );
    }
  }
  const read = new Set(listed.map(({ productId }) => productId));
  const unlisted = [...new Set(owners.values())].filter((productId) => !read.has(productId));
  const loaded = await atMost(STREAMS_AT_ONCE, unlisted, (productId) => fromStream(deps, organizationId, productId));
  const products = [...listed, ...loaded.filter((product) => typeof product !== 'string')];

  const toCome = new Set(unlisted.filter((_, index) => loaded[index] === 'to_come'));
  return { products, reserved: new Map([...owners].filter(([, ownerId]) => toCome.has(ownerId))) };
}

/** `gone`: deleted, so its id makes no product any more, and keys that are still reserved for it were left behind. */
async function fromStream(
  { eventStore }: LookupDependencies,
  organizationId: string,
  productId: string,
): Promise<ImportableProduct | 'to_come' | 'gone'> {
  const { state, importId } = await loadMarkedProduct(eventStore, productId);
  if (state.status === 'none') return 'to_come';
  if (state.status === 'deleted' || state.organizationId !== organizationId) return 'gone';
  const { fields, passports } = state;
  return {
    ...{ productId, fields, importId, passports: passports.length, dppId: passports.at(-1)?.dppId ?? null },
    isBeingPublished: importId !== null && (await isPreliminaryUnderWay({ eventStore }, state)),
  };
}

/** Runs `work` for all, so many side by side. */
export async function atMost<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as Item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
