import type { FormLocale } from '../locale.js';
import { MATERIAL_TEXTS } from '../texts/index.js';

/** The name of a material of `reference-data/materials.csv`, as a care label would say it; an unknown id in plain words. */
export function materialName(id: string, locale: FormLocale): string {
  const names: Readonly<Record<string, string>> = MATERIAL_TEXTS[locale];
  return names[id] ?? id.replaceAll('_', ' ');
}
