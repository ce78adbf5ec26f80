import type { InEveryFormLocale } from '../../locale.js';
import { de } from './de.js';
import { en, type FactoryFormTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { pt } from './pt.js';
import { tr } from './tr.js';
import { zh } from './zh.js';

export type { FactoryFormTexts };

export const FACTORY_FORM_TEXTS: InEveryFormLocale<FactoryFormTexts> = { en, de, fr, it, es, tr, zh, pt };
