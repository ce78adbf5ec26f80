import { FORM_LOCALES, type FormLocale } from '../locale.js';

/** Countries where business is done in one language, and that is one of ours. Where there are several, nobody is guessed at. */
const COUNTRIES: Readonly<Partial<Record<FormLocale, readonly string[]>>> = {
  de: ['AT', 'DE', 'LI'],
  fr: ['FR', 'MC'],
  it: ['IT', 'SM'],
  es: ['AR', 'CL', 'CO', 'CR', 'CU', 'DO', 'EC', 'ES', 'GT', 'HN', 'MX', 'NI', 'PA', 'PE', 'SV', 'UY', 'VE'],
  tr: ['TR'],
  zh: ['CN', 'TW'],
  pt: ['AO', 'BR', 'CV', 'MZ', 'PT'],
};

const LANGUAGE_OF: ReadonlyMap<string, FormLocale> = new Map(
  FORM_LOCALES.flatMap((locale) => (COUNTRIES[locale] ?? []).map((country) => [country, locale] as const)),
);

/** The language of a mail to a factory: the one that it has used, else that of its country, else English. */
export function mailLocale(factory: { readonly used: string | null; readonly country: string | null }): FormLocale {
  const used = FORM_LOCALES.find((locale) => locale === factory.used);
  return used ?? LANGUAGE_OF.get(factory.country?.toUpperCase() ?? '') ?? 'en';
}
