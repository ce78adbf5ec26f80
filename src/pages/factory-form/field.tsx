import type { ComponentChildren, JSX } from 'preact';
import type { FieldError } from '../../core/errors.js';
import type { DecimalSeparator } from '../locale.js';
import type { FormValues } from '../views.js';
import { numberAt, textAt } from './parse.js';

/** What every field needs to know of the form around it. */
export interface FormState {
  readonly values: FormValues;
  readonly errors: readonly FieldError[];
  /** As the reader's language writes numbers. */
  readonly decimal: DecimalSeparator;
}

interface FieldProps {
  readonly form: FormState;
  /** JSON path; also the field's name. */
  readonly path: string;
  readonly label: string;
  readonly help: string;
  readonly isWide?: boolean;
}

/** `dyeing.heatMjPerKg` as an id that a link can point to. */
export const fieldId = (path: string): string => `field-${path.replaceAll('.', '-')}`;

const errorAt = (form: FormState, path: string): string | null =>
  form.errors.find((error) => error.path === path)?.message ?? null;

/** Label, help, the control, and the error below it; the control says by ARIA what belongs to it. */
function Field(props: FieldProps & { readonly children: ComponentChildren }): JSX.Element {
  const id = fieldId(props.path);
  const error = errorAt(props.form, props.path);
  return (
    <div class={props.isWide === true ? 'field wide' : 'field'}>
      <label for={id}>{props.label}</label>
      {props.help !== '' && (
        <p class="help" id={`${id}-help`}>
          {props.help}
        </p>
      )}
      <div class="row">{props.children}</div>
      {error !== null && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** The attributes that tie a control to its label, help and error. */
function controlAttributes({ form, path, help }: FieldProps): {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: 'true';
} {
  const id = fieldId(path);
  const hasError = errorAt(form, path) !== null;
  const describedBy = [...(help === '' ? [] : [`${id}-help`]), ...(hasError ? [`${id}-error`] : [])].join(' ');
  return {
    id,
    name: path,
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    ...(hasError ? { 'aria-invalid': 'true' } : {}),
  };
}

/** A number is typed as text: a browser's number field refuses the decimal comma and loses what it cannot read. */
export function NumberField(props: FieldProps & { readonly unit: string }): JSX.Element {
  return (
    <Field {...props} label={props.label}>
      <input
        {...controlAttributes(props)}
        type="text"
        inputmode="decimal"
        autocomplete="off"
        maxLength={40}
        value={numberAt(props.form.values, props.path, props.form.decimal)}
      />
      <span class="unit">{props.unit}</span>
    </Field>
  );
}

export function TextField(props: FieldProps & { readonly maxLength: number }): JSX.Element {
  return (
    <Field {...props}>
      <input
        {...controlAttributes(props)}
        type="text"
        autocomplete="off"
        maxLength={props.maxLength}
        value={textAt(props.form.values, props.path)}
      />
    </Field>
  );
}

/** A day; a text that is none (typed where there is no date picker) is kept in a plain field. */
export function DayField(props: FieldProps): JSX.Element {
  const value = textAt(props.form.values, props.path);
  const isDay = value === '' || (/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)));
  return (
    <Field {...props}>
      {isDay ? (
        <input {...controlAttributes(props)} type="date" value={value} />
      ) : (
        <input {...controlAttributes(props)} type="text" placeholder="YYYY-MM-DD" value={value} />
      )}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly name: string;
}

/** A typed value that is not among the choices stays selectable, so that nothing is lost. */
export function SelectField(
  props: FieldProps & { readonly blank: string; readonly choices: readonly Choice[] },
): JSX.Element {
  const selected = textAt(props.form.values, props.path);
  const isKnown = selected === '' || props.choices.some(({ value }) => value === selected);
  return (
    <Field {...props}>
      <select {...controlAttributes(props)}>
        <option value="">{props.blank}</option>
        {!isKnown && (
          <option value={selected} selected>
            {selected}
          </option>
        )}
        {props.choices.map(({ value, name }) => (
          <option key={value} value={value} selected={value === selected}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function NotesField(props: FieldProps & { readonly maxLength: number }): JSX.Element {
  return (
    <Field {...props} isWide>
      <textarea {...controlAttributes(props)} maxLength={props.maxLength} rows={5}>
        {textAt(props.form.values, props.path)}
      </textarea>
    </Field>
  );
}
