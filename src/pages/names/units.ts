import type { FormLocale } from '../locale.js';
import { COMMON_TEXTS } from '../texts/index.js';

/** The unit after a quantity; brands may use any word, and one that is not known stays as the brand wrote it. */
export const unitName = (unit: string, quantity: number, locale: FormLocale): string =>
  unit === 'piece' ? COMMON_TEXTS[locale].piece({ quantity }) : unit;
