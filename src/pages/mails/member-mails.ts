import type { Role } from '../../core/vocabulary.js';
import type { Locale } from '../locale.js';
import { MEMBER_MAIL_TEXTS } from '../texts/index.js';
import { oneLine, type MailContent } from './blocks.js';
import { renderMail } from './render-mail.js';

export interface MemberMail {
  /** `invited`: the link makes the account. `added`: the account was there, and is a member already. */
  readonly kind: 'invited' | 'added';
  readonly organizationName: string;
  readonly role: Role;
  readonly link: string;
}

/** To somebody who was added to an organization, or is invited into one. */
export function renderMemberMail(
  { kind, organizationName, role, link }: MemberMail,
  locale: Locale = 'en',
): MailContent {
  const texts = MEMBER_MAIL_TEXTS[locale];
  const organization = oneLine(organizationName);
  const heading = texts[kind].heading({ organization });
  return renderMail({
    locale,
    subject: heading,
    heading,
    blocks: [
      { kind: 'paragraph', text: texts[kind].body({ organization, role: texts.roles[role] }) },
      { kind: 'action', label: texts[kind].action, href: link },
      { kind: 'small', text: texts[kind].notYou },
    ],
  });
}
