import type { Role } from '../../core/vocabulary.js';

import { organizationById } from '../../../projections/organizations/queries.js';
import { memberInvitationToken } from '../../infrastructure/links.js';
import { dueAgain, takeDue, type MailOutbox } from '../../infrastructure/mail-outbox.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import type { Locale } from '../../pages/locale.js';
import { renderMemberMail } from '../../pages/mails/index.js';
import { memberMailId } from './store.js';

interface DueMemberMail {
  readonly id: string;
  readonly organizationId: string;
  readonly invitationId: string | null;
  readonly locale: Locale;
  readonly attempts: number;
  readonly to: string | null;
  readonly role: Role | null;
}

/** Mails to new members and to those invited. */
export const memberMails = ({
  database,
  linkKey,
  baseUrl,
}: {
  readonly database: Queryable;
  readonly linkKey: Buffer;
  readonly baseUrl: string;
}): MailOutbox => ({
  name: 'members',
  takeNext: async (leaseS) => {
    const { rows } = await database.query<DueMemberMail>(
      `with taken as (
         ${takeDue('member_mails', 'id, organization_id, account_id, invitation_id, locale, mail_attempts')}
       )
       select taken.id, taken.organization_id as "organizationId", taken.invitation_id as "invitationId", taken.locale,
              taken.mail_attempts as attempts, coalesce(m.role, i.role) as role,
              coalesce(case when m.role is not null then a.email end, i.email) as "to"
         from taken
         left join service.memberships m
           on m.organization_id = taken.organization_id and m.account_id = taken.account_id
         left join service.accounts a on a.id = taken.account_id
         left join service.member_invitations i on i.id = taken.invitation_id and i.expires_at > now()`,
      [leaseS],
    );
    const mail = rows[0];
    if (mail === undefined) return null;
    const { id, organizationId, invitationId, locale, attempts, to, role } = mail;
    return {
      ...{ id, attempts, to },
      write: async () => {
        const organization = await organizationById(database, organizationId);
        // The projector is behind: the next try finds the name.
        if (organization === null || role === null) throw new Error(`${organizationId} is not in the read model yet`);
        const link =
          invitationId === null
            ? `${baseUrl}/sign-in`
            : `${baseUrl}/join-team/${memberInvitationToken(linkKey, invitationId)}`;
        const kind = invitationId === null ? 'added' : 'invited';
        const content = renderMemberMail({ kind, organizationName: organization.name, role, link }, locale);
        return { messageId: memberMailId(id), ...content };
      },
    };
  },
  settle: async (id, retryS) => {
    if (retryS === null) await database.query('delete from service.member_mails where id = $1', [id]);
    else await dueAgain(database, 'member_mails', id, retryS);
  },
});
