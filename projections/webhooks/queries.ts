import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import type { PrivateTexts } from '../../src/infrastructure/private-texts/private-texts.js';
import type { EventName } from '../../src/modules/webhooks/events.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

export interface WebhookListItem {
  readonly id: string;
  readonly url: string;
  readonly events: EventName[];
  readonly active: boolean;
  readonly pausedBy: 'plan' | 'gone' | null;
  readonly createdAt: number;
}

const LIST = `
  select w.id, w.url, string_to_array(w.events, ' ') as events, w.active,
         case when o.plan is distinct from 'pro' then 'plan' when w.gone then 'gone' end as "pausedBy",
         w.created_at as "createdAt"
    from read.webhooks w left join read.organizations o on o.id = w.organization_id
   where w.organization_id = $1 and (w.created_at, w.id) < ($2, $3)
   order by w.created_at desc, w.id desc
   limit $4`;

/** The organization's webhooks, newest first. */
export async function listWebhooks(
  db: Queryable,
  texts: PrivateTexts,
  organizationId: string,
  page: Page,
): Promise<Paged<WebhookListItem>> {
  const { rows } = await db.query<WebhookListItem>(LIST, [organizationId, ...startOf(page), page.limit + 1]);
  return pageOf(await texts.openIn(rows, ['url']), page, (row) => row.createdAt);
}
