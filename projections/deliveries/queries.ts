import { assertNever } from '../../src/core/assert-never.js';
import type { DeliveryState } from '../../src/core/vocabulary.js';
import type { Queryable } from '../../src/infrastructure/postgres/database.js';
import type { PrivateTexts } from '../../src/infrastructure/private-texts/private-texts.js';
import type { DeliverableName } from '../../src/modules/webhooks/events.js';
import { pageOf, startOf, type Page, type Paged } from '../page.js';

/** A delivery with its attempts; times are milliseconds since the Unix epoch. */
export interface DeliveryRecord {
  readonly id: string;
  readonly event: DeliverableName;
  readonly webhookId: string;
  readonly state: DeliveryState;
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
  readonly state?: DeliveryState | undefined;
  readonly event?: DeliverableName | undefined;
  /** By the time of their creation, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What waits, and since when it is asked for (a redelivery makes one attempt, so what is retrying is in its schedule). */
const WAITING_SINCE = `case state when 'pending' then next_attempt_at else created_at end`;

/**
 * The webhook's deliveries, newest first. What has waited since `stoppedUpTo` or longer was stopped by a pause or the plan: it is
 * cancelled, whether that is written down already or not.
 */
export async function listDeliveries(
  db: Queryable,
  texts: PrivateTexts,
  webhookId: string,
  filter: DeliveryFilter,
  page: Page,
  stoppedUpTo: number | null,
): Promise<Paged<DeliveryRecord>> {
  const values: unknown[] = [webhookId, ...startOf(page), page.limit + 1, stoppedUpTo ?? -1];
  const where = (condition: string, value: unknown) =>
    value === undefined ? '' : ` and ${condition} $${values.push(value)}`;
  const others = `
        ${where('event =', filter.event)}${where('created_at >=', filter.from)}${where('created_at <=', filter.to)}`;
  const read = async (part: string) => {
    const { rows } = await db.query<Omit<DeliveryRecord, 'attempts'>>(
      `select id, event, webhook_id as "webhookId", created_at as "createdAt",
              case when ${IS_STOPPED} then 'cancelled' else state end as state,
              case when ${IS_STOPPED} then null else next_attempt_at end as "nextAttemptAt"
         from read.deliveries
        where webhook_id = $1 and (created_at, id) < ($2, $3) ${part} ${others}
        order by created_at desc, id desc
        limit $4`,
      values,
    );
    return rows;
  };
  const parts = await Promise.all(partsIn(filter.state, stoppedUpTo !== null).map(read));
  const rows =
    parts.length === 1
      ? parts.flat()
      : parts
          .flat()
          .sort(newestFirst)
          .slice(0, page.limit + 1);
  const { data, ...more } = pageOf(rows, page, (row) => row.createdAt);
  const attempts = await attemptsOf(
    db,
    texts,
    data.map(({ id }) => id),
  );
  return { data: data.map((row) => ({ ...row, attempts: attempts.get(row.id) ?? [] })), ...more };
}

type Listed = Pick<DeliveryRecord, 'createdAt' | 'id'>;
const newestFirst = (one: Listed, other: Listed): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);

/** `$5` is how far everything is stopped. A test is sent to a paused webhook too. */
const PENDING_STOPPED = `next_attempt_at <= $5 and event <> 'webhook.test'`;
const IS_STOPPED = `(state = 'retrying' and created_at <= $5 or state = 'pending' and ${PENDING_STOPPED})`;

/** Each a range of one index; together what is shown in that state. */
function partsIn(state: DeliveryState | undefined, wasStopped: boolean): readonly string[] {
  switch (state) {
    case undefined:
      return [''];
    case 'delivered':
    case 'failed':
      return [`and state = '${state}'`];
    case 'pending':
      return [`and state = 'pending' ${wasStopped ? `and not (${PENDING_STOPPED})` : ''}`];
    case 'retrying':
      return [`and state = 'retrying' and created_at > $5`];
    case 'cancelled':
      return [
        `and state = 'cancelled'`,
        ...(wasStopped
          ? [`and state = 'retrying' and created_at <= $5`, `and state = 'pending' and ${PENDING_STOPPED}`]
          : []),
      ];
    default:
      return assertNever(state);
  }
}

async function attemptsOf(
  db: Queryable,
  texts: PrivateTexts,
  deliveryIds: readonly string[],
): Promise<Map<string, AttemptRecord[]>> {
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
  for (const { deliveryId, ...attempt } of await texts.openIn(rows, ['error', 'answer'])) {
    const known = attempts.get(deliveryId);
    if (known === undefined) attempts.set(deliveryId, [attempt]);
    else known.push(attempt);
  }
  return attempts;
}

/** A delivery in the list of those that wait. */
export interface WaitingUpTo {
  readonly state: 'pending' | 'retrying';
  readonly createdAt: number;
  readonly id: string;
}

/**
 * A part of the webhook's deliveries whose attempts are still to come, from behind `after` on; fewer than `limit` when it is the
 * last part. Those that wait for their first attempt come first, as they may be among the others a moment later; the oldest
 * first of each.
 */
export async function waitingDeliveries(
  db: Queryable,
  webhookId: string,
  after: WaitingUpTo | null,
  limit: number,
): Promise<WaitingUpTo[]> {
  const states = after?.state === 'retrying' ? ['retrying'] : ['pending', 'retrying'];
  const { rows } = await db.query<WaitingUpTo>(
    `select waiting.state, waiting.created_at as "createdAt", waiting.id
       from unnest($2::text[]) as wanted (state)
      cross join lateral (select state, created_at, id from read.deliveries d
                           where d.webhook_id = $1 and d.state = wanted.state
                             and (d.created_at, d.id) > (case when wanted.state = $3 then $4::bigint else -1 end,
                                                         case when wanted.state = $3 then $5 else '' end)
                           order by d.created_at, d.id limit $6) waiting
      limit $6`,
    [webhookId, states, after?.state ?? '', after?.createdAt ?? -1, after?.id ?? '', limit],
  );
  return rows;
}

/** Which deliveries a replay sends again: all of the time range whose attempts have ended or were stopped, tests apart. */
const REPLAYED = `
    from read.deliveries
   where webhook_id = $1 and created_at between $2 and $3
     and (state in ('delivered', 'failed', 'cancelled') or ${WAITING_SINCE} <= $4) and event <> 'webhook.test'`;

interface ReplayRange {
  readonly from: number;
  readonly to: number;
}

export async function countReplayed(
  db: Queryable,
  webhookId: string,
  { from, to }: ReplayRange,
  stoppedUpTo: number | null,
): Promise<number> {
  const { rows } = await db.query<{ n: number }>(`select count(*)::int as n ${REPLAYED}`, [
    ...[webhookId, from, to],
    stoppedUpTo ?? -1,
  ]);
  return rows[0]?.n ?? 0;
}

/** A part of them, the oldest first, from behind `after` on; fewer than `limit` when it is the last part. */
export async function replayedDeliveries(
  db: Queryable,
  webhookId: string,
  { from, to }: ReplayRange,
  stoppedUpTo: number | null,
  {
    after,
    limit,
  }: { readonly after: { readonly createdAt: number; readonly id: string } | null; readonly limit: number },
): Promise<{ id: string; createdAt: number }[]> {
  const { rows } = await db.query<{ id: string; createdAt: number }>(
    `select id, created_at as "createdAt" ${REPLAYED} and (created_at, id) > ($5, $6)
      order by created_at, id limit $7`,
    [webhookId, from, to, stoppedUpTo ?? -1, after?.createdAt ?? -1, after?.id ?? '', limit],
  );
  return rows;
}
