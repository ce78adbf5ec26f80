import type { Locale } from '../locale.js';
import { CATEGORY_TEXTS } from '../texts/index.js';

/** The name of a category or sub-category, as a consumer would say it; an unknown id in plain words. */
export function categoryName(id: string, locale: Locale): string {
  const names: Readonly<Record<string, string>> = CATEGORY_TEXTS[locale];
  return names[id] ?? id.replaceAll('_', ' ');
}
