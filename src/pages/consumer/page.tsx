import type { JSX } from 'preact';
import { renderDocument } from '../design/layout.js';
import { formatsOf, type Locale } from '../locale.js';
import type { ConsumerPageView } from '../views.js';
import { Footprint } from './footprint.js';
import { httpLink, kindOf, type PartProps } from './part.js';
import { Care, Certificates, EndOfLife, History, Materials } from './sections.js';
import { CONSUMER_TEXTS } from '../texts/index.js';

/** The public page of a passport, in one language. */
export function renderConsumerPage(view: ConsumerPageView, locale: Locale): string {
  const texts = CONSUMER_TEXTS[locale];
  const parts: PartProps = { view, locale, texts, formats: formatsOf(locale) };
  const isLatest = view.version.version === latestVersion(view);
  const here = isLatest ? '' : `&v=${view.version.version}`;
  return renderDocument({
    locale,
    title: texts.title({ product: view.content.productName, brand: view.content.brandName }),
    languageHref: (other) => `${view.path}?lang=${other}${here}`,
    isPrivate: false,
    head: (
      <link
        rel="alternate"
        type="application/ld+json"
        href={isLatest ? view.path : `${view.path}?v=${view.version.version}`}
      />
    ),
    footer: (
      <>
        <p>{texts.footer}</p>
        <p>{texts.machine}</p>
      </>
    ),
    children: (
      <div class="wrap">
        {!isLatest && <OlderVersion {...parts} />}
        <Hero {...parts} />
        <Materials {...parts} />
        <Footprint {...parts} />
        <Certificates {...parts} />
        <Care {...parts} />
        <EndOfLife {...parts} />
        <History {...parts} />
      </div>
    ),
  });
}

/** The page for an address without a passport; `what` says whether the passport or only the version is missing. */
export function renderConsumerNotFound(
  missing: { readonly what: 'passport' | 'version'; readonly path: string },
  locale: Locale,
): string {
  const texts = CONSUMER_TEXTS[locale];
  return renderDocument({
    locale,
    title: texts.notFoundTitle,
    languageHref: (other) => `${missing.path}?lang=${other}`,
    isPrivate: true,
    children: (
      <div class="wrap narrow lone stack">
        <p class="code">404</p>
        <h1>{texts.notFoundTitle}</h1>
        <p>{missing.what === 'passport' ? texts.notFound : texts.versionNotFound}</p>
        {missing.what === 'version' && (
          <p>
            <a href={`${missing.path}?lang=${locale}`}>{texts.toLatest}</a>
          </p>
        )}
      </div>
    ),
  });
}

const latestVersion = (view: ConsumerPageView): number =>
  Math.max(view.version.version, ...view.versions.map(({ version }) => version));

function OlderVersion({ view, texts, locale }: PartProps): JSX.Element {
  return (
    <div class="note warn" role="note">
      <h2>{texts.olderTitle({ version: view.version.version })}</h2>
      <p>
        {texts.older} <a href={`${view.path}?lang=${locale}`}>{texts.toLatest}</a>
      </p>
    </div>
  );
}

function Hero({ view, texts, formats, locale }: PartProps): JSX.Element {
  const { content } = view;
  const madeIn = content.countryOfManufacture ?? content.countries.making ?? content.factoryCountry;
  const shop = httpLink(content.ecommerceUrl);
  return (
    <div class="hero">
      <div>
        <p class="maker" dir="auto">
          {content.brandName}
        </p>
        <h1 dir="auto">{content.productName}</h1>
        <p class="kind">{kindOf(view, locale)}</p>
        <dl class="facts">
          {content.sku !== null && <Fact name={texts.sku} value={content.sku} />}
          {content.weightKg !== null && (
            <Fact
              name={texts.weight}
              value={`${formats.number(content.weightKg)} kg${content.weightEstimated ? ` (${texts.estimated})` : ''}`}
            />
          )}
          {madeIn !== null && <Fact name={texts.madeIn} value={formats.country(madeIn)} />}
          {content.productionDate !== null && (
            <Fact name={texts.producedOn} value={formats.day(content.productionDate)} />
          )}
        </dl>
        {shop !== null && (
          <p class="kind small">
            <a href={shop} rel="noopener noreferrer nofollow">
              {texts.shop}
            </a>
          </p>
        )}
        {view.preliminary && (
          <div class="note" role="note">
            <h2>{texts.preliminaryTitle}</h2>
            <p>{texts.preliminary}</p>
          </div>
        )}
      </div>
      <section class="label" aria-label={texts.labelTitle}>
        <dl>
          <dt>{texts.gtin}</dt>
          <dd>{view.gtin}</dd>
          <dt>{texts.serial}</dt>
          <dd>{view.serial}</dd>
          <dt>{texts.version}</dt>
          <dd>{view.version.version}</dd>
          <dt>{texts.published}</dt>
          <dd>
            <time dateTime={new Date(view.version.publishedAt).toISOString()}>
              {new Date(view.version.publishedAt).toISOString().slice(0, 10)}
            </time>
          </dd>
        </dl>
        {view.gtinGenerated && <p class="small">{texts.gtinGenerated}</p>}
      </section>
    </div>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
