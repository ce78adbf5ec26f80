import { setTimeout as sleep } from 'node:timers/promises';
import { accountLinkToken } from '../../infrastructure/links.js';
import type { Logger } from '../../infrastructure/logger.js';
import { MailRefused, type Mailer } from '../../infrastructure/mailer.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { Locale } from '../../pages/locale.js';
import { renderAccountMail } from '../../pages/mails/index.js';
import type { LinkKind } from './links.js';

const POLL_MS = 500;
/** Longer than one SMTP exchange may take: whoever took a mail and was killed has its mail sent by the next one then. */
const LEASE_S = 120;
const MAX_RETRY_S = 60;
const STOP_LIMIT_MS = 3_000;

const PATH: Readonly<Record<LinkKind, string>> = {
  magic_link: '/magic-link',
  password_reset: '/reset-password',
  verification: '/verify',
};

interface DueMail {
  readonly id: string;
  readonly kind: LinkKind;
  readonly locale: Locale;
  readonly attempts: number;
  /** Null when nobody has the address, or the link is of no use any more. */
  readonly to: string | null;
}

/**
 * Sends the mails of account links, in every API process, each mail once. They go out while the workflow server is down too:
 * people must be able to get in.
 */
export function startLinkMails(deps: {
  readonly database: Queryable;
  readonly mailer: Mailer;
  readonly linkKey: Buffer;
  readonly baseUrl: string;
  readonly logger: Logger;
  readonly pollMs?: number;
}): { stop(): Promise<void> } {
  const { logger, pollMs = POLL_MS } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let sent = false;
      try {
        sent = await sendNext(deps);
      } catch (error) {
        logger.warn({ err: error }, 'could not look for mails to send');
      }
      if (!sent) await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
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
  database,
  mailer,
  linkKey,
  baseUrl,
  logger,
}: Parameters<typeof startLinkMails>[0]): Promise<boolean> {
  const mail = await takeNext(database);
  if (mail === null) return false;
  const { id, kind, locale, to } = mail;
  if (to === null) {
    await settle(database, id, null);
    return true;
  }
  const link = `${baseUrl.replace(/\/+$/, '')}${PATH[kind]}?token=${accountLinkToken(linkKey, id)}`;
  try {
    await mailer.send({ to, messageId: `account-link.${id}`, ...renderAccountMail({ kind, link }, locale) });
    await settle(database, id, null);
  } catch (error) {
    const isFinal = error instanceof MailRefused;
    const retryS = Math.min(2 ** mail.attempts, MAX_RETRY_S);
    // The message alone: other members of a mail server's error hold the address.
    const reason = error instanceof Error ? error.message.replaceAll(to, '[address]') : 'unknown';
    logger.warn({ link: id, kind, reason, ...(isFinal ? {} : { retryS }) }, 'could not send a mail');
    await settle(database, id, isFinal ? null : retryS);
  }
  return true;
}

async function takeNext(db: Queryable): Promise<DueMail | null> {
  const { rows } = await db.query<DueMail>(
    `with taken as (
       update service.account_links
          set mail_due_at = now() + make_interval(secs => $1), mail_attempts = mail_attempts + 1
        where id = (select id from service.account_links where mail_due_at <= now()
                     order by mail_due_at limit 1 for update skip locked)
       returning id, kind, locale, account_id, mail_attempts, used_at is null and expires_at > now() as is_good
     )
     select taken.id, taken.kind, taken.locale, taken.mail_attempts as attempts,
            case when taken.is_good then a.email end as "to"
       from taken left join service.accounts a on a.id = taken.account_id`,
    [LEASE_S],
  );
  return rows[0] ?? null;
}

/** Sent or given up (null), or to be tried again. */
async function settle(db: Queryable, id: string, retryS: number | null): Promise<void> {
  await db.query(
    'update service.account_links set mail_due_at = now() + make_interval(secs => $2::double precision) where id = $1',
    [id, retryS],
  );
}
