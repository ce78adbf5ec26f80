import type { FormLocale, InEveryFormLocale } from '../locale.js';

/** The units of a batch that the pages know; brands may use any other word. */
const UNITS: Readonly<Record<string, InEveryFormLocale<readonly [one: string, many: string]>>> = {
  piece: {
    en: ['piece', 'pieces'],
    de: ['Stück', 'Stück'],
    fr: ['pièce', 'pièces'],
    it: ['capo', 'capi'],
    es: ['prenda', 'prendas'],
    tr: ['adet', 'adet'],
    zh: ['件', '件'],
    pt: ['peça', 'peças'],
  },
};

/** The unit after a quantity; a word that is not known stays as the brand wrote it. */
export const unitName = (unit: string, quantity: number, locale: FormLocale): string =>
  UNITS[unit]?.[locale][quantity === 1 ? 0 : 1] ?? unit;
