/**
 * Rounds to `places` decimals, half away from zero, on the decimal value that the number prints as: `toFixed` rounds
 * the binary value and makes 1.00 of 1.005.
 */
export function roundDecimal(value: number, places: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`cannot round ${value}`);
  const [digits = '0', exponent = '0'] = Math.abs(value).toString().split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  // value = coefficient x 10^-scale, exactly as printed
  const coefficient = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  const drop = scale - places;
  if (drop <= 0) return value;
  const divisor = 10n ** BigInt(drop);
  const rounded = (coefficient + divisor / 2n) / divisor;
  const result = Number(`${rounded}e-${places}`);
  return value < 0 && result !== 0 ? -result : result;
}
