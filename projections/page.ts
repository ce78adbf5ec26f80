import { invalid } from '../src/core/errors.js';

/** Which part of a list: newest first, from after `cursor` on. */
export interface Page {
  readonly limit: number;
  readonly cursor: string | null;
}

export interface Paged<Item> {
  readonly data: Item[];
  /** There is more: the cursor of the next page. */
  readonly nextCursor?: string;
}

/** Where a page ends: the sort key of its last row. */
interface Place {
  readonly at: number | string;
  readonly id: string;
}

// Before the newest row: no time is later, so one and the same SQL serves the first page.
const BEFORE_ALL: Place = { at: '9223372036854775807', id: '' };

const encodeCursor = (place: Place): string => Buffer.from(`${place.at}/${place.id}`).toString('base64url');

function decodeCursor(cursor: string): Place {
  const match = /^(\d{1,16})\/([^\0/]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match === null) throw invalid('cursor', '"cursor" is not one that this list has answered.');
  return { at: Number(match[1]), id: match[2] ?? '' };
}

/** The place where the page starts, as the two values that `(time, id) < ($a, $b)` compares. */
export const startOf = (page: Page): readonly [at: number | string, id: string] => {
  const { at, id } = page.cursor === null ? BEFORE_ALL : decodeCursor(page.cursor);
  return [at, id];
};

/** Makes a page of the rows of a query that asked for one row more than the limit. */
export function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  page: Page,
  timeOf: (row: Row) => number,
): Paged<Row> {
  if (rows.length <= page.limit) return { data: [...rows] };
  const data = rows.slice(0, page.limit);
  const last = data.at(-1);
  return last === undefined ? { data } : { data, nextCursor: encodeCursor({ at: timeOf(last), id: last.id }) };
}
