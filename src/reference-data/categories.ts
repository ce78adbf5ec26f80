import { cell, readTable, type Row } from './tables.js';
import { textKey } from './text-key.js';

export interface Category {
  readonly id: string;
  readonly label: string;
}

export interface Subcategory extends Category {
  readonly categoryId: string;
}

export interface CategoryMatch {
  readonly categoryId: string;
  readonly subcategory: string | null;
  /** The text is not the id itself: the caller says so in a warning. */
  readonly mapped: boolean;
}

const ROWS = readTable('categories');
const rowsOf = (level: string): readonly Row[] => ROWS.filter((row) => cell(row, 'level') === level);

export const CATEGORIES: readonly Category[] = rowsOf('category').map((row) => ({
  id: cell(row, 'id'),
  label: cell(row, 'label'),
}));

export const SUBCATEGORIES: readonly Subcategory[] = rowsOf('subcategory').map((row) => ({
  id: cell(row, 'id'),
  label: cell(row, 'label'),
  categoryId: cell(row, 'parent'),
}));

const CATEGORY_KEYS = keysOf('category');
const SUBCATEGORY_KEYS = keysOf('subcategory');
const PARENTS = new Map(SUBCATEGORIES.map(({ id, categoryId }) => [id, categoryId]));

/**
 * Takes ids and synonyms of categories and sub-categories; a sub-category sets both fields. A word that names both
 * (`shoes`) is read as the category, the less daring of the two.
 */
export function findCategory(text: string): CategoryMatch | null {
  const id = CATEGORY_KEYS.get(textKey(text));
  return id === undefined ? findSubcategory(text) : { categoryId: id, subcategory: null, mapped: id !== text.trim() };
}

/** Takes ids and synonyms of sub-categories alone. */
export function findSubcategory(text: string): (CategoryMatch & { readonly subcategory: string }) | null {
  const id = SUBCATEGORY_KEYS.get(textKey(text));
  const categoryId = id === undefined ? undefined : PARENTS.get(id);
  return id === undefined || categoryId === undefined
    ? null
    : { categoryId, subcategory: id, mapped: id !== text.trim() };
}

function keysOf(level: string): ReadonlyMap<string, string> {
  return new Map(
    rowsOf(level).flatMap((row) =>
      [cell(row, 'id'), cell(row, 'label'), ...cell(row, 'synonyms').split('|')].map(
        (name) => [textKey(name), cell(row, 'id')] as const,
      ),
    ),
  );
}
