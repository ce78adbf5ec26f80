import { keyTexts } from '../products/index.js';
import type { Found } from './lookup.js';
import type { NormalizedRow } from './normalize.js';

/** Rows in their order, and the products that they may be matched with. */
export interface RelatedRows {
  readonly rows: readonly NormalizedRow[];
  readonly products: Found['products'];
}

/** Rows that can meet, through a key or a product, in one group; rows that cannot are in different ones. */
export function relatedRows(rows: readonly NormalizedRow[], { products, reserved }: Found): readonly RelatedRows[] {
  const parents = new Map<string, string>();
  const rootOf = (node: string): string => {
    let root = node;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    return root;
  };
  const join = (a: string, b: string): void => {
    const [rootA, rootB] = [rootOf(a), rootOf(b)];
    if (rootA !== rootB) parents.set(rootA, rootB);
  };

  for (const [index, { fields }] of rows.entries()) for (const { key } of keyTexts(fields)) join(`row ${index}`, key);
  for (const { productId, fields } of products) for (const { key } of keyTexts(fields)) join(key, productId);
  for (const [key, productId] of reserved) join(key, productId);

  const productsAt = Map.groupBy(products, ({ productId }) => rootOf(productId));
  const rowsAt = Map.groupBy(rows.keys(), (index) => rootOf(`row ${index}`));
  return [...rowsAt].map(([root, indexes]) => ({
    rows: indexes.flatMap((index) => rows[index] ?? []),
    products: productsAt.get(root) ?? [],
  }));
}
