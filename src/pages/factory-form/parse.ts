import type { DecimalSeparator } from '../locale.js';
import type { FormValues } from '../views.js';
import { CERTIFICATE_FIELDS, FIELD_PATHS, MAX_CERTIFICATES, NUMBER_PATHS } from './production-data.js';

/**
 * What a browser sent, as production data: nested by the fields' names, numbers as numbers, blank fields absent, names
 * that the form does not have ignored. A text that is no number stays a string, so that the schema reports it at its path.
 */
export function parseFactoryForm(body: Readonly<Record<string, string>>, decimal: DecimalSeparator = '.'): FormValues {
  const data: Record<string, unknown> = {};
  for (const path of FIELD_PATHS) {
    const text = body[path];
    if (typeof text !== 'string' || text.trim() === '') continue;
    setAt(data, path, NUMBER_PATHS.has(path) ? parseNumber(text, decimal) : lineEndings(text));
  }
  const certificates = parseCertificates(body);
  if (certificates.length > 0) data['certificates'] = certificates;
  return data;
}

/** Blank rows are dropped, so a certificate's place in the answer is its place on the page that answers. */
function parseCertificates(body: Readonly<Record<string, string>>): readonly FormValues[] {
  const rows: FormValues[] = [];
  for (let index = 0; index < MAX_CERTIFICATES; index += 1) {
    const row: Record<string, string> = {};
    for (const field of CERTIFICATE_FIELDS) {
      const text = body[`certificates.${index}.${field}`];
      if (typeof text === 'string' && text.trim() !== '') row[field] = text.trim();
    }
    if (Object.keys(row).length > 0) rows.push(row);
  }
  return rows;
}

/**
 * `12.5`, `12,5`, `1 250`, `1.250,5`, `1,250.5`, `1.250.000`. A comma before exactly three digits can mean either (`1,250`),
 * unless a zero stands before it, and so can a point where the language writes decimals with a comma: such a text stays as it
 * is, and the form asks.
 */
export function parseNumber(text: string, decimal: DecimalSeparator): number | string {
  // Full-width digits are what some keyboards write.
  const compact = text.normalize('NFKC').replace(/[\s'’]/gu, '');
  const plain = unambiguous(compact, decimal);
  return plain !== null && /^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : text.trim();
}

function unambiguous(text: string, decimal: DecimalSeparator): string | null {
  if (/^[+-]?\d{1,3}((\.\d{3})+,\d+|(\.\d{3}){2,})$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (/^[+-]?\d{1,3}((,\d{3})+\.\d+|(,\d{3}){2,})$/.test(text)) return text.replaceAll(',', '');
  if ((decimal === ',' ? /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/ : /^[+-]?[1-9]\d{0,2},\d{3}$/).test(text)) return null;
  return text.replace(',', '.');
}

function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const [head = '', member] = path.split('.');
  if (member === undefined) {
    target[head] = value;
    return;
  }
  const nested = (target[head] ??= {}) as Record<string, unknown>;
  nested[member] = value;
}

/** Browsers send CR LF from a text area. */
const lineEndings = (text: string): string => text.replaceAll('\r\n', '\n').trim();

/** The value at a dotted path (`dyeing.fuel`, `certificates.0.type`) as the text that a field shows; absent is ''. */
export function textAt(values: FormValues, path: string): string {
  let current: unknown = values;
  for (const part of path.split('.')) {
    if (typeof current !== 'object' || current === null) return '';
    current = (current as Readonly<Record<string, unknown>>)[part];
  }
  return typeof current === 'string' || typeof current === 'number' ? String(current) : '';
}

/** The same for a field that holds a number; `parseNumber` reads it back as the same number. */
export function numberAt(values: FormValues, path: string, decimal: DecimalSeparator): string {
  const text = textAt(values, path);
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return text;
  const plain = PLAIN.format(number);
  if (decimal === '.') return plain;
  // With a further zero three decimals cannot be taken for thousands.
  return (/^-?[1-9]\d{0,2}\.\d{3}$/.test(plain) ? `${plain}0` : plain).replace('.', ',');
}

const PLAIN = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 });
