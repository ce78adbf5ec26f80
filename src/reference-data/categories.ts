import { singularsOf } from './plurals.js';
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

const ALIASES = readTable('category_aliases');
const CATEGORY_NAMES = namesOf('category');
const SUBCATEGORY_NAMES = namesOf('subcategory');
const PARENTS = new Map(SUBCATEGORIES.map(({ id, categoryId }) => [id, categoryId]));

/**
 * Takes ids and synonyms of categories and sub-categories, in singular or plural; a sub-category sets both fields. A word that
 * names both (`shoes`) is read as the category, the less daring of the two; one that is written just so wins over one in
 * another number. Of a path (`Apparel > Clothing > Shirts`) the last name that is known counts, of several the one that says most.
 */
export const findCategory = (text: string): CategoryMatch | null => named(text) ?? ofPaths(text);

function named(text: string): CategoryMatch | null {
  // "Apparel & Accessories" are two things, "Apparel accessories" is one.
  const key = textKey(text.replaceAll('&', ' and '));
  return (
    asCategory(CATEGORY_NAMES.exact.get(key), text) ??
    asSubcategory(SUBCATEGORY_NAMES.exact.get(key), text) ??
    asCategory(inOtherNumber(CATEGORY_NAMES, key), text) ??
    asSubcategory(inOtherNumber(SUBCATEGORY_NAMES, key), text)
  );
}

/** Shops have trees of categories, and products that hang on several branches. */
function ofPaths(text: string): CategoryMatch | null {
  if (!/[>›»,;|/&]/.test(text)) return null;
  const found = text.split(/[,;|]/).flatMap((path) => endOf(path) ?? []);
  // Without any, a name may hold the comma itself.
  return found.length > 0 ? oneOf(found) : endOf(text);
}

/** The last of the names along a path that is known, or that is of known ones: `Coats & Jackets`. */
function endOf(path: string): CategoryMatch | null {
  for (const name of path.split(/[>›»]/).toReversed()) {
    const found = named(name) ?? oneOf(name.split(/[&/,]/).flatMap((part) => named(part) ?? []));
    if (found !== null) return { ...found, mapped: true };
  }
  return null;
}

/** The only sub-category among them, else the only category; null where two could be meant. */
function oneOf(matches: readonly CategoryMatch[]): CategoryMatch | null {
  const ids = new Set(matches.map(({ categoryId }) => categoryId));
  const exact = matches.filter(({ subcategory }) => subcategory !== null);
  const [found, other] = [...new Map((exact.length > 0 ? exact : matches).map((match) => [match.subcategory ?? match.categoryId, match])).values()];
  return found === undefined || other !== undefined || ids.size > 1 ? null : { ...found, mapped: true };
}

/** Takes ids and synonyms of sub-categories alone. */
export function findSubcategory(text: string): (CategoryMatch & { readonly subcategory: string }) | null {
  const key = textKey(text);
  return asSubcategory(SUBCATEGORY_NAMES.exact.get(key) ?? inOtherNumber(SUBCATEGORY_NAMES, key), text);
}

const asCategory = (id: string | undefined, text: string): CategoryMatch | null =>
  id === undefined ? null : { categoryId: id, subcategory: null, mapped: id !== text.trim() };

function asSubcategory(id: string | undefined, text: string) {
  const categoryId = id === undefined ? undefined : PARENTS.get(id);
  return id === undefined || categoryId === undefined
    ? null
    : { categoryId, subcategory: id, mapped: id !== text.trim() };
}

interface Names {
  readonly exact: ReadonlyMap<string, string>;
  /** Singulars of the names, as some stand in the table in the plural alone; not those that could be two. */
  readonly singulars: ReadonlyMap<string, string>;
}

/** A plural of a name, or the singular of one; undefined also when it could be of two. */
function inOtherNumber({ exact, singulars }: Names, key: string): string | undefined {
  const ids = [singulars.get(key), ...singularsOf(key).map((name) => exact.get(name))];
  const found = new Set(ids.filter((id) => id !== undefined));
  return found.size === 1 ? [...found][0] : undefined;
}

function namesOf(level: string): Names {
  const ids = new Set(rowsOf(level).map((row) => cell(row, 'id')));
  const exact = new Map([
    ...ALIASES.filter((row) => ids.has(cell(row, 'id'))).map(
      (row) => [textKey(cell(row, 'alias')), cell(row, 'id')] as const,
    ),
    ...rowsOf(level).flatMap((row) =>
      [cell(row, 'id'), cell(row, 'label'), ...cell(row, 'synonyms').split('|')].map(
        (name) => [textKey(name), cell(row, 'id')] as const,
      ),
    ),
  ]);
  const owners = new Map<string, Set<string>>();
  for (const [key, id] of exact) {
    for (const singular of singularsOf(key)) owners.set(singular, (owners.get(singular) ?? new Set()).add(id));
  }
  const unclear = [...owners].filter(([, of]) => of.size > 1).map(([key]) => key);
  for (const key of unclear) owners.delete(key);
  return { exact, singulars: new Map([...owners].map(([key, of]) => [key, [...of][0] ?? ''])) };
}
