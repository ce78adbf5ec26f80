import { createHash } from 'node:crypto';

export type ParsedGtin =
  | { readonly ok: true; readonly gtin: string; readonly checkDigitValid: boolean }
  | { readonly ok: false };

/** A GTIN of 8, 12, 13 or 14 digits, as entered; a wrong check digit is the caller's to warn about. */
export function parseGtin(text: string): ParsedGtin {
  const gtin = text.trim();
  if (!/^(?:[0-9]{8}|[0-9]{12,14})$/.test(gtin)) return { ok: false };
  return { ok: true, gtin, checkDigitValid: gtin.endsWith(checkDigit(gtin.slice(0, -1))) };
}

/** The form in which GTINs are compared, and that a GS1 Digital Link carries. */
export const toGtin14 = (gtin: string): string => gtin.padStart(14, '0');

/**
 * A GTIN-13 of the range for restricted circulation (prefix 2) for a product that has none of its own: the same seed
 * always gives the same number. Two seeds in 100 billion meet, so uniqueness is checked where it is reserved.
 */
export function restrictedGtin(seed: string): string {
  const digest = createHash('sha256').update(seed, 'utf8').digest();
  const item = (digest.readBigUInt64BE(0) % 10n ** 11n).toString().padStart(11, '0');
  return `2${item}${checkDigit(`2${item}`)}`;
}

/** GS1 General Specifications §7.9: weights 3 and 1 from the right. */
function checkDigit(digits: string): string {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) sum += Number(digit) * (index % 2 === 0 ? 3 : 1);
  return String((10 - (sum % 10)) % 10);
}
