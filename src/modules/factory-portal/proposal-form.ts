import type { FieldError } from '../../core/errors.js';
import { fieldErrors } from '../../http/validation.js';
import { proposeBody, type ProposeBody } from './proposal-schemas.js';

const FIELDS = ['materialType', 'name', 'contactEmail', 'country'] as const;

/** The fields of a proposal as a form sent them. */
export type TypedProposal = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

/** What was typed into the part of the form that names a supplier; null when that was nothing. */
export function typedProposal(fields: Readonly<Record<string, string>>): TypedProposal | null {
  const typed = FIELDS.flatMap((field) => {
    const text = (fields[`proposal.${field}`] ?? '').trim();
    return text === '' ? [] : [[field, text] as const];
  });
  return typed.length === 0 ? null : Object.fromEntries(typed);
}

/** By the same rules as the API. */
export function readProposal(
  typed: TypedProposal,
): { readonly body: ProposeBody } | { readonly errors: readonly FieldError[] } {
  const parsed = proposeBody.safeParse(typed);
  if (parsed.success) return { body: parsed.data };
  return { errors: atTheForm(fieldErrors(parsed.error)) };
}

/** The form names the fields of a proposal below `proposal`. */
export const atTheForm = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.map((error) => ({ ...error, path: `proposal.${error.path}` }));
