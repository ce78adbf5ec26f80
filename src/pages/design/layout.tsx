import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { languageTag, LOCALES, LOCALE_NAMES, type FormLocale } from '../locale.js';
import { COMMON_TEXTS } from '../texts/index.js';
import { MARK_PATH, MARK_SIZE } from '../mark.js';
import { STYLESHEET } from './stylesheet.js';

interface Frame {
  readonly locale: FormLocale;
  /** In the browser's tab; the service's name is added. */
  readonly title: string;
  /** Path and query of the same page in another language; without it the page offers no choice. */
  readonly languageHref?: (locale: FormLocale) => string;
  /** The languages to choose from, if not those of all pages. */
  readonly locales?: readonly FormLocale[];
  /** Behind a mailed link: one narrow column, and no search engine. */
  readonly isPrivate: boolean;
  readonly head?: ComponentChildren;
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** What is short enough for the top of a phone's page: readers of Chinese look for their own letters. */
const labelOf = (locale: FormLocale): string => (locale === 'zh' ? '中文' : locale.toUpperCase());

const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}"><path fill="#b5281f" fill-rule="evenodd" d="${MARK_PATH}"/></svg>`,
)}`;

/** The whole document around a page's content. */
export function renderDocument(frame: Frame): string {
  const texts = COMMON_TEXTS[frame.locale];
  return `<!doctype html>${renderToString(
    <html lang={languageTag(frame.locale)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        {frame.isPrivate && <meta name="robots" content="noindex,nofollow" />}
        <title>{`${frame.title} · ${texts.service}`}</title>
        <link rel="icon" href={FAVICON} />
        {frame.head}
        <style dangerouslySetInnerHTML={{ __html: STYLESHEET }} />
      </head>
      <body>
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <header>
          <div class="wrap top">
            <div class="brand">
              <Mark />
              {texts.service}
            </div>
            {frame.languageHref !== undefined && (
              <Languages
                current={frame.locale}
                offered={frame.locales ?? LOCALES}
                label={texts.language}
                href={frame.languageHref}
              />
            )}
          </div>
          <div class="stitch" />
        </header>
        <main id="content">{frame.children}</main>
        {frame.footer !== undefined && (
          <footer>
            <div class={frame.isPrivate ? 'wrap narrow' : 'wrap'}>
              <div class="foot">{frame.footer}</div>
            </div>
          </footer>
        )}
      </body>
    </html>,
  )}`;
}

function Mark(): JSX.Element {
  return (
    <svg viewBox={`0 0 ${MARK_SIZE} ${MARK_SIZE}`} aria-hidden="true">
      <path fill-rule="evenodd" d={MARK_PATH} />
    </svg>
  );
}

function Languages(props: {
  readonly current: FormLocale;
  readonly offered: readonly FormLocale[];
  readonly label: string;
  readonly href: (locale: FormLocale) => string;
}): JSX.Element {
  return (
    <nav class="langs" aria-label={props.label}>
      {props.offered.map((locale) => (
        <a
          key={locale}
          href={props.href(locale)}
          lang={languageTag(locale)}
          hreflang={languageTag(locale)}
          aria-current={locale === props.current ? 'true' : undefined}
        >
          <span>
            {labelOf(locale)}
            <span class="vh"> {LOCALE_NAMES[locale]}</span>
          </span>
        </a>
      ))}
    </nav>
  );
}
