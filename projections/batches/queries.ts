import type { BatchStatus, RequestRole, RequestState } from '../../src/core/vocabulary.js';

import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

export interface BatchListItem {
  readonly id: string;
  readonly productName: string;
  readonly productSku: string | null;
  readonly factoryName: string | null;
  readonly poReference: string | null;
  readonly quantity: number;
  readonly unit: string;
  readonly state: BatchStatus;
  readonly preliminary: boolean;
  readonly createdAt: number;
}

export interface BatchOfSupplier {
  readonly id: string;
  readonly poReference: string | null;
  readonly productName: string;
  readonly quantity: number;
  readonly unit: string;
  readonly state: BatchStatus;
  readonly role: RequestRole;
  readonly createdAt: number;
}

export interface OpenRequest {
  readonly requestId: string;
  readonly batchId: string;
  readonly productName: string;
  readonly brandName: string;
  readonly poReference: string | null;
  readonly quantity: number;
  readonly unit: string;
  readonly state: RequestState;
  readonly createdAt: number;
}

const MAX_RELATED = 1000;

// Names are looked up row by row (`limit 1` keeps the planner from hashing a whole table for one page). A batch whose
// product has been deleted is on its way out, and leaves the lists with the product.
const list = (filters: string): string => `
  select b.id, p.name as "productName", p.sku as "productSku", f.factory_name as "factoryName",
         b.po_reference as "poReference", b.quantity, b.unit, b.state, b.preliminary, b.created_at as "createdAt"
    from read.batches b
    join lateral (select name, sku from read.products where id = b.product_id limit 1) p on true
    left join lateral (select factory_name from read.suppliers where id = b.factory_id limit 1) f on true
   where b.organization_id = $1 and (b.created_at, b.id) < ($2, $3) ${filters}
   order by b.created_at desc, b.id desc
   limit $4`;

const LIST = list('');
const LIST_OF_PRODUCT = list('and b.product_id = $5');
const LIST_IN_STATE = list('and b.state = $5');
const LIST_OF_PRODUCT_IN_STATE = list('and b.product_id = $5 and b.state = $6');

/** The organization's batches, newest first. */
export async function listBatches(
  db: Queryable,
  organizationId: string,
  filter: { readonly productId?: string | undefined; readonly state?: BatchStatus | undefined },
  page: Page,
): Promise<Paged<BatchListItem>> {
  const { productId, state } = filter;
  const [sql, values] =
    productId === undefined
      ? state === undefined
        ? [LIST, []]
        : [LIST_IN_STATE, [state]]
      : state === undefined
        ? [LIST_OF_PRODUCT, [productId]]
        : [LIST_OF_PRODUCT_IN_STATE, [productId, state]];
  const { rows } = await db.query<BatchListItem>(sql, [organizationId, ...startOf(page), page.limit + 1, ...values]);
  return pageOf(rows, page, (row) => row.createdAt);
}

/** The batches that involve the supplier, the latest involvement first; at most 1,000. */
export async function batchesOfSupplier(
  db: Queryable,
  organizationId: string,
  supplierId: string,
): Promise<BatchOfSupplier[]> {
  const { rows } = await db.query<BatchOfSupplier>(
    `select b.id, b.po_reference as "poReference", p.name as "productName", b.quantity, b.unit, b.state, l.role,
            b.created_at as "createdAt"
       from read.supplier_batches l
       join lateral (select * from read.batches where id = l.batch_id and organization_id = $1 limit 1) b on true
       join lateral (select name from read.products where id = b.product_id limit 1) p on true
      where l.supplier_id = $2
      order by l.linked_at desc, l.batch_id desc
      limit ${MAX_RELATED}`,
    [organizationId, supplierId],
  );
  return rows;
}

/** Ids of the product's batches that are not published. */
export async function openBatchesOfProduct(
  db: Queryable,
  organizationId: string,
  productId: string,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from read.batches
      where product_id = $1 and state = any('{draft,sent,submitted}') and organization_id = $2`,
    [productId, organizationId],
  );
  return rows.map((row) => row.id);
}

/** What a brand still waits for from one of its suppliers, newest first; at most 1,000. */
export async function openRequestsOfSupplier(db: Queryable, supplierId: string): Promise<OpenRequest[]> {
  const { rows } = await db.query<OpenRequest>(
    `select r.id as "requestId", r.batch_id as "batchId", p.name as "productName", o.name as "brandName",
            b.po_reference as "poReference", b.quantity, b.unit, r.state, r.created_at as "createdAt"
       from read.suppliers s
       join lateral (select * from read.requests
                      where supplier_id = s.id and state <> 'submitted'
                      order by created_at desc, id desc limit ${MAX_RELATED}) r on true
       join lateral (select * from read.batches where id = r.batch_id and state <> 'published' limit 1) b on true
       join lateral (select name from read.products where id = b.product_id limit 1) p on true
       join lateral (select name from read.organizations where id = s.organization_id limit 1) o on true
      where s.id = $1 and s.state <> 'declined'
      order by r.created_at desc, r.id desc
      limit ${MAX_RELATED}`,
    [supplierId],
  );
  return rows;
}

export interface RequestOfFactory {
  readonly id: string;
  readonly state: RequestState;
  readonly role: RequestRole;
  readonly tier: number;
  readonly brandName: string;
  readonly productName: string;
  readonly productSku: string | null;
  readonly poReference: string | null;
  readonly quantity: number;
  readonly unit: string;
  readonly batchState: BatchStatus;
  readonly createdAt: number;
}

/** What brands have asked of the factory, answered or not, newest first. */
export async function requestsOfFactory(
  db: Queryable,
  factoryId: string,
  page: Page,
): Promise<Paged<RequestOfFactory>> {
  const { rows } = await db.query<RequestOfFactory>(
    `select r.id, r.state, r.role, r.tier, o.name as "brandName", p.name as "productName", p.sku as "productSku",
            b.po_reference as "poReference", b.quantity, b.unit, b.state as "batchState", r.created_at as "createdAt"
       from read.suppliers s
       join lateral (select * from read.requests
                      where supplier_id = s.id and (created_at, id) < ($2, $3)
                      order by created_at desc, id desc limit $4) r on true
       join lateral (select * from read.batches where id = r.batch_id limit 1) b on true
       join lateral (select name, sku from read.products where id = b.product_id limit 1) p on true
       join lateral (select name from read.organizations where id = s.organization_id limit 1) o on true
      where s.factory_id = $1 and not s.declined
      order by r.created_at desc, r.id desc
      limit $4`,
    [factoryId, ...startOf(page), page.limit + 1],
  );
  return pageOf(rows, page, (row) => row.createdAt);
}

/** All that these suppliers were ever asked. */
export async function requestsOfSuppliers(db: Queryable, supplierIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>('select id from read.requests where supplier_id = any($1)', [
    supplierIds,
  ]);
  return rows.map(({ id }) => id);
}
