import type { InEveryLocale } from '../../locale.js';
import { de } from './de.js';
import { en, type ConsumerTexts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

export type { ConsumerTexts };

export const CONSUMER_TEXTS: InEveryLocale<ConsumerTexts> = { en, de, fr, it, es };
