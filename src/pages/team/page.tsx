import type { JSX } from 'preact';
import { assertNever } from '../../core/assert-never.js';
import { renderDocument } from '../design/layout.js';
import { NewAccountErrors, NewAccountFields } from '../join/new-account.js';
import { JOIN_TEXTS } from '../texts/index.js';
import type { FormLocale, Locale } from '../locale.js';
import type { TeamPageView } from '../views.js';
import { TEAM_TEXTS } from '../texts/index.js';

/** `/join-team/<token>`: the invitation into an organization, or what became of it. An invalid one goes out with 404. */
export function renderTeamPage(view: TeamPageView, locale: Locale = 'en'): string {
  return renderDocument({
    locale,
    title: titleOf(view, locale),
    ...(view.state === 'open' ? { languageHref: (other: FormLocale) => `${view.action}?lang=${other}` } : {}),
    isPrivate: true,
    children: <div class="wrap narrow lone">{content(view, locale)}</div>,
  });
}

function titleOf(view: TeamPageView, locale: Locale): string {
  const texts = TEAM_TEXTS[locale];
  switch (view.state) {
    case 'open':
      return texts.heading({ organization: view.organizationName });
    case 'joined':
      return texts.joinedTitle;
    case 'invalid':
      return texts.invalidTitle;
    default:
      return assertNever(view);
  }
}

function content(view: TeamPageView, locale: Locale): JSX.Element {
  const texts = TEAM_TEXTS[locale];
  switch (view.state) {
    case 'open':
      return <Invitation view={view} locale={locale} />;
    case 'joined':
      return (
        <>
          <h1>{texts.joinedTitle}</h1>
          <p>{texts.joined({ organization: view.organizationName, email: view.email })}</p>
          <p>
            <a href="/sign-in">{texts.signIn}</a>
          </p>
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

function Invitation(props: {
  readonly view: Extract<TeamPageView, { state: 'open' }>;
  readonly locale: Locale;
}): JSX.Element {
  const { view, locale } = props;
  const texts = TEAM_TEXTS[locale];
  return (
    <>
      <NewAccountErrors view={view} locale={locale} />
      <h1>{texts.heading({ organization: view.organizationName })}</h1>
      <p>{texts.roles[view.role]({ organization: view.organizationName })}</p>
      <form class="form stack" method="post" action={`${view.action}?lang=${locale}`} novalidate>
        {view.hasAccount ? (
          <p>{texts.withAccount({ email: view.email })}</p>
        ) : (
          <NewAccountFields view={view} locale={locale} displayNameHelp={texts.displayNameHelp} />
        )}
        <div class="actions">
          <button type="submit">{view.hasAccount ? texts.accept : JOIN_TEXTS[locale].join}</button>
        </div>
      </form>
      <p class="small soft">{texts.ignore}</p>
    </>
  );
}
