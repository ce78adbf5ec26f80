import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundDecimal } from '../../src/score/rounding.js';

describe('rounding is half away from zero on the decimal value', () => {
  test.each([
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [2.675, 2, 2.68],
    [0.0005, 3, 0.001],
    [3.3954999999, 3, 3.395],
    [-23.65, 1, -23.7],
    [1e21, 2, 1e21],
    [1.23e-7, 3, 0],
    [5e-7, 6, 0.000001],
    [-0.0001, 3, 0],
    [0, 2, 0],
    [9.995, 2, 10],
    [1697.742928242, 2, 1697.74],
  ])('%d to %d places is %d', (value, places, expected) => {
    expect(roundDecimal(value, places)).toBe(expected);
  });

  test('never moves a number by more than half a unit, and rounding twice changes nothing', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.integer({ min: 0, max: 6 }), (value, places) => {
        const rounded = roundDecimal(value, places);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(
          0.5 * 10 ** -places * (1 + 1e-9) + Math.abs(value) * 1e-15,
        );
        expect(roundDecimal(rounded, places)).toBe(rounded);
        expect(roundDecimal(-value, places) + 0).toBe(-rounded + 0);
      }),
    );
  });

  test('refuses what is no number', () => {
    expect(() => roundDecimal(NaN, 2)).toThrow(RangeError);
    expect(() => roundDecimal(Infinity, 2)).toThrow(RangeError);
  });
});
