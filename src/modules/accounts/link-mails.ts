import { accountLinkToken } from '../../infrastructure/links.js';
import { dueAgain, takeDue, type MailOutbox } from '../../infrastructure/mail-outbox.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { FormLocale } from '../../pages/locale.js';
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
  readonly locale: FormLocale;
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
         ${takeDue('account_links', 'id, kind, locale, account_id, mail_attempts, used_at is null and expires_at > now() as is_good')}
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
      const address = `${baseUrl}${PATH[kind]}?token=${accountLinkToken(linkKey, id)}`;
      return { messageId: `account-link.${id}`, ...renderAccountMail({ kind, link: address }, locale) };
    };
    return { id, attempts, to, write };
  },
  settle: (id, retryS) => dueAgain(database, 'account_links', id, retryS),
});
