import type { ProposalState } from '../../src/core/vocabulary.js';

import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import type { PrivateTexts } from '../../src/infrastructure/private-texts/private-texts.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

export interface ProposalListItem {
  readonly id: string;
  readonly state: ProposalState;
  readonly materialType: string;
  readonly name: string;
  /** Null when the address has been erased. */
  readonly contactEmail: string | null;
  readonly country: string | null;
  readonly tier: number;
  readonly proposedBy: { readonly supplierId: string; readonly factoryName: string };
  readonly requestId: string;
  readonly batchId: string;
  readonly productId: string;
  readonly productName: string;
  /** The record that the acceptance made or found. */
  readonly supplierId: string | null;
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

// Names are looked up row by row; a product that has been deleted goes by the name that it had.
const list = (filter: string): string => `
  select r.id, r.state, r.material_type as "materialType", r.name, f.contact_email as "contactEmail", r.country, r.tier,
         r.proposed_by as "proposedBy", s.factory_name as "factoryName", r.request_id as "requestId",
         r.batch_id as "batchId", r.product_id as "productId", coalesce(p.name, r.product_name) as "productName",
         r.supplier_id as "supplierId", r.created_at as "createdAt", r.decided_at as "decidedAt"
    from read.proposals r
    left join lateral (select contact_email from service.factories where id = r.factory_id limit 1) f on true
    left join lateral (select factory_name from read.suppliers where id = r.proposed_by limit 1) s on true
    left join lateral (select name from read.products where id = r.product_id limit 1) p on true
   where r.organization_id = $1 and (r.created_at, r.id) < ($2, $3) ${filter}
   order by r.created_at desc, r.id desc
   limit $4`;

const LIST = list('');
const LIST_IN_STATE = list('and r.state = $5');

type Row = Omit<ProposalListItem, 'proposedBy'> & { readonly proposedBy: string; readonly factoryName: string | null };

/** What factories have proposed to the organization, newest first. */
export async function listProposals(
  db: Queryable,
  texts: PrivateTexts,
  organizationId: string,
  { state }: { readonly state?: ProposalState | undefined },
  page: Page,
): Promise<Paged<ProposalListItem>> {
  const [sql, values] = state === undefined ? [LIST, []] : [LIST_IN_STATE, [state]];
  const { rows } = await db.query<Row>(sql, [organizationId, ...startOf(page), page.limit + 1, ...values]);
  const { data, ...more } = pageOf(await texts.openIn(rows, ['name']), page, (row) => row.createdAt);
  return {
    data: data.map(({ proposedBy, factoryName, ...row }) => ({
      ...row,
      proposedBy: { supplierId: proposedBy, factoryName: factoryName ?? '' },
    })),
    ...more,
  };
}
