import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

export interface PassportListItem {
  readonly id: string;
  readonly gtin: string;
  readonly serial: string;
  readonly qrUrl: string;
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly version: number;
  readonly preliminary: boolean;
  /** Null without a usable score. */
  readonly co2PerUnit: number | null;
  readonly batchId: string;
  readonly poReference: string | null;
  readonly quantity: number;
  readonly unit: string;
  readonly productId: string;
  readonly productName: string;
  readonly productSku: string | null;
  readonly factoryName: string | null;
}

// Names are looked up row by row: `limit 1` keeps the planner from hashing a whole table for one page.
const list = (filter: string): string => `
  select d.id, d.gtin, d.serial, d.qr_url as "qrUrl", d.published_at as "publishedAt", d.updated_at as "updatedAt",
         d.version, d.preliminary, d.co2_per_unit as "co2PerUnit", d.batch_id as "batchId",
         b.po_reference as "poReference", b.quantity, b.unit, d.product_id as "productId", p.name as "productName",
         p.sku as "productSku", f.factory_name as "factoryName"
    from read.passports d
    join lateral (select * from read.batches where id = d.batch_id limit 1) b on true
    join lateral (select name, sku from read.products where id = d.product_id limit 1) p on true
    left join lateral (select factory_name from read.suppliers where id = b.factory_id limit 1) f on true
   where d.organization_id = $1 and (d.published_at, d.id) < ($2, $3) ${filter}
   order by d.published_at desc, d.id desc
   limit $4`;

const LIST = list('');
const LIST_OF_PRODUCT = list('and d.product_id = $5');

/** The organization's published passports, the latest first. */
export async function listPassports(
  db: Queryable,
  organizationId: string,
  filter: { readonly productId?: string | undefined },
  page: Page,
): Promise<Paged<PassportListItem>> {
  const [sql, values] = filter.productId === undefined ? [LIST, []] : [LIST_OF_PRODUCT, [filter.productId]];
  const { rows } = await db.query<PassportListItem>(sql, [organizationId, ...startOf(page), page.limit + 1, ...values]);
  return pageOf(rows, page, (row) => row.publishedAt);
}

/** Whose page answers at this address; public. `gtin14` has 14 digits. */
export async function passportAt(db: Queryable, gtin14: string, serial: string): Promise<{ dppId: string } | null> {
  const { rows } = await db.query<{ dppId: string }>(
    'select id as "dppId" from read.passports where gtin14 = $1 and serial = $2 order by published_at, id limit 1',
    [gtin14, serial],
  );
  return rows[0] ?? null;
}
