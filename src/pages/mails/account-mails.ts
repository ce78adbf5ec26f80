import type { FormLocale } from '../locale.js';
import { ACCOUNT_MAIL_TEXTS, type TextsOf } from '../texts/index.js';
import type { MailContent } from './blocks.js';
import { renderMail } from './render-mail.js';

export interface AccountMail {
  readonly kind: keyof TextsOf<'account-mails'>;
  /** The whole address, with the token. */
  readonly link: string;
}

/** A link that signs in, sets a new password or proves an address: what it does, how long, and what to do if nobody asked. */
export function renderAccountMail({ kind, link }: AccountMail, locale: FormLocale = 'en'): MailContent {
  const texts = ACCOUNT_MAIL_TEXTS[locale][kind];
  return renderMail({
    locale,
    subject: texts.heading,
    heading: texts.heading,
    blocks: [
      { kind: 'paragraph', text: texts.body },
      { kind: 'action', label: texts.action, href: link },
      { kind: 'small', text: texts.notYou },
    ],
  });
}
