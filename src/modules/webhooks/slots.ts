import { Refusal } from '../../core/errors.js';
import { inTransaction, type Database, type Queryable } from '../../infrastructure/postgres/database.js';
import { load } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import { webhookDecider, type WebhookRef } from './decider.js';
import { webhookStream } from './events.js';

export const MAX_WEBHOOKS = 20;

/** Between taking a place and the event lie milliseconds. */
const ABANDONED_AFTER_S = 30;

/**
 * Takes one of the organization's places, or finds it taken by this very webhook. When none is free, those are given back
 * whose webhook never came to be, or was deleted by a process that died before it could say so.
 */
export async function takePlace(
  database: Database,
  webhook: WebhookRef,
  isKept: (webhookId: string) => Promise<boolean>,
): Promise<void> {
  if (await tryToTake(database, webhook)) return;
  const { rows } = await database.query<{ id: string }>(
    `select id from service.webhooks
      where organization_id = $1 and created_at < now() - make_interval(secs => $2)`,
    [webhook.organizationId, ABANDONED_AFTER_S],
  );
  for (const { id } of rows) if (!(await isKept(id))) await givePlaceBack(database, id);
  if (await tryToTake(database, webhook)) return;
  throw new Refusal('webhook_limit', `An organization has at most ${MAX_WEBHOOKS} webhooks; delete one first.`);
}

/** The place of a webhook that is kept by its stream, and that a Postgres older than that does not know. */
export async function restorePlace(
  { database, eventStore }: { readonly database: Queryable; readonly eventStore: EventStore },
  webhookId: string,
): Promise<void> {
  const { state } = await load(eventStore, webhookDecider, webhookStream(webhookId));
  if (state.status !== 'kept') return;
  await database.query('insert into service.webhooks (id, organization_id) values ($1, $2) on conflict do nothing', [
    webhookId,
    state.organizationId,
  ]);
}

/** The webhook is no more; its secret goes with it. Without a place it gets no new one: so the place goes first. */
export async function givePlaceBack(db: Queryable, webhookId: string): Promise<void> {
  await db.query('delete from service.webhooks where id = $1', [webhookId]);
  await db.query('delete from service.webhook_secrets where webhook_id = $1', [webhookId]);
}

const tryToTake = (database: Database, { organizationId, webhookId }: WebhookRef): Promise<boolean> =>
  inTransaction(database, async (connection) => {
    // One after the other: two callers that count at once would both find the last place free.
    await connection.query(`select pg_advisory_xact_lock(hashtextextended('webhooks/' || $1, 0))`, [organizationId]);
    const { rows } = await connection.query<{ own: boolean; n: number }>(
      `select coalesce(bool_or(id = $2), false) as own, count(*)::int as n from service.webhooks where organization_id = $1`,
      [organizationId, webhookId],
    );
    const { own = false, n = 0 } = rows[0] ?? {};
    if (own) return true;
    if (n >= MAX_WEBHOOKS) return false;
    await connection.query('insert into service.webhooks (id, organization_id) values ($1, $2)', [
      webhookId,
      organizationId,
    ]);
    return true;
  });
