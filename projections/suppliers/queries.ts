import type { Sharing, SupplierStatus } from '../../src/core/vocabulary.js';

import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import type { PrivateTexts } from '../../src/infrastructure/private-texts/private-texts.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

export interface SupplierListItem {
  readonly id: string;
  readonly factoryName: string;
  readonly country: string | null;
  readonly tier: number;
  readonly state: SupplierStatus;
  readonly sharing: Sharing;
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
  readonly state: SupplierStatus;
  readonly contactEmail: string | null;
}

const LIST = `
  select s.id, s.factory_name as "factoryName", s.country, s.tier, s.state, s.sharing, f.contact_email as "contactEmail",
         case when s.sharing = 'granted' then coalesce(stated.certificate_count, 0) else 0 end as "certificateCount",
         case when s.sharing = 'granted' then coalesce(stated.product_count, 0) else 0 end as "productCount",
         s.batch_count as "batchCount", s.created_at as "createdAt"
    from read.suppliers s
    left join lateral (select contact_email from service.factories where id = s.factory_id limit 1) f on true
    left join lateral (select certificate_count, product_count from read.factories where id = s.factory_id limit 1) stated on true
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

/** Whether the factory has answered a request since it last declined; its link need not be confirmed. */
export async function hasAnswered(db: Queryable, supplierId: string): Promise<boolean> {
  const { rows } = await db.query('select 1 from read.suppliers where id = $1 and answered', [supplierId]);
  return rows.length > 0;
}

/** The records of the factory at all organizations that may see what it keeps. */
export async function suppliersSharedWith(
  db: Queryable,
  factoryId: string,
): Promise<{ supplierId: string; organizationId: string }[]> {
  const { rows } = await db.query<{ supplierId: string; organizationId: string }>(
    `select s.id as "supplierId", s.organization_id as "organizationId"
       from read.suppliers s
      where s.factory_id = $1 and s.sharing = 'granted'`,
    [factoryId],
  );
  return rows;
}

/** Everybody who has a record of the factory; `isAsked` where it has been invited or asked, and has not declined. */
export async function organizationsKnowing(
  db: Queryable,
  factoryId: string,
): Promise<{ organizationId: string; isAsked: boolean }[]> {
  const { rows } = await db.query<{ organizationId: string; isAsked: boolean }>(
    `select organization_id as "organizationId",
            not declined and not (recorded and batch_count = 0) as "isAsked"
       from read.suppliers
      where factory_id = $1`,
    [factoryId],
  );
  return rows;
}

export interface BrandOfFactory {
  /** Of the brand's record of the factory. */
  readonly id: string;
  readonly brandName: string;
  /** As the brand calls it. */
  readonly factoryName: string;
  readonly tier: number;
  readonly state: SupplierStatus;
  readonly sharing: Sharing;
  readonly notes: string | null;
  readonly createdAt: number;
}

/** The record of every brand that has invited the factory, newest first. */
export async function brandsOfFactory(
  db: Queryable,
  texts: PrivateTexts,
  factoryId: string,
  page: Page,
): Promise<Paged<BrandOfFactory>> {
  const { rows } = await db.query<BrandOfFactory>(
    `select s.id, o.name as "brandName", s.factory_name as "factoryName", s.tier, s.state, s.sharing, s.notes,
            s.created_at as "createdAt"
       from read.suppliers s
       join lateral (select name from read.organizations where id = s.organization_id limit 1) o on true
      where s.factory_id = $1 and not (s.recorded and s.batch_count = 0) and (s.created_at, s.id) < ($2, $3)
      order by s.created_at desc, s.id desc
      limit $4`,
    [factoryId, ...startOf(page), page.limit + 1],
  );
  return pageOf(await texts.openIn(rows, ['notes']), page, (row) => row.createdAt);
}

/** Whether the account belongs to an organization that may see what the factory keeps. */
export async function isSharedWith(db: Queryable, accountId: string, factoryId: string): Promise<boolean> {
  const { rows } = await db.query(
    `select 1
       from service.memberships m
       join lateral (select 1 from read.suppliers
                      where factory_id = $2 and organization_id = m.organization_id and sharing = 'granted' limit 1) s on true
      where m.account_id = $1
      limit 1`,
    [accountId, factoryId],
  );
  return rows.length > 0;
}
