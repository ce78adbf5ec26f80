import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.js';
import { createOutageLog, type OutageLog } from './outage-log.js';
import { MailRefused, type Mail, type Mailer } from './mailer.js';
import type { Queryable } from './postgres/database.js';

/** A mail that is due; whoever took it has it for the length of the lease. */
export interface DueMail {
  readonly id: string;
  readonly attempts: number;
  /** Null when nobody has the address, or the mail is of no use any more. */
  readonly to: string | null;
  /** Written when it goes out, so that it says what is true then. */
  readonly write: () => Omit<Mail, 'to'> | Promise<Omit<Mail, 'to'>>;
}

/** Rows of a table that are mails still to be sent. */
export interface MailOutbox {
  readonly name: string;
  /** Takes the next one for `leaseS`; others pass it by. */
  readonly takeNext: (leaseS: number) => Promise<DueMail | null>;
  /** Sent or given up (null), or to be tried again. */
  readonly settle: (id: string, retryS: number | null) => Promise<void>;
}

type MailTable = 'account_links' | 'member_mails';

/** The statement that takes the next due row of a table, with the lease in seconds as `$1`. */
export const takeDue = (table: MailTable, columns: string): string =>
  `update service.${table}
      set mail_due_at = now() + make_interval(secs => $1), mail_attempts = mail_attempts + 1
    where id = (select id from service.${table} where mail_due_at <= now()
                 order by mail_due_at limit 1 for update skip locked)
   returning ${columns}`;

/** When a row of the table is due again; never, after null. */
export async function dueAgain(db: Queryable, table: MailTable, id: string, retryS: number | null): Promise<void> {
  await db.query(
    `update service.${table} set mail_due_at = now() + make_interval(secs => $2::double precision) where id = $1`,
    [id, retryS],
  );
}

const POLL_MS = 500;
/** Longer than one SMTP exchange may take: whoever took a mail and was killed has its mail sent by the next one then. */
const LEASE_S = 120;
const MAX_RETRY_S = 60;
const STOP_LIMIT_MS = 3_000;

/**
 * Sends what lies in the outboxes, in every API process, each mail once. They go out while the workflow server is down too: people
 * must be able to get in.
 */
export function startMailOutboxes(options: {
  readonly outboxes: readonly MailOutbox[];
  readonly mailer: Mailer;
  readonly logger: Logger;
  readonly pollMs?: number;
}): { stop(): Promise<void> } {
  const { outboxes, logger, pollMs = POLL_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const unsent = createOutageLog(logger, 'could not send a mail');

  const run = async (outbox: MailOutbox): Promise<void> => {
    const looking = createOutageLog(logger, 'could not look for mails to send');
    while (!signal.aborted) {
      let sent = false;
      try {
        sent = await sendNext({ ...options, outbox, unsent });
        looking.worked();
      } catch (error) {
        looking.failed(error, { outbox: outbox.name });
      }
      if (!sent) await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = Promise.all(outboxes.map(run));
  return {
    stop: async () => {
      stopping.abort();
      // A mail server that hangs holds nobody up: the mail is sent by somebody else once its lease has run out.
      await Promise.race([running, sleep(STOP_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}

/** False when no mail is due. */
async function sendNext({
  outbox,
  mailer,
  logger,
  unsent,
}: {
  readonly outbox: MailOutbox;
  readonly mailer: Mailer;
  readonly logger: Logger;
  readonly unsent: OutageLog;
}): Promise<boolean> {
  const mail = await outbox.takeNext(LEASE_S);
  if (mail === null) return false;
  const { id, to } = mail;
  if (to === null) {
    await outbox.settle(id, null);
    return true;
  }
  try {
    await mailer.send({ ...(await mail.write()), to });
    unsent.worked();
    await outbox.settle(id, null);
  } catch (error) {
    const isFinal = error instanceof MailRefused;
    const retryS = Math.min(2 ** mail.attempts, MAX_RETRY_S);
    const which = { outbox: outbox.name, mail: id };
    if (isFinal) logger.warn({ ...which, reason: error.message }, 'a mail is refused');
    else unsent.failed(error, { ...which, retryS });
    await outbox.settle(id, isFinal ? null : retryS);
  }
  return true;
}
