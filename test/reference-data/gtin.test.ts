import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGtin, restrictedGtin, toGtin14 } from '../../src/reference-data/gtin.js';

describe('GTIN', () => {
  test.each(['96385074', '036000291452', '4006381333931', '10614141000415'])('%s has a good check digit', (gtin) => {
    expect(parseGtin(gtin)).toEqual({ ok: true, gtin, checkDigitValid: true });
    expect(parseGtin(` ${gtin}\n`)).toEqual({ ok: true, gtin, checkDigitValid: true });
  });

  test.each(['96385075', '036000291453', '4006381333930', '10614141000416'])('%s has a wrong one', (gtin) => {
    expect(parseGtin(gtin)).toEqual({ ok: true, gtin, checkDigitValid: false });
  });

  test.each(['', '1', '1234567', '123456789', '12345678901', '123456789012345', '4006381 333931', '4.00638E+12', '٤٠٠٦٣٨١٣'])(
    '%j is none',
    (text) => {
      expect(parseGtin(text)).toEqual({ ok: false });
    },
  );

  test('is compared as 14 digits', () => {
    expect(toGtin14('96385074')).toBe('00000096385074');
    expect(toGtin14('10614141000415')).toBe('10614141000415');
  });

  test('of the restricted range: 13 digits, prefix 2, a good check digit, the same for the same seed', () => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const gtin = restrictedGtin(seed);
        expect(gtin).toMatch(/^2[0-9]{12}$/);
        expect(parseGtin(gtin)).toEqual({ ok: true, gtin, checkDigitValid: true });
        expect(restrictedGtin(seed)).toBe(gtin);
      }),
    );
    expect(restrictedGtin('prd_1')).not.toBe(restrictedGtin('prd_2'));
  });
});
