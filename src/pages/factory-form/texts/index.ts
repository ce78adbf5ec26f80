import type { InEveryLocale } from '../../locale.js';
import { de } from './de.js';
import { en, type FactoryFormTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

export type { FactoryFormTexts };

export const FACTORY_FORM_TEXTS: InEveryLocale<FactoryFormTexts> = { en, de, fr, it, es };
