import { oneLine, type MailContent } from './blocks.js';
import { BRAND_MAIL_TEXTS } from '../texts/index.js';
import { renderMail } from './render-mail.js';

/** To the owner of a brand: a delivery was given up, or a receiver wants no more of them. */
export function renderWebhookTroubleMail(mail: {
  readonly brandName: string;
  readonly webhookId: string;
  /** Null when the webhook has been deleted meanwhile. */
  readonly host: string | null;
  /** Null when the receiver has answered 410. */
  readonly failed: { readonly event: string; readonly error: string } | null;
}): MailContent {
  const texts = BRAND_MAIL_TEXTS.en.webhookTrouble;
  const { failed, webhookId } = mail;
  return renderMail({
    locale: 'en',
    subject: failed === null ? texts.subject.gone : texts.subject.failed,
    heading: failed === null ? texts.heading.gone : texts.heading.failed,
    blocks: [
      { kind: 'paragraph', text: texts.greeting({ brand: oneLine(mail.brandName) }) },
      { kind: 'paragraph', text: failed === null ? texts.body.gone : texts.body.failed },
      {
        kind: 'facts',
        rows: [
          [texts.webhook, webhookId],
          ...(mail.host === null ? [] : [[texts.receiver, oneLine(mail.host)] as const]),
          ...(failed === null
            ? []
            : [[texts.event, failed.event] as const, [texts.error, oneLine(failed.error)] as const]),
        ],
      },
      { kind: 'paragraph', text: (failed === null ? texts.next.gone : texts.next.failed)({ webhookId }) },
      { kind: 'small', text: texts.rare },
    ],
  });
}
