import { organizationById } from '../../../projections/organizations/queries.js';
import { Refusal } from '../../core/errors.js';
import type { Plan } from '../../core/vocabulary.js';
import { recipientHash } from '../../infrastructure/links.js';
import {
  inTransaction,
  type Connection,
  type Database,
  type Queryable,
} from '../../infrastructure/postgres/database.js';

/*
 * Mails that an organization causes to people outside it: invitations, requests, reminders, members. Each is counted here, under
 * the id that it goes out with, before anything is done that leads to it. What is counted stays counted: the same call sent again,
 * and the worker that sends the mail, find it.
 */

export interface ThirdPartyMail {
  /** Its Message-ID: a mail that goes out again is the same one. */
  readonly messageId: string;
  readonly to: string;
}

interface Limits {
  readonly recipient: number;
  readonly organization: number;
}

/** In 24 hours, for a recipient and in all. */
const LIMITS: Readonly<Record<'unproven' | Plan, Limits>> = {
  unproven: { recipient: 3, organization: 20 },
  free: { recipient: 10, organization: 200 },
  // The operator knows who is on it; and one factory makes many batches.
  pro: { recipient: 2_000, organization: 2_000 },
};

/** Longer than any mail is tried. */
const KEPT_DAYS = 30;

/**
 * Counts the mails that may go out now, in their order, and leaves the others for later. Throws `mail_limit` when there are some and
 * none of them may.
 */
export async function countMails(
  connection: Connection,
  { linkKey, organizationId, mails }: { linkKey: Buffer; organizationId: string; mails: readonly ThirdPartyMail[] },
): Promise<void> {
  if (mails.length === 0) return;
  const { sender, limits } = await standingOf(connection, organizationId);
  // One at a time counts for a sender: what is seen below is what there is.
  await connection.query(`select pg_advisory_xact_lock(hashtextextended('mails/' || $1, 0))`, [sender]);
  const counted = await countedBefore(connection, mails);
  const recent = await recentOf(connection, sender);
  const refused: Buffer[] = [];
  for (const { messageId, to } of mails.filter((mail) => !counted.has(mail.messageId))) {
    const recipient = recipientHash(linkKey, to);
    if (!takesRoom(recent, recipient, limits)) {
      refused.push(recipient);
      continue;
    }
    await connection.query(
      `insert into service.third_party_mails (message_id, sender, recipient, counted_at)
       values ($1, $2, $3, clock_timestamp())`,
      [messageId, sender, recipient],
    );
  }
  const [recipient] = refused;
  if (recipient === undefined || refused.length < mails.length) return;
  throw await mailLimit(connection, { sender, limits, recipient });
}

/** Counts one more to the recipient, unless that is one too many. */
function takesRoom(recent: RecentMails, recipient: Buffer, limits: Limits): boolean {
  const key = recipient.toString('hex');
  const toRecipient = recent.byRecipient.get(key) ?? 0;
  if (recent.total >= limits.organization || toRecipient >= limits.recipient) return false;
  recent.total += 1;
  recent.byRecipient.set(key, toRecipient + 1);
  return true;
}

/** The same in a transaction of its own; mails that are counted already, as they mostly are when they go out, need none. */
export async function countMailsNow(
  { database, linkKey }: { readonly database: Database; readonly linkKey: Buffer },
  order: { readonly organizationId: string; readonly mails: readonly ThirdPartyMail[] },
): Promise<void> {
  const counted = await countedBefore(database, order.mails);
  if (order.mails.every(({ messageId }) => counted.has(messageId))) return;
  await inTransaction(database, (connection) => countMails(connection, { linkKey, ...order }));
}

/** Forgets mails that nobody counts any more, at most `limit`. */
export async function purgeMailCounts(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from service.third_party_mails where message_id in
       (select message_id from service.third_party_mails
         where counted_at < now() - make_interval(days => $2) order by counted_at limit $1)`,
    [limit, KEPT_DAYS],
  );
  return rowCount ?? 0;
}

/** By whom the mails are counted: somebody who makes ten organizations has no ten limits. */
async function standingOf(db: Queryable, organizationId: string): Promise<{ sender: string; limits: Limits }> {
  const organization = await organizationById(db, organizationId);
  if (organization?.plan === 'pro') return { sender: organizationId, limits: LIMITS.pro };
  const { rows } = await db.query<{ ownerId: string; isProven: boolean }>(
    `select a.id as "ownerId", bool_or(a.email_proven_at is not null) over () as "isProven"
       from service.memberships m join service.accounts a on a.id = m.account_id
      where m.organization_id = $1 and m.role = 'owner' order by m.created_at, a.id limit 1`,
    [organizationId],
  );
  const { ownerId = organizationId, isProven = false } = rows[0] ?? {};
  return { sender: ownerId, limits: isProven ? LIMITS.free : LIMITS.unproven };
}

async function countedBefore(db: Queryable, mails: readonly ThirdPartyMail[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    'select message_id as id from service.third_party_mails where message_id = any($1)',
    [mails.map(({ messageId }) => messageId)],
  );
  return new Set(rows.map(({ id }) => id));
}

interface RecentMails {
  total: number;
  readonly byRecipient: Map<string, number>;
}

async function recentOf(db: Queryable, sender: string): Promise<RecentMails> {
  const { rows } = await db.query<{ recipient: string; count: number }>(
    `select encode(recipient, 'hex') as recipient, count(*)::int as count from service.third_party_mails
      where sender = $1 and counted_at > clock_timestamp() - interval '24 hours' group by recipient`,
    [sender],
  );
  const byRecipient = new Map(rows.map(({ recipient, count }) => [recipient, count]));
  return { total: rows.reduce((sum, { count }) => sum + count, 0), byRecipient };
}

/** Says when the first of the counted mails that stand in the way is a day old. */
async function mailLimit(
  db: Queryable,
  { sender, limits, recipient }: { sender: string; limits: Limits; recipient: Buffer },
): Promise<Refusal> {
  const { rows } = await db.query<{ seconds: number }>(
    `select greatest(1, ceil(extract(epoch from max(free_at) - clock_timestamp())))::int as seconds
       from (
         (select counted_at + interval '24 hours' as free_at from service.third_party_mails
           where sender = $1 and counted_at > clock_timestamp() - interval '24 hours'
           order by counted_at desc offset $2 limit 1)
         union all
         (select counted_at + interval '24 hours' from service.third_party_mails
           where sender = $1 and recipient = $3 and counted_at > clock_timestamp() - interval '24 hours'
           order by counted_at desc offset $4 limit 1)
       ) in_the_way`,
    [sender, limits.organization - 1, recipient, limits.recipient - 1],
  );
  const retryAfterS = rows[0]?.seconds ?? 1;
  return new Refusal(
    'mail_limit',
    `In 24 hours at most ${limits.organization} mails go out to others, ${limits.recipient} of them to one address.`,
    { extra: { retryAfterS } },
  );
}
