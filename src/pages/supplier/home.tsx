import type { JSX } from 'preact';
import { renderDocument } from '../design/layout.js';
import { formatsOf, type Locale } from '../locale.js';
import { unitName } from '../names/units.js';
import { SUPPLIER_TEXTS } from '../texts/index.js';
import type { SupplierHomeView } from './views.js';

interface PartProps {
  readonly view: SupplierHomeView;
  readonly locale: Locale;
}

/** `/supplier`: what waits for the factory, and the way to its catalogue. */
export function renderSupplierHome(view: SupplierHomeView, locale: Locale): string {
  const texts = SUPPLIER_TEXTS[locale];
  return renderDocument({
    locale,
    title: texts.home,
    languageHref: (other) => `/supplier?lang=${other}`,
    isPrivate: true,
    footer: <p>{texts.signedInAs({ email: view.email })}</p>,
    children: (
      <div class="wrap narrow lone">
        <h1>{texts.home}</h1>
        {!view.isProven && (
          <div class="note warn">
            <h2>{texts.unprovenTitle}</h2>
            <p>{texts.unproven}</p>
            {view.notice === 'mailed' ? (
              <p role="status">{texts.proofMailed({ email: view.email })}</p>
            ) : (
              <form method="post" action={`/supplier?lang=${locale}`}>
                <button type="submit" class="quiet" name="action" value="mail_proof">
                  {texts.mailProof}
                </button>
              </form>
            )}
          </div>
        )}
        <Requests view={view} locale={locale} />
        <section class="own" aria-labelledby="catalogue">
          <h2 id="catalogue">{texts.catalogue}</h2>
          <p class="soft">{texts.catalogueHelp}</p>
          <ul class="todo">
            <li>
              <a href={`/supplier/catalogue?lang=${locale}`}>{texts.catalogue}</a>
            </li>
            <li>
              <a href={`/supplier/catalogue/certificates?lang=${locale}`}>{texts.certificates}</a>
            </li>
          </ul>
        </section>
        <Brands view={view} locale={locale} />
        <form class="form" method="post" action="/sign-out">
          <button type="submit" class="quiet">
            {texts.signOut}
          </button>
        </form>
      </div>
    ),
  });
}

function Requests({ view, locale }: PartProps): JSX.Element {
  const texts = SUPPLIER_TEXTS[locale];
  const formats = formatsOf(locale);
  return (
    <section class="own" aria-labelledby="requests">
      <h2 id="requests">{texts.requests}</h2>
      {view.requests.length === 0 ? (
        <p class="soft">{texts.noRequests}</p>
      ) : (
        <ul class="todo">
          {view.requests.map((request) => (
            <li key={request.id}>
              <a href={`/supplier/requests/${request.id}?lang=${view.formLocale}`}>
                {request.productName} – {request.brandName}
              </a>
              <p class="small soft">
                {request.poReference !== null && `${texts.order} ${request.poReference} · `}
                {formats.number(request.quantity)} {unitName(request.unit, request.quantity, locale)}
                {request.isPublished
                  ? ` · ${texts.published}`
                  : request.state === 'submitted'
                    ? ` · ${texts.answered}`
                    : request.state === 'changes_requested' && ` · ${texts.changes}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Brands({ view, locale }: PartProps): JSX.Element {
  const texts = SUPPLIER_TEXTS[locale];
  return (
    <section class="own" aria-labelledby="brands">
      <h2 id="brands">{texts.brands}</h2>
      {view.brands.length === 0 ? (
        <p class="soft">{texts.noBrands}</p>
      ) : (
        <ul class="todo">
          {view.brands.map(({ supplierId, brandName, sharing }) => (
            <li key={supplierId}>
              <p>
                {brandName}
                {sharing === 'declined' && <span class="soft"> · {texts.declined}</span>}
              </p>
              {sharing !== 'declined' && (
                <form class="acts" method="post" action={`/supplier?lang=${locale}`}>
                  <input type="hidden" name="supplierId" value={supplierId} />
                  {sharing === 'asked' && (
                    <button type="submit" name="action" value="accept" aria-describedby="accept-help">
                      {texts.accept({ brand: brandName })}
                    </button>
                  )}
                  <button type="submit" class="quiet" name="action" value="decline" aria-describedby="decline-help">
                    {texts.decline({ brand: brandName })}
                  </button>
                </form>
              )}
            </li>
          ))}
        </ul>
      )}
      {view.brands.some(({ sharing }) => sharing === 'asked') && (
        <p class="small soft" id="accept-help">
          {texts.acceptHelp}
        </p>
      )}
      {view.brands.some(({ sharing }) => sharing !== 'declined') && (
        <p class="small soft" id="decline-help">
          {texts.declineHelp}
        </p>
      )}
    </section>
  );
}
