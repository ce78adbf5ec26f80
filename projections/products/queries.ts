import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import type { Material, ProductFields } from '../../src/modules/products/events.js';
import type { PrivateTexts } from '../../src/infrastructure/private-texts/private-texts.js';
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

/** A product as an import sees it. */
export interface ImportableProduct {
  readonly productId: string;
  readonly fields: ProductFields;
  readonly passports: number;
  /** Of the latest. */
  readonly dppId: string | null;
  /** The import that the fields last came from; null when somebody has changed them since. */
  readonly importId: string | null;
  /** A passport without a factory's data was begun and is not out, or its batch does not say so. */
  readonly isBeingPublished: boolean;
}

const IMPORTABLE = `
  select p.id as "productId", p.name, p.sku, p.gtin, p.external_id as "externalId", p.category_id as "categoryId",
         p.subcategory, p.weight_kg as "weightKg", p.weight_estimated as "weightEstimated",
         p.country_of_manufacture as "countryOfManufacture", p.ecommerce_url as "ecommerceUrl",
         p.care_instructions as "careInstructions", p.expected_lifespan as "expectedLifespan", p.recyclable,
         p.recycling_instructions as "recyclingInstructions", p.supplier_name as "supplierName", p.materials,
         p.passport_count as passports, p.import_id as "importId", d.id as "dppId",
         b.id is not null or (d.preliminary is true and not exists (
           select from read.batches published where published.id = d.batch_id)) as "isBeingPublished"
    from read.products p
    left join lateral (
      select id, batch_id, preliminary from read.passports
       where product_id = p.id order by published_at desc, id desc limit 1) d on true
    left join lateral (
      select id from read.batches where product_id = p.id and state = 'draft' and preliminary limit 1) b on true
   where p.id = any($1) and p.organization_id = $2 and p.materials is not null`;

type ImportableRow = Omit<ImportableProduct, 'fields'> &
  Omit<ProductFields, 'materials'> & { readonly materials: string };

/** Those of `ids` that are products of the organization, all in one query. */
export async function importableProducts(
  db: Queryable,
  texts: PrivateTexts,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly ImportableProduct[]> {
  if (ids.length === 0) return [];
  const answer = await db.query<ImportableRow>(IMPORTABLE, [ids, organizationId]);
  const rows = await texts.openIn(answer.rows, ['supplierName']);
  // A catalogue holds the same few compositions again and again.
  const compositions = new Map<string, readonly Material[]>();
  return rows.map(({ productId, passports, dppId, importId, isBeingPublished, materials: text, ...fields }) => {
    let materials = compositions.get(text);
    if (materials === undefined) compositions.set(text, (materials = JSON.parse(text) as readonly Material[]));
    return { productId, passports, dppId, importId, isBeingPublished, fields: { ...fields, materials } };
  });
}
