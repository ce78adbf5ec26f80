import type { JSX } from 'preact';

/** What a control of a row carries. */
export interface ControlAttributes<Name extends string> {
  readonly id: string;
  readonly name: Name;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: 'true';
}

/** A label, help, a control and, when it was refused, what is wrong with it. */
export function FieldRow<Name extends string>(props: {
  readonly name: Name;
  readonly label: string;
  readonly help?: string;
  readonly error: string | null;
  readonly children: (attributes: ControlAttributes<Name>) => JSX.Element;
}): JSX.Element {
  const { name, help, error } = props;
  const id = `field-${name}`;
  const describedBy = [help === undefined ? null : `${id}-help`, error === null ? null : `${id}-error`]
    .filter((one) => one !== null)
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {props.children({
        id,
        name,
        ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
        ...(error === null ? {} : { 'aria-invalid': 'true' as const }),
      })}
      {error !== null && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
