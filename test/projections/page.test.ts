import { describe, expect, it } from 'vitest';
import { pageOf, startOf } from '../../projections/page.js';
import { Refusal } from '../../src/core/errors.js';

const rows = [3, 2, 1].map((at) => ({ id: `prd_${at}`, at }));
const timeOf = (row: { at: number }) => row.at;

describe('pages of a list', () => {
  it('has no next page when the list fits', () => {
    expect(pageOf(rows, { limit: 3, cursor: null }, timeOf)).toEqual({ data: rows });
  });

  it('names the place of its last row as the start of the next', () => {
    const { data, nextCursor } = pageOf(rows, { limit: 2, cursor: null }, timeOf);
    expect(data).toEqual(rows.slice(0, 2));
    expect(startOf({ limit: 2, cursor: nextCursor ?? '' })).toEqual([2, 'prd_2']);
  });

  it('starts before the newest row without a cursor', () => {
    expect(startOf({ limit: 2, cursor: null })).toEqual(['9223372036854775807', '']);
  });

  it.each([
    '',
    'x',
    'MTIz',
    '!!!',
    Buffer.from('1/a/b').toString('base64url'),
    Buffer.from('1/\0').toString('base64url'),
  ])('refuses the cursor "%s" naming the field', (cursor) => {
    expect(() => startOf({ limit: 2, cursor })).toThrow(Refusal);
    expect(() => startOf({ limit: 2, cursor })).toThrow('"cursor"');
  });
});
