import type { ComponentChildren, JSX } from 'preact';
import { assertNever } from '../../core/assert-never.js';
import { FieldRow } from '../design/field-row.js';
import { renderDocument } from '../design/layout.js';
import type { Locale } from '../locale.js';
import type { AccountPageView } from '../views.js';
import { ACCOUNT_TEXTS, type TextsOf } from '../texts/index.js';

/** The pages around signing in: the sign-in itself, and what stands behind the links of account mails. */
export function renderAccountPage(view: AccountPageView, locale: Locale = 'en'): string {
  const texts = ACCOUNT_TEXTS[locale];
  const query = queryOf(view);
  return renderDocument({
    locale,
    title: titleOf(view, texts),
    languageHref: (other) => `?${new URLSearchParams({ ...query, lang: other }).toString()}`,
    isPrivate: true,
    children: <div class="wrap narrow lone">{content(view, texts, locale)}</div>,
  });
}

/** What the same page in another language is asked for with. */
function queryOf(view: AccountPageView): Record<string, string> {
  switch (view.state) {
    case 'sign_in':
    case 'mailed':
      return view.next === null ? {} : { next: view.next };
    case 'magic_link':
    case 'verification':
    case 'password_reset':
      return { token: view.token };
    case 'verified':
    case 'password_set':
    case 'link_invalid':
      return {};
    default:
      return assertNever(view);
  }
}

function titleOf(view: AccountPageView, texts: TextsOf<'accounts'>): string {
  switch (view.state) {
    case 'sign_in':
      return texts.signInTitle;
    case 'mailed':
      return texts.mailedTitle;
    case 'magic_link':
      return texts.magicLinkTitle;
    case 'verification':
      return texts.verifyTitle;
    case 'verified':
      return texts.verifiedTitle;
    case 'password_reset':
      return texts.resetTitle;
    case 'password_set':
      return texts.passwordSetTitle;
    case 'link_invalid':
      return texts.linkInvalidTitle;
    default:
      return assertNever(view);
  }
}

function content(view: AccountPageView, texts: TextsOf<'accounts'>, locale: Locale): JSX.Element {
  switch (view.state) {
    case 'sign_in':
      return <SignIn view={view} texts={texts} locale={locale} />;
    case 'mailed':
      return (
        <Message title={texts.mailedTitle}>
          <p>{texts.mailed({ email: view.email })}</p>
          <SignInLink texts={texts} />
        </Message>
      );
    case 'magic_link':
      return (
        <Confirm path="/magic-link" token={view.token} locale={locale} button={texts.magicLinkButton}>
          <h1>{texts.magicLinkTitle}</h1>
          <p>{texts.magicLink({ email: view.email })}</p>
        </Confirm>
      );
    case 'verification':
      return (
        <Confirm path="/verify" token={view.token} locale={locale} button={texts.verifyButton}>
          <h1>{texts.verifyTitle}</h1>
          <p>{texts.verify({ email: view.email })}</p>
          <p class="soft">{texts.verifyNotYou}</p>
        </Confirm>
      );
    case 'verified':
      return (
        <Message title={texts.verifiedTitle}>
          <p>{texts.verified}</p>
          <SignInLink texts={texts} />
        </Message>
      );
    case 'password_reset':
      return <PasswordReset view={view} texts={texts} locale={locale} />;
    case 'password_set':
      return (
        <Message title={texts.passwordSetTitle}>
          <p>{texts.passwordSet}</p>
          <SignInLink texts={texts} />
        </Message>
      );
    case 'link_invalid':
      return (
        <Message title={texts.linkInvalidTitle}>
          <p>{texts.linkInvalid}</p>
          <SignInLink texts={texts} />
        </Message>
      );
    default:
      return assertNever(view);
  }
}

function Message(props: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="stack">
      <h1>{props.title}</h1>
      {props.children}
    </div>
  );
}

function SignInLink({ texts }: { readonly texts: TextsOf<'accounts'> }): JSX.Element {
  return (
    <ul class="todo">
      <li>
        <a href="/sign-in">{texts.toSignIn}</a>
      </li>
    </ul>
  );
}

/** What a mailed link does, it does at a click: programs that look into mails open links too. */
function Confirm(props: {
  readonly path: string;
  readonly token: string;
  readonly locale: Locale;
  readonly button: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <form class="stack" method="post" action={`${props.path}?lang=${props.locale}`}>
      {props.children}
      <input type="hidden" name="token" value={props.token} />
      <div class="actions">
        <button type="submit">{props.button}</button>
      </div>
    </form>
  );
}

function Complaint({ id, text }: { readonly id: string; readonly text: string }): JSX.Element {
  return (
    <div class="note bad" role="alert" tabIndex={-1} id={id}>
      <p>{text}</p>
    </div>
  );
}

function PasswordReset(props: {
  readonly view: Extract<AccountPageView, { state: 'password_reset' }>;
  readonly texts: TextsOf<'accounts'>;
  readonly locale: Locale;
}): JSX.Element {
  const { view, texts } = props;
  return (
    <>
      {view.isRefused && <Complaint id="complaint" text={texts.passwordRefused} />}
      <h1>{texts.resetTitle}</h1>
      <p>{texts.reset}</p>
      <form class="form stack" method="post" action={`/reset-password?lang=${props.locale}`} novalidate>
        <input type="hidden" name="token" value={view.token} />
        {/* Also for password managers, which keep the password under it. */}
        <FieldRow name="email" label={texts.email} error={null}>
          {(attributes) => <input {...attributes} type="email" autocomplete="username" readOnly value={view.email} />}
        </FieldRow>
        <FieldRow
          name="password"
          label={texts.newPassword}
          help={texts.passwordHelp}
          error={view.isRefused ? texts.passwordRefused : null}
        >
          {(attributes) => <input {...attributes} type="password" autocomplete="new-password" maxLength={200} />}
        </FieldRow>
        <div class="actions">
          <button type="submit">{texts.resetButton}</button>
        </div>
      </form>
    </>
  );
}

function SignIn(props: {
  readonly view: Extract<AccountPageView, { state: 'sign_in' }>;
  readonly texts: TextsOf<'accounts'>;
  readonly locale: Locale;
}): JSX.Element {
  const { view, texts, locale } = props;
  const query = new URLSearchParams({ ...queryOf(view), lang: locale }).toString();
  const isAboutEmail = view.refusal === 'email_invalid';
  return (
    <>
      {view.refusal !== null && <Complaint id="complaint" text={texts.refusals[view.refusal]} />}
      <h1>{texts.signInTitle}</h1>
      <form class="form stack" method="post" action={`/sign-in?${query}`} novalidate>
        <FieldRow name="email" label={texts.email} error={isAboutEmail ? texts.refusals.email_invalid : null}>
          {(attributes) => (
            <input {...attributes} type="email" autocomplete="username" maxLength={254} value={view.email} />
          )}
        </FieldRow>
        <FieldRow
          name="password"
          label={texts.password}
          error={view.refusal === 'bad_credentials' ? texts.refusals.bad_credentials : null}
        >
          {(attributes) => <input {...attributes} type="password" autocomplete="current-password" maxLength={200} />}
        </FieldRow>
        <div class="actions">
          <button type="submit" name="action" value="password">
            {texts.signInButton}
          </button>
        </div>
        <div class="decline">
          <button type="submit" name="action" value="magic_link" class="quiet" aria-describedby="magic-link-help">
            {texts.mailLinkButton}
          </button>
          <p class="small soft" id="magic-link-help">
            {texts.mailLinkHelp}
          </p>
        </div>
        <div class="decline">
          <button type="submit" name="action" value="password_reset" class="quiet">
            {texts.forgotButton}
          </button>
        </div>
      </form>
      {view.hasIdentityProvider && (
        <ul class="todo">
          <li>
            <a href={`/sign-in/idp?${query}`}>{texts.identityProvider}</a>
          </li>
        </ul>
      )}
    </>
  );
}
