import type { InEveryLocale, Locale } from '../locale.js';

/** The units of a batch that the pages know; brands may use any other word. */
const UNITS: Readonly<Record<string, InEveryLocale<readonly [one: string, many: string]>>> = {
  piece: {
    en: ['piece', 'pieces'],
    de: ['Stück', 'Stück'],
    fr: ['pièce', 'pièces'],
    it: ['capo', 'capi'],
    es: ['prenda', 'prendas'],
  },
};

/** The unit after a quantity; a word that is not known stays as the brand wrote it. */
export const unitName = (unit: string, quantity: number, locale: Locale): string =>
  UNITS[unit]?.[locale][quantity === 1 ? 0 : 1] ?? unit;
