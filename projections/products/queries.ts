import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

export interface ProductListItem {
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly externalId: string | null;
  readonly categoryId: string;
  readonly subcategory: string | null;
  readonly weightKg: number | null;
  readonly weightEstimated: boolean;
  readonly countryOfManufacture: string | null;
  readonly ecommerceUrl: string | null;
  readonly careInstructions: string | null;
  readonly expectedLifespan: string | null;
  readonly recyclable: boolean | null;
  readonly recyclingInstructions: string | null;
  readonly materialCount: number;
  readonly batchCount: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const LIST = `
  select id, name, sku, gtin, external_id as "externalId", category_id as "categoryId", subcategory,
         weight_kg as "weightKg", weight_estimated as "weightEstimated",
         country_of_manufacture as "countryOfManufacture", ecommerce_url as "ecommerceUrl",
         care_instructions as "careInstructions", expected_lifespan as "expectedLifespan", recyclable,
         recycling_instructions as "recyclingInstructions", material_count as "materialCount",
         batch_count as "batchCount", created_at as "createdAt", updated_at as "updatedAt"
    from read.products
   where organization_id = $1 and (created_at, id) < ($2, $3)
   order by created_at desc, id desc
   limit $4`;

/** The organization's products, newest first. */
export async function listProducts(db: Queryable, organizationId: string, page: Page): Promise<Paged<ProductListItem>> {
  const { rows } = await db.query<ProductListItem>(LIST, [organizationId, ...startOf(page), page.limit + 1]);
  return pageOf(rows, page, (row) => row.createdAt);
}

/** Name and SKU of those of `ids` that are products of the organization. */
export async function productNames(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, { name: string; sku: string | null }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; name: string; sku: string | null }>(
    'select id, name, sku from read.products where id = any($1) and organization_id = $2',
    [ids, organizationId],
  );
  return new Map(rows.map(({ id, name, sku }) => [id, { name, sku }]));
}
