import countries, { type LocaleData } from 'i18n-iso-countries/index.js';
import de from 'i18n-iso-countries/langs/de.json' with { type: 'json' };
import en from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import es from 'i18n-iso-countries/langs/es.json' with { type: 'json' };
import fr from 'i18n-iso-countries/langs/fr.json' with { type: 'json' };
import it from 'i18n-iso-countries/langs/it.json' with { type: 'json' };
import pt from 'i18n-iso-countries/langs/pt.json' with { type: 'json' };
import tr from 'i18n-iso-countries/langs/tr.json' with { type: 'json' };
import { cell, readTable } from './tables.js';
import { textKey } from './text-key.js';

export type CountryMatch =
  | {
      readonly code: string;
      /** The text is not the two-letter code itself: the caller says so in a warning. */
      readonly mapped: boolean;
    }
  | { readonly ambiguous: readonly string[] };

const ALPHA3_BY_ALPHA2 = countries.getAlpha2Codes();

/** The current ISO 3166-1 list (and XK); `Intl.DisplayNames` alone would let withdrawn codes such as DD in. */
export const COUNTRY_CODES: readonly string[] = Object.keys(ALPHA3_BY_ALPHA2).sort();

const CODES = new Set(COUNTRY_CODES);

/** Normalized name, alias, two- or three-letter code -> the countries it can mean. */
export const COUNTRY_KEYS: ReadonlyMap<string, readonly string[]> = buildKeys();

export const isCountryCode = (code: string): boolean => CODES.has(code);

/** Names in English, German, French, Italian, Spanish, Portuguese and Turkish, codes, and the words of trade (`UK`). */
export function normalizeCountry(text: string): CountryMatch | null {
  const found = COUNTRY_KEYS.get(textKey(text));
  const code = found?.[0];
  if (found === undefined || code === undefined) return null;
  return found.length > 1 ? { ambiguous: found } : { code, mapped: code !== text.trim() };
}

const displayNames = new Map<string, Intl.DisplayNames>();

/** The name that a reader of `locale` expects; the code itself if it is no country. */
export function countryName(code: string, locale: string): string {
  if (!CODES.has(code)) return code;
  let names = displayNames.get(locale);
  if (names === undefined) {
    names = new Intl.DisplayNames([locale], { type: 'region' });
    displayNames.set(locale, names);
  }
  return names.of(code) ?? code;
}

function buildKeys(): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  const add = (name: string, code: string): void => {
    const key = textKey(name);
    const known = keys.get(key);
    if (known === undefined) keys.set(key, [code]);
    else if (!known.includes(code)) known.push(code);
  };
  for (const [alpha2, alpha3] of Object.entries(ALPHA3_BY_ALPHA2)) {
    add(alpha2, alpha2);
    add(alpha3, alpha2);
  }
  for (const data of [en, de, fr, it, es, pt, tr] satisfies LocaleData[]) {
    for (const [code, names] of Object.entries<string | string[]>(data.countries)) {
      if (CODES.has(code)) for (const name of [names].flat()) add(name, code);
    }
    const regions = new Intl.DisplayNames([data.locale], { type: 'region', fallback: 'none' });
    for (const code of COUNTRY_CODES) {
      const name = regions.of(code);
      if (name !== undefined) add(name, code);
    }
  }
  for (const row of readTable('country_aliases')) add(cell(row, 'alias'), cell(row, 'iso2'));
  return keys;
}
