import { describe, expect, test } from 'vitest';
import {
  COUNTRY_CODES,
  COUNTRY_KEYS,
  countryName,
  isCountryCode,
  normalizeCountry,
} from '../../src/reference-data/countries.js';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  TR: ['Turkey', 'Türkiye', 'TURKIYE', 'Türkei', 'Turquie', 'Turchia', 'Turquía', 'Turquia', 'TUR', 'tr'],
  DE: ['Germany', 'Deutschland', 'Allemagne', 'Germania', 'Alemania', 'Alemanha', 'Almanya', 'ALMANYA'],
  CN: ['China', 'Chine', 'Cina', 'Çin', 'PRC', 'P.R. China', "People's Republic of China", 'Volksrepublik China'],
  GB: ['United Kingdom', 'UK', 'U.K.', 'Great Britain', 'Großbritannien', 'Royaume-Uni', 'Regno Unito', 'İngiltere'],
  US: ['USA', 'U.S.A.', 'United States', 'Vereinigte Staaten', 'États-Unis', 'Stati Uniti', 'Estados Unidos', 'ABD'],
  IN: ['India', 'Indien', 'Inde', 'Índia', 'Hindistan', 'HİNDİSTAN'],
  PT: ['Portugal', 'Portogallo', 'Portekiz'],
  VN: ['Vietnam', 'Viet Nam', 'Viêt Nam'],
  BD: ['Bangladesh', 'Bangladesch', 'Bangladeş'],
  EG: ['Egypt', 'Ägypten', 'Égypte', 'Egitto', 'Egipto', 'Egito', 'Mısır'],
  KR: ['South Korea', 'Korea, Republic of', 'Südkorea', 'Corée du Sud', 'Corea del Sud', 'Güney Kore'],
  NL: ['Netherlands', 'The Netherlands', 'Holland', 'Niederlande', 'Pays-Bas', 'Paesi Bassi', 'Países Bajos', 'Hollanda'],
  CI: ['Ivory Coast', "Côte d'Ivoire", 'Elfenbeinküste', 'Costa d’Avorio'],
  CD: ['DRC', 'DR Congo', 'Congo-Kinshasa'],
  CZ: ['Czechia', 'Czech Republic', 'Tschechien', 'République tchèque'],
  XK: ['Kosovo'],
  MM: ['Myanmar', 'Burma', 'Birmanie'],
  HK: ['Hong Kong', 'Hongkong'],
};

describe('country names', () => {
  test.each(Object.entries(NAMES).flatMap(([code, names]) => names.map((name) => [name, code] as const)))(
    '%j is %s',
    (name, code) => {
      expect(normalizeCountry(name)).toEqual({ code, mapped: true });
    },
  );

  test('1769 keys, and two of them mean two countries', () => {
    expect(COUNTRY_KEYS.size).toBe(1769);
    const twofold = [...COUNTRY_KEYS].filter(([, codes]) => codes.length > 1);
    expect(twofold.map(([key, codes]) => [key, codes.toSorted()])).toEqual([
      ['congo', ['CD', 'CG']],
      ['sao martinho', ['MF', 'SX']],
    ]);
  });

  test('a name that means two countries asks which', () => {
    expect(normalizeCountry('Congo')).toEqual({ ambiguous: ['CG', 'CD'] });
  });

  test('a two-letter code is taken as it is', () => {
    expect(normalizeCountry('TR')).toEqual({ code: 'TR', mapped: false });
    expect(normalizeCountry(' TR ')).toEqual({ code: 'TR', mapped: false });
  });

  test.each(['', 'Atlantis', 'DD', 'East Germany', 'SU', 'AN', 'EU', 'UN', 'ZZ', '__proto__', '42'])(
    '%j is no country',
    (name) => {
      expect(normalizeCountry(name)).toBeNull();
    },
  );

  test('every code is known as itself and has a name in each language of the pages', () => {
    for (const code of COUNTRY_CODES) {
      expect(normalizeCountry(code)).toEqual({ code, mapped: false });
      for (const locale of ['en', 'de', 'fr', 'it', 'es']) expect(countryName(code, locale)).not.toBe(code);
    }
    expect(isCountryCode('TR')).toBe(true);
    for (const code of ['tr', 'DD', 'TUR', '']) expect(isCountryCode(code)).toBe(false);
  });

  test('names are in the language of the page', () => {
    expect(['en', 'de', 'fr', 'it', 'es'].map((locale) => countryName('DE', locale))).toEqual([
      'Germany',
      'Deutschland',
      'Allemagne',
      'Germania',
      'Alemania',
    ]);
    expect(countryName('not a code', 'en')).toBe('not a code');
  });
});
