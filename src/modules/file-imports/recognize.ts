import { cell, readTable } from '../../reference-data/tables.js';
import { textKey } from '../../reference-data/text-key.js';
import { weightUnitOf, type WeightUnit } from '../../reference-data/weights.js';
import { FILE_FIELDS } from './fields.js';

export type HowRecognized = 'exact' | 'normalized' | 'meaning';

export interface Recognized {
  /** The name of the column that the header stands for. */
  readonly field: string;
  readonly how: HowRecognized;
}

const EXACT = new Set(FILE_FIELDS.map(({ column }) => column));
const NORMALIZED = new Map(
  FILE_FIELDS.flatMap(({ column, field }) =>
    [textKey(column), textKey(field), textKey(column).replaceAll(' ', '')].map((key) => [key, column] as const),
  ),
);
/** What people call the columns, in five languages. */
const MEANINGS = new Map(readTable('import_headers').map((row) => [textKey(cell(row, 'header')), cell(row, 'column')]));

/** The language of a column, and its channel, as PIM systems write them: `name-en_US`, `name-de_DE-ecommerce`. */
const LOCALE = /-[a-z]{2}_[A-Z]{2}(?:-\w{1,50})?$/;

/** What a header stands for: the name of a column, the same written otherwise, or words that mean it; null if none. */
export function recognize(header: string): Recognized | null {
  const text = header.trim();
  if (LOCALE.test(text)) {
    const found = recognize(text.replace(LOCALE, ''));
    return found === null ? null : { ...found, how: 'meaning' };
  }
  if (EXACT.has(text)) return { field: text, how: 'exact' };
  const key = textKey(text);
  if (key === '') return null;
  const normalized = NORMALIZED.get(key);
  if (normalized !== undefined) return { field: normalized, how: 'normalized' };
  const field = meaningOf(text, key);
  return field === null ? null : { field, how: 'meaning' };
}

/** The unit that a header says its numbers are in; null also where it names several. */
export function unitOfHeader(header: string): WeightUnit | null {
  const units = new Set(wordsOf(header).flatMap((word) => weightUnitOf(word) ?? []));
  return units.size === 1 ? ([...units][0] ?? null) : null;
}

/** `Weight (g)`, `weight_g` and `weightG` say the same. */
const wordsOf = (header: string): readonly string[] =>
  textKey(header.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).split(' ');

/** What may be left out without changing what is meant: units and words that every header can carry. */
const FILLERS = new Set(['en', 'in', 'iso', 'code', 'optional', 'required', 'pflicht', 'pflichtfeld']);

function meaningOf(text: string, key: string): string | null {
  // "Weight per m2" is no weight of a product.
  if (/m2|m²|yd²|gsm|grammage|grammatur/i.test(text)) return null;
  const words = wordsOf(text);
  const bare = words.filter((word) => !FILLERS.has(word) && weightUnitOf(word) === null).join(' ');
  return (
    MEANINGS.get(key) ??
    MEANINGS.get(words.join(' ')) ??
    materialOf(text, key) ??
    MEANINGS.get(bare) ??
    weightOfOne(words) ??
    beforeBracket(text)
  );
}

/** `Gewicht in Gramm pro Stück` */
function weightOfOne(words: readonly string[]): string | null {
  const rest = words.filter((word) => !OF_ONE_PIECE.has(word) && weightUnitOf(word) === null);
  return MEANINGS.get(rest.join(' ')) === 'weight_kg' ? 'weight_kg' : null;
}

/** What stands in brackets explains most names; behind a weight it may make another weight of it, such as that of the carton. */
function beforeBracket(text: string): string | null {
  const [, before = '', inside = ''] = /^([^([{]+)[([{](.*)$/su.exec(text) ?? [];
  const key = textKey(before);
  const field = NORMALIZED.get(key) ?? MEANINGS.get(key) ?? null;
  const isKnown = wordsOf(inside).every((word) => OF_ONE_PIECE.has(word) || weightUnitOf(word) !== null);
  return field === 'weight_kg' && !isKnown ? null : field;
}

const OF_ONE_PIECE = new Set([
  '',
  ...'in en net netto per pro je par piece pc pcs stuck stk unit einheit unite item article artikel'.split(' '),
]);

const MATERIAL = /material|fibre|fiber|faser|fibra|matiere|tessuto|tejido|gewebe|werkstoff|\bstoff|rohstoff/;
const ORIGIN = /origin|herkunft|ursprung|provenance|provenienza|origen|\bland\b|country|\bpays\b|\bpaese\b|\bpais\b/;
const PERCENT = /percent|prozent|anteil|share|pct|pourcentage|percentuale|quota|porcentaje|proporcion/;
const TYPE = /type|\btyp\b|\bart\b|name|\bnom\b|\btipo\b|bezeichnung|material\w{0,20}art\b/;

/**
 * Headers about a material: `Material 1`, `Faser 2 Anteil (%)`, `Origin of fibre 1`. A country is that of a material only where
 * the header says so; without a number everything is about the first.
 */
function materialOf(text: string, key: string): string | null {
  const number = /(?:^|[^\d])([1-9])(?:$|[^\d])/.exec(key)?.[1] ?? null;
  const isPercent = PERCENT.test(key) || text.includes('%');
  const isOrigin = ORIGIN.test(key);
  const isMaterial = MATERIAL.test(key);
  if (!isMaterial && !(number !== null && (isPercent || isOrigin))) return null;
  // The fourth material and those after it have no columns.
  if (number !== null && Number(number) > 3) return null;
  if (isOrigin) return `material_${number ?? 1}_origin`;
  if (isPercent) return `material_${number ?? 1}_percent`;
  if (number !== null || TYPE.test(key)) return `material_${number ?? 1}_type`;
  return null;
}
