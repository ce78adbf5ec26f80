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

/** The canonical material of a free text (`Bio-Baumwolle`, `95 % coton`), or null if nobody knows it. */
export function normalizeMaterial(text: string): MaterialMatch | null {
  // Whole first: a synonym may hold digits (`PA 11` is not `PA`, `100% cotton` is a key of its own).
  const id = MATERIAL_KEYS.get(textKey(text)) ?? MATERIAL_KEYS.get(textKey(withoutPercentages(text)));
  return id === undefined ? null : { id, mapped: id !== text.trim() };
}

const withoutPercentages = (text: string): string =>
  text.replace(/\d+(?:[.,]\d+)?\s*[%％]|[%％]\s*\d+(?:[.,]\d+)?/g, ' ');

function namesOf(row: Row): string[] {
  return [cell(row, 'id'), cell(row, 'label'), ...cell(row, 'synonyms').split('|')].filter((name) => name !== '');
}
