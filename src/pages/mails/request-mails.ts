import { oneLine, type MailBlock, type MailContent, type MailLocale } from './blocks.js';
import { unitName } from '../names/units.js';
import { renderMail } from './render-mail.js';
import { MAIL_TEXTS, type MailTexts } from './texts.js';

export interface FactoryRequestMail {
  /** `request` is the first mail; `brand_reminder` the one that the brand asked for; the other reminders come by themselves. */
  readonly kind: 'request' | 'brand_reminder' | 'reminder_1' | 'reminder_2' | 'changes_requested';
  readonly brandName: string;
  readonly factoryName: string;
  readonly role: 'factory' | 'sub_supplier';
  readonly product: { readonly name: string; readonly sku: string | null };
  readonly batch: { readonly poReference: string | null; readonly quantity: number; readonly unit: string };
  readonly notes: string | null;
  /** What the brand wants changed; shown when `kind` is `changes_requested`. */
  readonly feedback: string | null;
  /** The whole address of the form, `{base_url}/f/<token>`. */
  readonly link: string;
}

/** To a factory or sub-supplier: the request, a reminder of it, or the brand's wish for changes; always the same link. */
export function renderFactoryRequestMail(mail: FactoryRequestMail, locale: MailLocale = 'en'): MailContent {
  const texts = MAIL_TEXTS[locale].request;
  const brand = oneLine(mail.brandName);
  const product = oneLine(mail.product.name);
  return renderMail({
    locale,
    subject: texts.subject[mail.kind](brand, product),
    heading: texts.heading[mail.kind](brand),
    blocks: [
      { kind: 'paragraph', text: texts.hello(oneLine(mail.factoryName)) },
      ...opening(mail, texts, brand),
      { kind: 'facts', rows: facts(mail, texts, locale) },
      ...quotes(mail, texts, brand),
      { kind: 'action', label: texts.action, href: mail.link },
      { kind: 'small', text: texts.form },
      { kind: 'small', text: texts.secret },
    ],
  });
}

function opening({ kind, role }: FactoryRequestMail, texts: MailTexts['request'], brand: string): readonly MailBlock[] {
  if (kind === 'changes_requested') return [{ kind: 'paragraph', text: texts.changes }];
  const body: MailBlock = { kind: 'paragraph', text: texts.body[role](brand) };
  return kind === 'request' ? [body] : [{ kind: 'paragraph', text: texts.reminder[kind] }, body];
}

function facts(
  { product, batch }: FactoryRequestMail,
  texts: MailTexts['request'],
  locale: MailLocale,
): readonly (readonly [string, string])[] {
  const quantity = new Intl.NumberFormat(locale === 'en' ? 'en-GB' : locale).format(batch.quantity);
  return [
    [texts.product, oneLine(product.name)],
    ...(product.sku === null ? [] : [[texts.sku, oneLine(product.sku)] as const]),
    ...(batch.poReference === null ? [] : [[texts.order, oneLine(batch.poReference)] as const]),
    [texts.quantity, `${quantity} ${oneLine(unitName(batch.unit, batch.quantity, locale))}`],
  ];
}

function quotes(mail: FactoryRequestMail, texts: MailTexts['request'], brand: string): readonly MailBlock[] {
  const feedback: readonly MailBlock[] =
    mail.kind === 'changes_requested' && mail.feedback !== null
      ? [{ kind: 'quote', title: texts.feedback(brand), text: mail.feedback }]
      : [];
  const notes: readonly MailBlock[] =
    mail.notes !== null && mail.notes.trim() !== ''
      ? [{ kind: 'quote', title: texts.notes(brand), text: mail.notes }]
      : [];
  return [...feedback, ...notes];
}

/** To the brand: who has not answered after both reminders. */
export function renderNoAnswerMail(
  mail: {
    readonly brandName: string;
    readonly productName: string;
    readonly poReference: string | null;
    readonly factories: readonly string[];
  },
  locale: MailLocale = 'en',
): MailContent {
  const texts = MAIL_TEXTS[locale].noAnswer;
  const product = oneLine(mail.productName);
  return renderMail({
    locale,
    subject: texts.subject(product),
    heading: texts.heading,
    blocks: [
      { kind: 'paragraph', text: texts.greeting(oneLine(mail.brandName)) },
      { kind: 'paragraph', text: texts.body(mail.factories.length) },
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
