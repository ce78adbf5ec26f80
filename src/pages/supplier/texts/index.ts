import type { InEveryLocale } from '../../locale.js';
import { de } from './de.js';
import { en, type SupplierTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

export const SUPPLIER_TEXTS: InEveryLocale<SupplierTexts> = { en, de, fr, it, es };
