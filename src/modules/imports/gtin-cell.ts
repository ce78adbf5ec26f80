import { parseGtin } from '../../reference-data/gtin.js';
import { isBlank, mapped, quoted, textOf, withoutTextMark, type Notes } from './cells.js';

const LENGTHS = [8, 12, 13, 14];
/** What a spreadsheet shows of a long number: the digits behind it are gone. */
const SCIENTIFIC = /^\d(?:[.,]\d+)?E\+?\d+$/i;
/** Read back from `4.01234E+12`: nobody's numbers end like this, and the check digit is wrong as well. */
const CUT_OFF = /^[1-9]\d{6,}0{6}$/;

/** A GTIN as a sheet may hold it: with spaces, in a number cell, without its leading zeros. */
export function gtinOf(notes: Notes, value: unknown): string | null {
  const field = 'gtin';
  if (isBlank(value)) return null;
  const before = notes.errors.length;
  const cell = textOf(notes, field, value, { max: 200, oneLine: true });
  if (cell === null) {
    if (notes.errors.length > before) notes.errors.length = before;
    notes.errors.push({ code: 'invalid_gtin', field, message: 'A GTIN has 8, 12, 13 or 14 digits.' });
    return null;
  }
  const code = withoutTextMark(cell);
  if (SCIENTIFIC.test(code)) {
    notes.errors.push({
      ...{ code: 'gtin_precision_lost', field },
      message: `The spreadsheet has cut the GTIN to ${quoted(cell)}: format the column as text and enter all digits again.`,
    });
    return null;
  }
  const digits = code.replace(/[\s\u00a0-]/g, '');
  const parsed = parseGtin(digits);
  if (parsed.ok && !parsed.checkDigitValid && CUT_OFF.test(digits)) {
    notes.errors.push({
      ...{ code: 'gtin_precision_lost', field },
      message: `The last digits of the GTIN ${quoted(digits)} are zeros, as a spreadsheet leaves them: format the column as text and enter all digits again.`,
    });
    return null;
  }
  if (parsed.ok) {
    if (digits !== cell) notes.warnings.push(mapped(field, cell, digits));
    if (!parsed.checkDigitValid) {
      notes.warnings.push({
        ...{ code: 'gtin_check_digit', field },
        message: `The check digit of ${quoted(digits)} is wrong.`,
      });
    }
    return digits;
  }
  const padded = withLeadingZeros(digits);
  if (padded !== null) {
    notes.warnings.push(mapped(field, cell, padded));
    return padded;
  }
  notes.errors.push({
    ...{ code: 'invalid_gtin', field },
    message: `A GTIN has 8, 12, 13 or 14 digits; ${quoted(cell)} is none.`,
  });
  return null;
}

/** The number with the zeros that a number cell drops, where the check digit says that this is what it was. */
function withLeadingZeros(digits: string): string | null {
  if (!/^\d{7,11}$/.test(digits)) return null;
  const length = LENGTHS.find((candidate) => candidate > digits.length);
  const padded = length === undefined ? '' : digits.padStart(length, '0');
  const parsed = parseGtin(padded);
  return parsed.ok && parsed.checkDigitValid ? padded : null;
}
