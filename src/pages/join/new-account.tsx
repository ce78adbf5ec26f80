import type { JSX } from 'preact';
import type { FieldError } from '../../core/errors.js';
import { FieldRow } from '../design/field-row.js';
import type { Locale } from '../locale.js';
import { JOIN_TEXTS } from '../texts/index.js';

interface NewAccountProps {
  readonly view: {
    readonly email: string;
    readonly typed: { readonly displayName: string } | null;
    readonly errors: readonly FieldError[];
  };
  readonly locale: Locale;
}

const TYPED_FIELDS = ['displayName', 'password'] as const;

const isRefused = ({ view }: NewAccountProps, field: (typeof TYPED_FIELDS)[number]): boolean =>
  view.errors.some(({ path }) => path === field);

/** What was wrong with the form of an invitation. */
export function NewAccountErrors(props: NewAccountProps): JSX.Element | null {
  const texts = JOIN_TEXTS[props.locale];
  if (props.view.errors.length === 0) return null;
  return (
    <div class="note bad" role="alert" tabIndex={-1}>
      <h2>{texts.errorsTitle}</h2>
      <ul>
        {TYPED_FIELDS.filter((field) => isRefused(props, field)).map((field) => (
          <li key={field}>
            <a href={`#field-${field}`}>{`${texts[field]}: ${texts.refused[field]}`}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The fields that make an account for the address that was invited. */
export function NewAccountFields(props: NewAccountProps & { readonly displayNameHelp: string }): JSX.Element {
  const { view } = props;
  const texts = JOIN_TEXTS[props.locale];
  const errorOf = (field: (typeof TYPED_FIELDS)[number]): string | null =>
    isRefused(props, field) ? texts.refused[field] : null;
  return (
    <>
      <FieldRow
        name="displayName"
        label={texts.displayName}
        help={props.displayNameHelp}
        error={errorOf('displayName')}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            autocomplete="name"
            maxLength={200}
            value={view.typed?.displayName ?? ''}
          />
        )}
      </FieldRow>
      <FieldRow name="email" label={texts.email} help={texts.emailHelp} error={null}>
        {(attributes) => <input {...attributes} type="email" autocomplete="username" readOnly value={view.email} />}
      </FieldRow>
      <FieldRow name="password" label={texts.password} help={texts.passwordHelp} error={errorOf('password')}>
        {(attributes) => <input {...attributes} type="password" autocomplete="new-password" maxLength={200} />}
      </FieldRow>
    </>
  );
}
