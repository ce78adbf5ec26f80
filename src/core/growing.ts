/**
 * `evolve` answers a new state and leaves the one before as it was, so that each event on a list of thousands would copy it: a
 * stream would be folded in quadratic time. But nobody sees the states within a fold. A collection that a fold has copied once
 * is its own, and grows in place for the rest of it; outside of folds these functions copy, as ever.
 */
export type OwnCollections = WeakSet<object>;

let own: OwnCollections | undefined;

/** One step of the fold that these collections belong to. */
export function stepOf<State>(fold: OwnCollections, step: () => State): State {
  const outer = own;
  own = fold;
  try {
    return step();
  } finally {
    own = outer;
  }
}

function owned<Collection extends object>(collection: Collection, copy: () => Collection): Collection {
  if (own?.has(collection) === true) return collection;
  const copied = copy();
  own?.add(copied);
  return copied;
}

/** `[...list, item]` */
export function appended<Item>(list: readonly Item[], item: NoInfer<Item>): readonly Item[] {
  const grown = owned(list as Item[], () => [...list]);
  grown.push(item);
  return grown;
}

/** `new Map(map).set(key, value)` */
export const withKey = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): ReadonlyMap<Key, Value> =>
  owned(map as Map<Key, Value>, () => new Map(map)).set(key, value);

/** The map without the key. */
export function withoutKey<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> {
  if (!map.has(key)) return map;
  const shrunk = owned(map as Map<Key, Value>, () => new Map(map));
  shrunk.delete(key);
  return shrunk;
}
