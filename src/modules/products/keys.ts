import { Refusal, type RefusalCode } from '../../core/errors.js';
import { load } from '../../infrastructure/command-handler.js';
import { EventStoreUnavailable, type EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import {
  releaseAll,
  releaseOwner,
  reservationOwners,
  reserveAll,
  reserveFree,
  type ReservationKey,
} from '../../infrastructure/reservations.js';
import { toGtin14 } from '../../reference-data/gtin.js';
import { productDecider, type ProductState } from './decider.js';
import { productStream, type ProductFields } from './events.js';

/** The fields that no two products of an organization have in common. */
export type KeyField = 'sku' | 'gtin' | 'externalId';
type Keyed = Pick<ProductFields, KeyField>;
type Dependencies = { readonly eventStore: EventStore; readonly database: Queryable };

const KEYS: Readonly<Record<KeyField, { kind: string; code: RefusalCode; label: string }>> = {
  sku: { kind: 'product_sku', code: 'sku_taken', label: 'SKU' },
  gtin: { kind: 'product_gtin', code: 'gtin_taken', label: 'GTIN' },
  externalId: { kind: 'product_external_id', code: 'external_id_taken', label: 'external id' },
};
const KEY_FIELDS = Object.keys(KEYS) as KeyField[];

const keyOf = (field: KeyField, value: string): ReservationKey => ({
  kind: KEYS[field].kind,
  value: field === 'gtin' ? toGtin14(value) : value,
});

const keysOf = (fields: Partial<Keyed> | null): readonly ReservationKey[] =>
  KEY_FIELDS.flatMap((field) => (fields?.[field] == null ? [] : [keyOf(field, fields[field])]));

const has = (keys: readonly ReservationKey[], { kind, value }: ReservationKey): boolean =>
  keys.some((key) => key.kind === kind && key.value === value);

/**
 * Runs `work`, which claims the product's keys before it appends: `claim(before, after)` refuses a key of another product.
 * Afterwards the product holds what it then has: keys given up are free again, and all that were claimed are when
 * nothing was appended. `held` are keys that the caller has just reserved for the product.
 */
export async function holdingKeys<Done extends { readonly state: ProductState }>(
  deps: Dependencies,
  { organizationId, productId, held = [] }: KeyHolder,
  work: (claim: (before: Keyed | null, after: Keyed | null) => Promise<void>) => Promise<Done>,
): Promise<Done> {
  const owner = { organizationId, ownerId: productId };
  const claimed: ReservationKey[] = [...held];
  const givenUp: ReservationKey[] = [];

  const claim = async (before: Keyed | null, after: Keyed | null) => {
    const old = keysOf(before);
    const wanted = keysOf(after);
    const { reserved, taken } = await reserveAll(deps.database, {
      ...owner,
      keys: wanted.filter((key) => !has(old, key) && !has(held, key)),
      holds: (holderId, key) => holdsKey(deps, holderId, key),
    });
    claimed.push(...reserved);
    givenUp.push(...old.filter((key) => !has(wanted, key)));
    if (after !== null && taken.length > 0) throw takenRefusal(after, taken);
  };

  try {
    const done = await work(claim);
    const kept = keysOf(done.state.status === 'active' ? done.state.fields : null);
    const freed = [...claimed, ...givenUp].filter((key) => !has(kept, key));
    await releaseAll(deps.database, { ...owner, keys: freed });
    return done;
  } catch (error) {
    // Any other error leaves open whether the event is there: then the keys stay, and `holdsKey` tells later.
    if (error instanceof Refusal && claimed.length > 0) {
      // Meanwhile another call may have given the product the same key.
      const { state } = await load(deps.eventStore, productDecider, productStream(productId));
      const kept = keysOf(state.status === 'active' ? state.fields : null);
      await releaseAll(deps.database, { ...owner, keys: claimed.filter((key) => !has(kept, key)) });
    }
    if (error instanceof EventStoreUnavailable) await releaseAll(deps.database, { ...owner, keys: claimed });
    throw error;
  }
}

/** Frees the keys of a deleted product, those too that a call which came to no end has left in its name. */
export const releaseKeysOf = (
  { database }: Pick<Dependencies, 'database'>,
  { organizationId, productId }: Pick<KeyHolder, 'organizationId' | 'productId'>,
): Promise<void> => releaseOwner(database, { organizationId, ownerId: productId });

export type HeldKeys = readonly ReservationKey[];

interface KeyHolder {
  readonly organizationId: string;
  readonly productId: string;
  readonly held?: HeldKeys;
}

/** Reserves the keys of products that are about to be made, as far as they are free, in one statement for all of them. */
export const holdFree = (
  { database }: Pick<Dependencies, 'database'>,
  organizationId: string,
  products: readonly { readonly productId: string; readonly fields: Partial<Keyed> }[],
): Promise<ReadonlyMap<string, HeldKeys>> =>
  reserveFree(
    database,
    organizationId,
    products.map(({ productId, fields }) => ({ ownerId: productId, keys: keysOf(fields) })),
  );

/** Reserves the keys of a product again, in case somebody has released them in its name. */
export async function holdAgain(
  deps: Dependencies,
  product: { readonly organizationId: string; readonly productId: string; readonly fields: Keyed },
): Promise<void> {
  const { organizationId, productId, fields } = product;
  await reserveAll(deps.database, {
    ...{ organizationId, ownerId: productId, keys: keysOf(fields) },
    holds: (holderId, key) => holdsKey(deps, holderId, key),
  });
}

/** Reserves again what the product has by its stream, and a Postgres that is older than that does not know. */
export async function restoreKeys(
  deps: Dependencies,
  { organizationId, productId }: Pick<KeyHolder, 'organizationId' | 'productId'>,
): Promise<void> {
  const { state } = await load(deps.eventStore, productDecider, productStream(productId));
  if (state.status === 'active') await holdAgain(deps, { organizationId, productId, fields: state.fields });
}

/** Who has reserved keys of these fields, all rows in one query; keys that nobody has are missing from the answer. */
export async function ownersOfKeys(
  { database }: Pick<Dependencies, 'database'>,
  organizationId: string,
  rows: readonly Partial<Keyed>[],
): Promise<ReadonlyMap<string, string>> {
  const keys = rows.flatMap(keysOf);
  const owners = await reservationOwners(database, organizationId, keys);
  return new Map(owners.map(({ kind, value, ownerId }) => [keyText({ kind, value }), ownerId]));
}

/** The keys of a product in the order in which rows are matched by them, as texts that can be compared. */
export function keyTexts(fields: Partial<Keyed>): readonly { readonly field: KeyField; readonly key: string }[] {
  const texts: { field: KeyField; key: string }[] = [];
  for (const field of MATCHING_ORDER) {
    const value = fields[field];
    if (value != null) texts.push({ field, key: keyText(keyOf(field, value)) });
  }
  return texts;
}

const MATCHING_ORDER = ['externalId', 'gtin', 'sku'] as const satisfies readonly KeyField[];

const keyText = ({ kind, value }: ReservationKey): string => `${kind}\n${value}`;

async function holdsKey({ eventStore }: Dependencies, productId: string, key: ReservationKey): Promise<boolean> {
  const { state } = await load(eventStore, productDecider, productStream(productId));
  return state.status === 'active' && has(keysOf(state.fields), key);
}

function takenRefusal(fields: Keyed, taken: readonly ReservationKey[]): Refusal {
  const errors = KEY_FIELDS.flatMap((field) => {
    const value = fields[field];
    if (value === null || !has(taken, keyOf(field, value))) return [];
    const { code, label } = KEYS[field];
    return [{ path: field, code, message: `Another product has the ${label} "${value}".` }];
  });
  const [first] = errors;
  if (first === undefined) throw new Error('a key was taken that nobody asked for');
  return new Refusal(first.code, first.message, { errors });
}
