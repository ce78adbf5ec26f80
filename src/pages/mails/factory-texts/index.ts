import type { InEveryFormLocale } from '../../locale.js';
import { de } from './de.js';
import { en, type FactoryMailTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { pt } from './pt.js';
import { tr } from './tr.js';
import { zh } from './zh.js';

export type { FactoryMailKind, FactoryMailTexts } from './en.js';

export const FACTORY_MAIL_TEXTS: InEveryFormLocale<FactoryMailTexts> = { en, de, fr, it, es, tr, zh, pt };
