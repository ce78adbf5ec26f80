import { renderDocument } from '../design/layout.js';
import type { FormLocale } from '../locale.js';
import { FACTORY_FORM_TEXTS } from '../texts/index.js';

/** The page behind a factory link that leads nowhere: `withdrawn` and `declined` go out with 410, `unknown` with 404. */
export function renderFactoryLinkGone(reason: 'withdrawn' | 'declined' | 'unknown', locale: FormLocale): string {
  const texts = FACTORY_FORM_TEXTS[locale];
  const said: Readonly<Record<typeof reason, readonly [code: string, title: string, text: string]>> = {
    withdrawn: ['410', texts.withdrawnTitle, texts.withdrawn],
    declined: ['410', texts.declinedTitle, texts.declined],
    unknown: ['404', texts.unknownTitle, texts.unknown],
  };
  const [code, title, text] = said[reason];
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
