import { readFileSync } from 'node:fs';
import { FORM_LOCALES, FORMAT_LOCALE, LOCALES, type FormLocale } from '../locale.js';
import type accountMails from './account-mails/en.json';
import type accounts from './accounts/en.json';
import type { TextArguments } from './arguments.js';
import type brandMails from './brand-mails/en.json';
import type categories from './categories/en.json';
import type common from './common/en.json';
import { compileTexts, type Texts } from './compile.js';
import type consumer from './consumer/en.json';
import type error from './error/en.json';
import type factoryForm from './factory-form/en.json';
import type factoryMails from './factory-mails/en.json';
import type join from './join/en.json';
import type materials from './materials/en.json';
import type memberMails from './member-mails/en.json';
import type supplier from './supplier/en.json';
import type team from './team/en.json';

interface English {
  readonly 'account-mails': typeof accountMails;
  readonly accounts: typeof accounts;
  readonly 'brand-mails': typeof brandMails;
  readonly categories: typeof categories;
  readonly common: typeof common;
  readonly consumer: typeof consumer;
  readonly error: typeof error;
  readonly 'factory-form': typeof factoryForm;
  readonly 'factory-mails': typeof factoryMails;
  readonly join: typeof join;
  readonly materials: typeof materials;
  readonly 'member-mails': typeof memberMails;
  readonly supplier: typeof supplier;
  readonly team: typeof team;
}

/** What an area says: its keys as a tree, a message with arguments as a function of them. */
export type TextsOf<Area extends keyof English> = Texts<keyof English[Area] & string, TextArguments[Area]>;

/** An area in each of its languages. That every file has the keys and arguments of the English one, a test holds. */
const textsOf = <Area extends keyof English, Locale extends FormLocale>(
  area: Area,
  locales: readonly Locale[],
): Readonly<Record<Locale, TextsOf<Area>>> =>
  Object.fromEntries(
    locales.map((locale) => {
      const file = readFileSync(new URL(`${area}/${locale}.json`, import.meta.url), 'utf8');
      return [locale, compileTexts(JSON.parse(file) as Record<string, string>, FORMAT_LOCALE[locale])];
    }),
  ) as unknown as Readonly<Record<Locale, TextsOf<Area>>>;

export const ACCOUNT_MAIL_TEXTS = textsOf('account-mails', FORM_LOCALES);
export const ACCOUNT_TEXTS = textsOf('accounts', LOCALES);
export const BRAND_MAIL_TEXTS = textsOf('brand-mails', ['en']);
export const CATEGORY_TEXTS = textsOf('categories', LOCALES);
export const COMMON_TEXTS = textsOf('common', FORM_LOCALES);
export const CONSUMER_TEXTS = textsOf('consumer', LOCALES);
export const ERROR_TEXTS = textsOf('error', LOCALES);
export const FACTORY_FORM_TEXTS = textsOf('factory-form', FORM_LOCALES);
export const FACTORY_MAIL_TEXTS = textsOf('factory-mails', FORM_LOCALES);
export const JOIN_TEXTS = textsOf('join', LOCALES);
export const MATERIAL_TEXTS = textsOf('materials', FORM_LOCALES);
export const MEMBER_MAIL_TEXTS = textsOf('member-mails', LOCALES);
export const SUPPLIER_TEXTS = textsOf('supplier', LOCALES);
export const TEAM_TEXTS = textsOf('team', LOCALES);
