import { cell, readTable, type Row } from './tables.js';
import { textKey } from './text-key.js';

export type FibreClass = 'natural_vegetal' | 'natural_animal' | 'artificial' | 'synthetic' | 'none';

export interface Material {
  readonly id: string;
  readonly label: string;
  readonly family: string;
  readonly fibreClass: FibreClass;
}

export interface MaterialMatch {
  readonly id: string;
  /** The text is not the id itself: the caller says so in a warning. */
  readonly mapped: boolean;
}

const ROWS = readTable('materials');

/** Every canonical material, in the order of the table. */
export const MATERIALS: readonly Material[] = ROWS.map((row) => ({
  id: cell(row, 'id'),
  label: cell(row, 'label'),
  family: cell(row, 'family'),
  fibreClass: cell(row, 'fibre_class') as FibreClass,
}));

const BY_ID = new Map(MATERIALS.map((material) => [material.id, material]));

/** Normalized id, label or synonym -> material id. */
export const MATERIAL_KEYS: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap((row) => namesOf(row).map((name) => [textKey(name), cell(row, 'id')] as const)),
);

export const findMaterial = (id: string): Material | null => BY_ID.get(id) ?? null;

/**
 * The canonical material of a free text (`Bio-Baumwolle`, `95 % coton`, `Polyamid (recycelt)`), or null if nobody knows it. A
 * word that says what the fibre is made of counts or makes the name unknown; it is never left out.
 */
export function normalizeMaterial(text: string): MaterialMatch | null {
  // Whole first: a synonym may hold digits (`PA 11` is not `PA`, `100% cotton` is a key of its own).
  const id =
    MATERIAL_KEYS.get(textKey(text)) ?? MATERIAL_KEYS.get(textKey(withoutPercentages(text))) ?? qualified(text);
  return id === undefined || saysOfAPart(text) ? null : { id, mapped: id !== text.trim() };
}

const SHARE = /\d{1,3}(?:[.,]\d{1,6})?\s{0,3}[%％]|[%％]\s{0,3}\d{1,3}(?:[.,]\d{1,6})?/g;
const withoutPercentages = (text: string): string => text.replace(SHARE, ' ');

const LETTER = /\p{L}/u;

/** `polyester (50% recycled)` is neither recycled nor new. */
function saysOfAPart(text: string): boolean {
  const shares = text.match(SHARE) ?? [];
  const around = text.split(SHARE);
  const isInside = LETTER.test(around[0] ?? '') && LETTER.test(around.at(-1) ?? '');
  return isInside && shares.some((share) => !share.includes('100')) && saysQuality(text);
}

type Quality = 'recycled' | 'organic';

/** Both without the endings of the languages. */
const QUALITIES: Readonly<Record<Quality, RegExp>> = {
  recycled: /^(?:recycled|recycling|(?:recycelt|rezykliert)(?:e[mnrs]?)?|recycle?e?s?|riciclat[aeio]|reciclad[ao]s?|consumer|grs|rcs)$/,
  organic:
    /^(?:organic|bio|kba|kbt|gots|ocs|(?:biologisch|okologisch)(?:e[mnrs]?)?|biologiques?|biologic(?:[ao]s?|he|i)|organiques?|organic[aio]s?|ecologic[ao]s?)$/,
};
/** Words of certificates and of trade that say nothing about the fibre itself. */
const ASIDE =
  /^(?:rws|rms|rds|fsc|pefc|oeko|tex|oekotex|bluesign|certified|certificat[aeio]|certificad[ao]s?|certifiee?s?|zertifiziert(?:e[mnrs]?)?|tm|aus|from|di|de|da|made|pre|post)$/;

const wordsOf = (text: string): readonly string[] => textKey(text).split(' ');
const qualityOf = (word: string): Quality | null =>
  QUALITIES.recycled.test(word) ? 'recycled' : QUALITIES.organic.test(word) ? 'organic' : null;

/** Whether a remark says how a fibre was made: recycled, organic. */
export const saysQuality = (text: string): boolean => wordsOf(text).some((word) => qualityOf(word) !== null);

/** `GOTS organic cotton`, `polyamid recycelt`: the fibre without the words about it, then the one that has them. */
function qualified(text: string): string | undefined {
  const words = wordsOf(withoutPercentages(text));
  const qualities = new Set(words.map(qualityOf).filter((quality) => quality !== null));
  const name = words.filter((word) => qualityOf(word) === null && !ASIDE.test(word)).join(' ');
  const id = MATERIAL_KEYS.get(name);
  const [quality] = qualities;
  if (id === undefined || quality === undefined) return id;
  if (qualities.size > 1) return undefined;
  // `Econyl recycled` says it twice.
  if (id.split('_').includes(quality)) return id;
  const isPostConsumer = quality === 'recycled' && words.includes('post') && words.includes('consumer');
  return [...(isPostConsumer ? [`${id}_recycled_post_consumer`] : []), `${id}_${quality}`].find((one) => BY_ID.has(one));
}

function namesOf(row: Row): string[] {
  return [cell(row, 'id'), cell(row, 'label'), ...cell(row, 'synonyms').split('|')].filter((name) => name !== '');
}
