import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

export type SupplierState = 'recorded' | 'invited' | 'confirmed' | 'declined';

export interface SupplierListItem {
  readonly id: string;
  readonly factoryName: string;
  readonly country: string | null;
  readonly tier: number;
  readonly state: SupplierState;
  /** Null when the factory's personal data have been erased. */
  readonly contactEmail: string | null;
  readonly certificateCount: number;
  readonly productCount: number;
  readonly batchCount: number;
  readonly createdAt: number;
}

export interface SupplierSummary {
  readonly id: string;
  readonly factoryId: string;
  readonly factoryName: string;
  readonly country: string | null;
  readonly tier: number;
  readonly state: SupplierState;
  readonly contactEmail: string | null;
}

const LIST = `
  select s.id, s.factory_name as "factoryName", s.country, s.tier, s.state, f.contact_email as "contactEmail",
         case when s.declined or (s.recorded and s.batch_count = 0) then 0
              else coalesce(stated.certificate_count, 0) end as "certificateCount",
         s.product_count as "productCount", s.batch_count as "batchCount", s.created_at as "createdAt"
    from read.suppliers s
    left join lateral (select contact_email from service.factories where id = s.factory_id limit 1) f on true
    left join lateral (select certificate_count from read.factories where id = s.factory_id limit 1) stated on true
   where s.organization_id = $1 and (s.created_at, s.id) < ($2, $3)
   order by s.created_at desc, s.id desc
   limit $4`;

/** The organization's suppliers, newest first. */
export async function listSuppliers(
  db: Queryable,
  organizationId: string,
  page: Page,
): Promise<Paged<SupplierListItem>> {
  const { rows } = await db.query<SupplierListItem>(LIST, [organizationId, ...startOf(page), page.limit + 1]);
  return pageOf(rows, page, (row) => row.createdAt);
}

const BY_IDS = `
  select s.id, s.factory_id as "factoryId", s.factory_name as "factoryName", s.country, s.tier, s.state,
         f.contact_email as "contactEmail"
    from read.suppliers s
    left join lateral (select contact_email from service.factories where id = s.factory_id limit 1) f on true
   where s.id = any($1) and s.organization_id = $2`;

/** Those of `ids` that are suppliers of the organization. */
export async function suppliersByIds(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, SupplierSummary>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<SupplierSummary>(BY_IDS, [ids, organizationId]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The organization's own record of the factory. */
export async function supplierOfFactory(
  db: Queryable,
  organizationId: string,
  factoryId: string,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'select id from read.suppliers where factory_id = $1 and organization_id = $2 order by created_at, id limit 1',
    [factoryId, organizationId],
  );
  return rows[0]?.id ?? null;
}

/** The records of the factory, of any organization, that wait for its answer. */
export async function invitedSuppliersOfFactory(
  db: Queryable,
  factoryId: string,
): Promise<{ supplierId: string; organizationId: string }[]> {
  const { rows } = await db.query<{ supplierId: string; organizationId: string }>(
    `select id as "supplierId", organization_id as "organizationId"
       from read.suppliers
      where factory_id = $1 and state = 'invited'`,
    [factoryId],
  );
  return rows;
}

/**
 * The records of the factory at all organizations that work with it: not where it has declined, nor where it was only named in
 * an import.
 */
export async function suppliersWorkingWith(
  db: Queryable,
  factoryId: string,
): Promise<{ supplierId: string; organizationId: string }[]> {
  const { rows } = await db.query<{ supplierId: string; organizationId: string }>(
    `select id as "supplierId", organization_id as "organizationId"
       from read.suppliers
      where factory_id = $1 and not declined and (not recorded or batch_count > 0)`,
    [factoryId],
  );
  return rows;
}
