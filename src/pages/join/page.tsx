import type { JSX } from 'preact';
import { assertNever } from '../../core/assert-never.js';
import { renderDocument } from '../design/layout.js';
import { formatsOf, type FormLocale, type Locale } from '../locale.js';
import { unitName } from '../names/units.js';
import type { JoinPageView, OpenRequestView } from '../views.js';
import { NewAccountErrors, NewAccountFields } from './new-account.js';
import { JOIN_TEXTS } from '../texts/index.js';

/** `/join/<token>`: the invitation, or what became of it. An invalid one goes out with 404. */
export function renderJoinPage(view: JoinPageView, locale: Locale = 'en'): string {
  return renderDocument({
    locale,
    title: titleOf(view, locale),
    ...(view.state === 'open' || view.state === 'linked'
      ? { languageHref: (other: FormLocale) => `${view.action}?lang=${other}` }
      : {}),
    isPrivate: true,
    children: <div class="wrap narrow lone">{content(view, locale)}</div>,
  });
}

function titleOf(view: JoinPageView, locale: Locale): string {
  const texts = JOIN_TEXTS[locale];
  switch (view.state) {
    case 'open':
      return texts.title({ brand: view.brandName });
    case 'joined':
      return texts.joinedTitle;
    case 'linked':
      return texts.linkedTitle({ brand: view.brandName });
    case 'declined':
      return texts.declinedTitle;
    case 'invalid':
      return texts.invalidTitle;
    default:
      return assertNever(view);
  }
}

function content(view: JoinPageView, locale: Locale): JSX.Element {
  const texts = JOIN_TEXTS[locale];
  switch (view.state) {
    case 'open':
      return <Invitation view={view} locale={locale} />;
    case 'joined':
      return (
        <>
          <h1>{texts.joinedTitle}</h1>
          <p>{texts.joined({ email: view.email, brand: view.brandName })}</p>
          <OpenRequests requests={view.requests} locale={locale} />
        </>
      );
    case 'linked':
      return (
        <>
          <h1>{texts.linkedTitle({ brand: view.brandName })}</h1>
          <p>{texts.linked({ brand: view.brandName, factory: view.factoryName })}</p>
          <OpenRequests requests={view.requests} locale={locale} />
          {view.isShared ? (
            <p role="status">{texts.shared({ brand: view.brandName })}</p>
          ) : (
            <form class="form" method="post" action={`${view.action}?lang=${locale}`}>
              <div class="actions">
                <button type="submit" name="action" value="accept" aria-describedby="accept-help">
                  {texts.accept}
                </button>
              </div>
              <p class="small soft" id="accept-help">
                {texts.acceptHelp({ brand: view.brandName })}
              </p>
              <Decline brandName={view.brandName} locale={locale} />
            </form>
          )}
        </>
      );
    case 'declined':
      return (
        <>
          <h1>{texts.declinedTitle}</h1>
          <p>{texts.declined({ brand: view.brandName })}</p>
        </>
      );
    case 'invalid':
      return (
        <>
          <p class="code">404</p>
          <h1>{texts.invalidTitle}</h1>
          <p>{texts.invalid}</p>
        </>
      );
    default:
      return assertNever(view);
  }
}

function Decline(props: { readonly brandName: string; readonly locale: Locale }): JSX.Element {
  const texts = JOIN_TEXTS[props.locale];
  return (
    <div class="decline">
      <button type="submit" name="action" value="decline" class="quiet" aria-describedby="decline-help">
        {texts.decline}
      </button>
      <p class="small soft" id="decline-help">
        {texts.declineHelp({ brand: props.brandName })}
      </p>
    </div>
  );
}

function Invitation(props: {
  readonly view: Extract<JoinPageView, { state: 'open' }>;
  readonly locale: Locale;
}): JSX.Element {
  const { view, locale } = props;
  const texts = JOIN_TEXTS[locale];
  return (
    <>
      <NewAccountErrors view={view} locale={locale} />
      <h1>{texts.heading({ brand: view.brandName })}</h1>
      <div class="stack">
        <p>{texts.intro({ brand: view.brandName, factory: view.factoryName })}</p>
        <p class="soft">{texts.whatFor}</p>
      </div>
      {view.notes !== null && view.notes !== '' && (
        <div class="said">
          <h2>{texts.message({ brand: view.brandName })}</h2>
          <p class="pre" dir="auto">
            {view.notes}
          </p>
        </div>
      )}
      <form class="form stack" method="post" action={`${view.action}?lang=${locale}`} novalidate>
        <NewAccountFields view={view} locale={locale} displayNameHelp={texts.displayNameHelp} />
        <div class="actions">
          <button type="submit" name="action" value="join">
            {texts.join}
          </button>
        </div>
        <Decline brandName={view.brandName} locale={locale} />
      </form>
    </>
  );
}

/** What waits for the factory's answer, each with its link. */
function OpenRequests(props: { readonly requests: readonly OpenRequestView[]; readonly locale: Locale }): JSX.Element {
  const texts = JOIN_TEXTS[props.locale];
  const formats = formatsOf(props.locale);
  if (props.requests.length === 0) return <p class="soft">{texts.noRequests}</p>;
  return (
    <section class="given" aria-labelledby="open-requests">
      <h2 id="open-requests">{texts.openRequests}</h2>
      <ul class="todo">
        {props.requests.map((request) => (
          <li key={request.href}>
            <a href={request.href}>
              {request.productName} – {request.brandName}
            </a>
            <p class="small soft">
              {request.poReference !== null && `${texts.order} ${request.poReference} · `}
              {formats.number(request.quantity)} {unitName(request.unit, request.quantity, props.locale)}
              {request.state === 'submitted' && ` · ${texts.answered}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
