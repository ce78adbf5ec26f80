import { withoutWebAddresses } from '../../core/web-address.js';

/** A mail's content, told once and written twice: as text and as HTML. */
export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'quote'; readonly title: string; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'action'; readonly label: string; readonly href: string }
  | { readonly kind: 'small'; readonly text: string };

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Longer names than a subject line shows are cut in the subject; the mail itself has them in full. */
const SUBJECT_LENGTH = 180;

/** One line without control characters, so nothing in a name can become a header of its own; and without anything to click. */
export function subjectLine(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const letters = [...withoutWebAddresses(line)];
  return letters.length <= SUBJECT_LENGTH ? letters.join('') : `${letters.slice(0, SUBJECT_LENGTH - 1).join('')}…`;
}

/** A value inside a sentence or a row of facts stays on its line. */
export const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
