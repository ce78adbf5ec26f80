import { oneLine, type MailContent } from './blocks.js';
import { BRAND_MAIL_TEXTS } from '../texts/index.js';
import { renderMail } from './render-mail.js';

const LIST = new Intl.ListFormat('en-GB');

/** To the brand: who has not answered after all reminders. */
export function renderNoAnswerMail(mail: {
  readonly brandName: string;
  readonly productName: string;
  readonly poReference: string | null;
  readonly factories: readonly string[];
  /** When they were reminded. */
  readonly remindedAfterDays: readonly number[];
}): MailContent {
  const texts = BRAND_MAIL_TEXTS.en.noAnswer;
  const product = oneLine(mail.productName);
  const when = LIST.format(mail.remindedAfterDays.map((day) => texts.after({ day })));
  return renderMail({
    locale: 'en',
    subject: texts.subject({ product }),
    heading: texts.heading,
    blocks: [
      { kind: 'paragraph', text: texts.greeting({ brand: oneLine(mail.brandName) }) },
      { kind: 'paragraph', text: texts.reminded({ count: mail.factories.length, when }) },
      { kind: 'list', items: mail.factories.map(oneLine) },
      {
        kind: 'facts',
        rows: [
          [texts.product, product],
          ...(mail.poReference === null ? [] : [[texts.order, oneLine(mail.poReference)] as const]),
        ],
      },
      { kind: 'paragraph', text: texts.next },
    ],
  });
}
