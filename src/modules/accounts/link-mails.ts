import { accountLinkToken } from '../../infrastructure/links.js';
import type { MailOutbox } from '../../infrastructure/mail-outbox.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { Locale } from '../../pages/locale.js';
import { renderAccountMail } from '../../pages/mails/index.js';
import type { LinkKind } from './links.js';

const PATH: Readonly<Record<LinkKind, string>> = {
  magic_link: '/magic-link',
  password_reset: '/reset-password',
  verification: '/verify',
};

interface DueLink {
  readonly id: string;
  readonly kind: LinkKind;
  readonly locale: Locale;
  readonly attempts: number;
  readonly to: string | null;
}

/** The mails of account links. */
export const linkMails = ({
  database,
  linkKey,
  baseUrl,
}: {
  readonly database: Queryable;
  readonly linkKey: Buffer;
  readonly baseUrl: string;
}): MailOutbox => ({
  name: 'account links',
  takeNext: async (leaseS) => {
    const { rows } = await database.query<DueLink>(
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
      [leaseS],
    );
    const link = rows[0];
    if (link === undefined) return null;
    const { id, kind, locale, attempts, to } = link;
    const write = () => {
      const address = `${baseUrl.replace(/\/+$/, '')}${PATH[kind]}?token=${accountLinkToken(linkKey, id)}`;
      return { messageId: `account-link.${id}`, ...renderAccountMail({ kind, link: address }, locale) };
    };
    return { id, attempts, to, write };
  },
  settle: async (id, retryS) => {
    await database.query(
      'update service.account_links set mail_due_at = now() + make_interval(secs => $2::double precision) where id = $1',
      [id, retryS],
    );
  },
});
