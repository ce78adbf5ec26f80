import { countryName } from '../reference-data/countries.js';

/** The languages of the pages. */
export const LOCALES = ['en', 'de', 'fr', 'it', 'es'] as const;

export type Locale = (typeof LOCALES)[number];

/** The languages of the form that factories fill in: those of where they are, too. */
export const FORM_LOCALES = [...LOCALES, 'tr', 'zh', 'pt'] as const;

export type FormLocale = (typeof FORM_LOCALES)[number];

type InEveryFormLocale<T> = Readonly<Record<FormLocale, T>>;

/** What a language calls itself. */
export const LOCALE_NAMES: InEveryFormLocale<string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  it: 'Italiano',
  es: 'Español',
  tr: 'Türkçe',
  zh: '简体中文',
  pt: 'Português',
};

interface Asked {
  readonly lang?: string | undefined;
  readonly acceptLanguage?: string | undefined;
}

/** `?lang=`, then `Accept-Language` with its weights, then English. */
export const negotiateLocale = (asked: Asked): Locale => negotiate(asked, LOCALES);

/** The same among the languages of the factory's form. */
export const negotiateFormLocale = (asked: Asked): FormLocale => negotiate(asked, FORM_LOCALES);

/**
 * The language of a mail that a page or a call asks for. English on a page of fewer languages may be what was left for a browser
 * that asked for another one of ours: then the mail speaks that.
 */
export function negotiateMailLocale(asked: Asked): FormLocale {
  const locale = negotiateFormLocale(asked);
  const own = negotiateFormLocale({ acceptLanguage: asked.acceptLanguage });
  return locale === 'en' && !LOCALES.some((one) => one === own) ? own : locale;
}

function negotiate<Offered extends string>(asked: Asked, offered: readonly Offered[]): Offered | 'en' {
  const offeredFor = (tag: string): Offered | undefined => {
    const language = tag.toLowerCase().split(/[-_]/)[0];
    return offered.find((locale) => locale === language);
  };
  const fromQuery = offeredFor(asked.lang ?? '');
  if (fromQuery !== undefined) return fromQuery;
  const ranges = (asked.acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of ranges) {
    if (tag === '*') return 'en';
    const locale = offeredFor(tag);
    if (locale !== undefined) return locale;
  }
  return 'en';
}

/** How each language writes numbers, days and countries. English dates as most of its readers in Europe write them. */
export const FORMAT_LOCALE: InEveryFormLocale<string> = {
  en: 'en-GB',
  de: 'de-DE',
  fr: 'fr-FR',
  it: 'it-IT',
  es: 'es-ES',
  tr: 'tr-TR',
  zh: 'zh-Hans-CN',
  pt: 'pt-PT',
};

/** What `lang` says of a text: the browser chooses its font, and a screen reader its voice, by it. */
export const languageTag = (locale: FormLocale): string => (locale === 'zh' ? 'zh-Hans' : locale);

export type DecimalSeparator = ',' | '.';

/** What stands before the decimals; a reader of the language types the same. */
export const decimalSeparator = (locale: FormLocale): DecimalSeparator =>
  new Intl.NumberFormat(FORMAT_LOCALE[locale]).format(0.5).includes(',') ? ',' : '.';

/** Orders names as the language does. */
export const collatorOf = (locale: FormLocale): Intl.Collator => new Intl.Collator(FORMAT_LOCALE[locale]);

export interface Formats {
  /** A number with at most `maximumDecimals` decimals. */
  readonly number: (value: number, maximumDecimals?: number) => string;
  /** A number with exactly `decimals` decimals. */
  readonly fixed: (value: number, decimals: number) => string;
  /** `percentage` of 100. */
  readonly percent: (percentage: number) => string;
  /** A moment (ms since the epoch) as a day in UTC. */
  readonly date: (timestampMs: number) => string;
  /** A day (`YYYY-MM-DD`); a text that is none is shown as it is. */
  readonly day: (day: string) => string;
  /** The name of a country by its 2-letter code; an unknown code is shown as it is. */
  readonly country: (code: string) => string;
}

/** How a language writes numbers, days and countries. */
export function formatsOf(locale: FormLocale): Formats {
  const tag = FORMAT_LOCALE[locale];
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    number: (value, maximumDecimals = 3) =>
      new Intl.NumberFormat(tag, { maximumFractionDigits: maximumDecimals }).format(value),
    fixed: (value, decimals) =>
      new Intl.NumberFormat(tag, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value),
    percent: (percentage) =>
      new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 }).format(percentage / 100),
    date: (timestampMs) => dates.format(timestampMs),
    day: (day) =>
      /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? days.format(Date.parse(day)) : day,
    country: (code) => countryName(code, tag),
  };
}
