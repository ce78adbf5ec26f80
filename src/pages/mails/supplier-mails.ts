import type { FormLocale } from '../locale.js';
import { oneLine, type MailBlock, type MailContent } from './blocks.js';
import { FACTORY_MAIL_TEXTS } from '../texts/index.js';
import { renderMail } from './render-mail.js';

interface SupplierMail {
  readonly brandName: string;
  readonly factoryName: string;
  readonly notes: string | null;
  /** The whole address of the invitation, `{base_url}/join/<token>`; the page behind it also declines. */
  readonly link: string;
}

/** To an address without an account: who invites, and where to sign up or decline. */
export function renderSupplierInvitationMail(mail: SupplierMail, locale: FormLocale = 'en'): MailContent {
  const texts = FACTORY_MAIL_TEXTS[locale].invitation;
  const brand = oneLine(mail.brandName);
  return renderMail({
    locale,
    subject: texts.subject({ brand }),
    heading: texts.heading({ brand }),
    blocks: [
      { kind: 'paragraph', text: texts.body({ brand, factory: oneLine(mail.factoryName) }) },
      ...notes(mail, locale),
      { kind: 'paragraph', text: texts.next },
      { kind: 'action', label: texts.action, href: mail.link },
      { kind: 'small', text: texts.decline },
    ],
  });
}

/** To an address that has an account: it has been linked, and how to undo that. */
export function renderSupplierLinkedMail(mail: SupplierMail, locale: FormLocale = 'en'): MailContent {
  const texts = FACTORY_MAIL_TEXTS[locale].linked;
  const brand = oneLine(mail.brandName);
  return renderMail({
    locale,
    subject: texts.heading({ brand }),
    heading: texts.heading({ brand }),
    blocks: [
      { kind: 'paragraph', text: texts.body({ brand, factory: oneLine(mail.factoryName) }) },
      ...notes(mail, locale),
      { kind: 'action', label: texts.action, href: mail.link },
      { kind: 'small', text: texts.decline },
    ],
  });
}

const notes = (mail: SupplierMail, locale: FormLocale): readonly MailBlock[] =>
  mail.notes === null || mail.notes.trim() === ''
    ? []
    : [
        {
          kind: 'quote',
          title: FACTORY_MAIL_TEXTS[locale].notes({ brand: oneLine(mail.brandName) }),
          text: mail.notes,
        },
      ];
