import { keyTexts } from '../products/keys.js';
import type { Found } from './lookup.js';
import type { NormalizedRow } from './normalize.js';

/** Rows that can meet, through a key or a product, in one group, in their order; rows that cannot are in different ones. */
export function relatedRows(
  rows: readonly NormalizedRow[],
  { products, unborn }: Found,
): readonly (readonly NormalizedRow[])[] {
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
  for (const [key, productId] of unborn) join(key, productId);

  const groups = new Map<string, NormalizedRow[]>();
  for (const [index, row] of rows.entries()) {
    const root = rootOf(`row ${index}`);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}
