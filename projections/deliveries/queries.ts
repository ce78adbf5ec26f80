import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import type { DeliverableName } from '../../src/modules/webhooks/events.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

export type DeliveryRecordState = 'pending' | 'retrying' | 'delivered' | 'failed' | 'cancelled';

/** A delivery with its attempts; times are milliseconds since the Unix epoch. */
export interface DeliveryRecord {
  readonly id: string;
  readonly event: DeliverableName;
  readonly webhookId: string;
  readonly state: DeliveryRecordState;
  readonly createdAt: number;
  readonly nextAttemptAt: number | null;
  readonly attempts: AttemptRecord[];
}

export interface AttemptRecord {
  readonly at: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

export interface DeliveryFilter {
  readonly state?: DeliveryRecordState | undefined;
  readonly event?: DeliverableName | undefined;
  /** By the time of their creation, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The webhook's deliveries, newest first. */
export async function listDeliveries(
  db: Queryable,
  webhookId: string,
  filter: DeliveryFilter,
  page: Page,
): Promise<Paged<DeliveryRecord>> {
  const values: unknown[] = [webhookId, ...startOf(page), page.limit + 1];
  const where = (condition: string, value: unknown) =>
    value === undefined ? '' : ` and ${condition} $${values.push(value)}`;
  const { rows } = await db.query<Omit<DeliveryRecord, 'attempts'>>(
    `select id, event, webhook_id as "webhookId", state, created_at as "createdAt", next_attempt_at as "nextAttemptAt"
       from read.deliveries
      where webhook_id = $1 and (created_at, id) < ($2, $3)
        ${where('state =', filter.state)}${where('event =', filter.event)}
        ${where('created_at >=', filter.from)}${where('created_at <=', filter.to)}
      order by created_at desc, id desc
      limit $4`,
    values,
  );
  const { data, ...more } = pageOf(rows, page, (row) => row.createdAt);
  const attempts = await attemptsOf(
    db,
    data.map(({ id }) => id),
  );
  return { data: data.map((row) => ({ ...row, attempts: attempts.get(row.id) ?? [] })), ...more };
}

async function attemptsOf(db: Queryable, deliveryIds: readonly string[]): Promise<Map<string, AttemptRecord[]>> {
  const attempts = new Map<string, AttemptRecord[]>();
  if (deliveryIds.length === 0) return attempts;
  // One look into the index for each delivery, in the order of the attempts.
  const { rows } = await db.query<AttemptRecord & { deliveryId: string }>(
    `select a.delivery_id as "deliveryId", a.at, a.duration_ms as "durationMs", a.status, a.error, a.answer
       from unnest($1::text[]) as wanted (id)
      cross join lateral (select * from read.delivery_attempts
                           where delivery_id = wanted.id order by delivery_id, attempt) a`,
    [deliveryIds],
  );
  for (const { deliveryId, ...attempt } of rows) {
    const known = attempts.get(deliveryId);
    if (known === undefined) attempts.set(deliveryId, [attempt]);
    else known.push(attempt);
  }
  return attempts;
}

/** Deliveries of the webhook whose attempts are still to come, the oldest first. */
export async function waitingDeliveries(db: Queryable, webhookId: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select waiting.id from unnest(array['pending', 'retrying']) as wanted (state)
      cross join lateral (select id from read.deliveries d where d.webhook_id = $1 and d.state = wanted.state
                           order by d.created_at, d.id limit $2) waiting
      limit $2`,
    [webhookId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Which deliveries a replay sends again: all of the time range whose attempts have ended, tests apart. */
const REPLAYED = `
    from read.deliveries
   where webhook_id = $1 and created_at between $2 and $3
     and state in ('delivered', 'failed', 'cancelled') and event <> 'webhook.test'`;

export async function countReplayed(
  db: Queryable,
  webhookId: string,
  { from, to }: { from: number; to: number },
): Promise<number> {
  const { rows } = await db.query<{ n: number }>(`select count(*)::int as n ${REPLAYED}`, [webhookId, from, to]);
  return rows[0]?.n ?? 0;
}

/** A part of them, the oldest first, from behind `after` on; fewer than `limit` when it is the last part. */
export async function replayedDeliveries(
  db: Queryable,
  webhookId: string,
  { from, to }: { from: number; to: number },
  after: { readonly createdAt: number; readonly id: string } | null,
  limit: number,
): Promise<{ id: string; createdAt: number }[]> {
  const { rows } = await db.query<{ id: string; createdAt: number }>(
    `select id, created_at as "createdAt" ${REPLAYED} and (created_at, id) > ($4, $5)
      order by created_at, id limit $6`,
    [webhookId, from, to, after?.createdAt ?? -1, after?.id ?? '', limit],
  );
  return rows;
}
