import type { RequestMail, RequestRole } from '../../core/vocabulary.js';
import { formatsOf, type FormLocale } from '../locale.js';
import { unitName } from '../names/units.js';
import { oneLine, type MailBlock, type MailContent } from './blocks.js';
import { FACTORY_MAIL_TEXTS, type TextsOf } from '../texts/index.js';
import { renderMail } from './render-mail.js';

export interface FactoryRequestMail {
  readonly kind: RequestMail;
  readonly brandName: string;
  readonly factoryName: string;
  readonly role: RequestRole;
  readonly product: { readonly name: string; readonly sku: string | null };
  readonly batch: { readonly poReference: string | null; readonly quantity: number; readonly unit: string };
  readonly notes: string | null;
  /** What the brand wants changed; shown when `kind` is `changes_requested`. */
  readonly feedback: string | null;
  /** The whole address of the form, `{base_url}/f/<token>`. */
  readonly link: string;
}

/** To a factory or sub-supplier: the request, a reminder of it, or the brand's wish for changes; always the same link. */
export function renderFactoryRequestMail(mail: FactoryRequestMail, locale: FormLocale = 'en'): MailContent {
  const { request: texts, notes } = FACTORY_MAIL_TEXTS[locale];
  const brand = oneLine(mail.brandName);
  const product = oneLine(mail.product.name);
  return renderMail({
    locale,
    subject: texts.subject[mail.kind]({ brand, product }),
    heading: texts.heading[headingOf(mail.kind)]({ brand }),
    blocks: [
      { kind: 'paragraph', text: texts.hello({ factory: oneLine(mail.factoryName) }) },
      ...opening(mail, texts, brand),
      { kind: 'facts', rows: facts(mail, texts, locale) },
      ...quotes(mail, { feedback: texts.feedback({ brand }), notes: notes({ brand }) }),
      { kind: 'action', label: texts.action, href: mail.link },
      { kind: 'small', text: texts.form },
      { kind: 'small', text: texts.secret },
    ],
  });
}

const headingOf = (kind: RequestMail): keyof TextsOf<'factory-mails'>['request']['heading'] =>
  kind === 'request' || kind === 'changes_requested' ? kind : 'reminder';

function opening(
  { kind, role }: FactoryRequestMail,
  texts: TextsOf<'factory-mails'>['request'],
  brand: string,
): readonly MailBlock[] {
  if (kind === 'changes_requested') return [{ kind: 'paragraph', text: texts.changes }];
  const body: MailBlock = { kind: 'paragraph', text: texts.body[role]({ brand }) };
  return kind === 'request' ? [body] : [{ kind: 'paragraph', text: texts.reminder[kind] }, body];
}

function facts(
  { product, batch }: FactoryRequestMail,
  texts: TextsOf<'factory-mails'>['request'],
  locale: FormLocale,
): readonly (readonly [string, string])[] {
  const quantity = formatsOf(locale).number(batch.quantity);
  return [
    [texts.product, oneLine(product.name)],
    ...(product.sku === null ? [] : [[texts.sku, oneLine(product.sku)] as const]),
    ...(batch.poReference === null ? [] : [[texts.order, oneLine(batch.poReference)] as const]),
    [texts.quantity, `${quantity} ${oneLine(unitName(batch.unit, batch.quantity, locale))}`],
  ];
}

function quotes(
  mail: FactoryRequestMail,
  titles: { readonly feedback: string; readonly notes: string },
): readonly MailBlock[] {
  const feedback: readonly MailBlock[] =
    mail.kind === 'changes_requested' && mail.feedback !== null
      ? [{ kind: 'quote', title: titles.feedback, text: mail.feedback }]
      : [];
  const notes: readonly MailBlock[] =
    mail.notes !== null && mail.notes.trim() !== '' ? [{ kind: 'quote', title: titles.notes, text: mail.notes }] : [];
  return [...feedback, ...notes];
}
