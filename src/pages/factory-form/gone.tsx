import { renderDocument } from '../design/layout.js';
import type { FormLocale } from '../locale.js';
import { FACTORY_FORM_TEXTS } from './texts/index.js';

/** The page behind a factory link that leads nowhere: `withdrawn` goes out with 410, `unknown` with 404. */
export function renderFactoryLinkGone(reason: 'withdrawn' | 'unknown', locale: FormLocale): string {
  const texts = FACTORY_FORM_TEXTS[locale];
  const [code, title, text] =
    reason === 'withdrawn'
      ? ['410', texts.withdrawnTitle, texts.withdrawn]
      : ['404', texts.unknownTitle, texts.unknown];
  return renderDocument({
    locale,
    title,
    isPrivate: true,
    children: (
      <div class="wrap narrow lone stack">
        <p class="code">{code}</p>
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
    ),
  });
}
