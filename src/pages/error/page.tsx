import { renderDocument } from '../design/layout.js';
import type { Locale } from '../locale.js';
import type { ErrorPageView } from '../views.js';
import { ERROR_TEXTS, type TextsOf } from '../texts/index.js';

/** What a status means to somebody who reads a page. */
function kindOfStatus(status: number): Exclude<keyof TextsOf<'error'>, 'reference'> {
  if (status === 404) return 'missing';
  if (status === 410) return 'gone';
  if (status === 429) return 'busy';
  if (status === 503) return 'down';
  return status >= 500 ? 'fault' : 'request';
}

/** A page for any refusal or fault; what the view leaves out is said in general words. */
export function renderErrorPage(view: ErrorPageView, locale: Locale): string {
  const texts = ERROR_TEXTS[locale];
  const general = texts[kindOfStatus(view.status)];
  const title = view.title ?? general.title;
  return renderDocument({
    locale,
    title,
    isPrivate: true,
    children: (
      <div class="wrap narrow lone stack">
        <p class="code">{view.status}</p>
        <h1>{title}</h1>
        <p>{view.detail ?? general.detail}</p>
        {view.requestId != null && (
          <p class="small soft">
            {texts.reference} <span class="mono">{view.requestId}</span>
          </p>
        )}
      </div>
    ),
  });
}
