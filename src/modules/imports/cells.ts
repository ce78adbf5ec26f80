import { isBlankCell } from '../../infrastructure/spreadsheets/cells.js';
import type { RowError, RowWarning } from './contract.js';

/** Collects what a row has to say for itself while its cells are read. */
export interface Notes {
  readonly errors: RowError[];
  readonly warnings: RowWarning[];
}

const SHOWN_LENGTH = 80;

/** A value as a message quotes it. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const printable = text.replaceAll('\0', '').toWellFormed();
  return `"${printable.length > SHOWN_LENGTH ? `${printable.slice(0, SHOWN_LENGTH)}...` : printable}"`;
}

export const mapped = (field: string, from: string, to: string): RowWarning => ({
  ...{ code: 'mapped', field, from, to },
  message: `${quoted(from)} was read as ${quoted(to)}.`,
});

export const wrongValue = (field: string, message: string): RowError => ({ code: 'invalid_value', field, message });

export const isBlank = (value: unknown): boolean => value == null || (typeof value === 'string' && isBlankCell(value));

/** The text of a cell, without the blanks around it; null for a blank cell and for one that is refused. */
export function textOf(
  notes: Notes,
  field: string,
  value: unknown,
  { max, oneLine }: { readonly max: number; readonly oneLine: boolean },
): string | null {
  if (isBlank(value)) return null;
  const refuse = (message: string): null => {
    notes.errors.push(wrongValue(field, `"${field}" ${message}.`));
    return null;
  };
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return refuse('must be text');
  const text = value.trim();
  if (text.includes('\0')) return refuse('must not contain NUL');
  if (!text.isWellFormed()) return refuse('must be well-formed Unicode');
  if (text.length > max) return refuse(`has more than ${max} characters`);
  if (oneLine && /[\r\n]/.test(text)) return refuse('must be one line');
  return text;
}

/** A code without what keeps spreadsheet programs from making a number of it: `'0123`, `="0123"`. */
export function withoutTextMark(text: string): string {
  if (/^'\d/.test(text)) return text.slice(1);
  return /^="[^"]*"$/.test(text) ? text.slice(2, -1) : text;
}

/** `0.18`, `0,18`, `.18` and numbers; null for anything else. A separator of thousands is refused: it could be either. */
export function numberIn(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return /^[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)$/.test(text) ? Number(text.replace(',', '.')) : null;
}

const YES = ['true', 'yes', 'y', '1', 'ja', 'j', 'wahr', 'oui', 'o', 'vrai', 'si', 's', 'vero', 'verdadero'];
const NO = ['false', 'no', 'n', '0', 'nein', 'falsch', 'non', 'faux', 'falso'];
/** The words of the template: they are read, not interpreted. */
const PLAIN = new Set(['true', 'false', 'yes', 'no', '1', '0']);

/** Yes and no in English, German, French, Italian and Spanish; null if it is neither. */
export function booleanIn(value: unknown): { readonly is: boolean; readonly plain: boolean } | null {
  if (typeof value === 'boolean') return { is: value, plain: true };
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const word = String(value).trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const plain = PLAIN.has(word);
  if (YES.includes(word)) return { is: true, plain };
  return NO.includes(word) ? { is: false, plain } : null;
}

const REMEMBERED = 5_000;
/** A longer text is hardly met twice, and five thousand of them would fill the memory. */
const REMEMBERED_LENGTH = 200;

/** A look-up that remembers: the rows of a file hold the same few materials, countries and categories again and again. */
export function remembering<Found>(lookUp: (text: string) => Found): (text: string) => Found {
  const known = new Map<string, Found>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as Found;
    if (known.size >= REMEMBERED) known.clear();
    const found = lookUp(text);
    if (text.length <= REMEMBERED_LENGTH) known.set(text, found);
    return found;
  };
}
