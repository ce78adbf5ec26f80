import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  consumerJsonLd,
  LOCALES,
  negotiateLocale,
  renderConsumerNotFound,
  renderConsumerPage,
} from '../../src/pages/index.js';
import { certificateState } from '../../src/pages/consumer/certificate-state.js';
import { CONSUMER_TEXTS } from '../../src/pages/texts/index.js';
import { categoryName } from '../../src/pages/names/categories.js';
import { materialName } from '../../src/pages/names/materials.js';
import { CATEGORIES, SUBCATEGORIES } from '../../src/reference-data/categories.js';
import { SCORE_FLAGS } from '../../src/score/flags.js';
import { MARKUP, samplePassport } from './support/samples.js';
import { textOf } from './support/texts.js';

const MAX_BYTES = 60_000;

const longestPassport = () =>
  samplePassport(
    {
      productName: 'n'.repeat(200),
      careInstructions: 'c'.repeat(5000),
      recyclingInstructions: 'r'.repeat(5000),
      expectedLifespan: 'l'.repeat(200),
      materials: Array.from({ length: 50 }, () => ({
        materialType: 'cotton_recycled_post_consumer',
        percentage: 2,
        originCountry: 'TR',
      })),
    },
    {
      versions: Array.from({ length: 20 }, (_, index) => ({
        version: index + 1,
        publishedAt: 1e12,
        contentHash: 'a'.repeat(64),
      })),
    },
  );

describe('the consumer page', () => {
  it('shows what the product is, what it is made of, its footprint, certificates, care and end of life', () => {
    const text = textOf(renderConsumerPage(samplePassport(), 'en'));
    for (const fact of [
      'Everyday Tee, relaxed fit',
      'Nordhaven',
      'T-shirts',
      'NH-TEE-014',
      '04012345678901',
      '7K3MPQ9RSTUV',
      '0.18 kg',
      'Portugal',
      'Organic cotton',
      'Türkiye',
      '95%',
      'Elastane',
      'China',
      '5%',
      'Where it was made Spinning Türkiye Knitting or weaving Portugal',
      '3.40',
      '24% below the average',
      'Manufacturing 1.46 43%',
      'Washing and wearing 1.02 30%',
      'Good',
      'data quality rating 2.7',
      '17% of the footprint',
      'screening estimate',
      'PEFCR',
      'not been verified',
      'GOTS',
      'CU 1030457',
      'Control Union',
      'Valid',
      'Expires soon',
      'Expired',
      'Do not tumble dry',
      '5 years',
      'can be recycled',
      'textile collection point',
      'Version 1',
      '60303ae22b99',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).not.toContain('Preliminary');
    expect(text).not.toContain('has been replaced');
    expect(text).not.toContain('Cutting and sewing');
  });

  for (const locale of LOCALES) {
    it(`is whole in ${locale}: every material, category and flag named`, () => {
      const html = renderConsumerPage(samplePassport(), locale);
      expect(html).toContain(`<html lang="${locale}">`);
      const ids = readFileSync(new URL('../../reference-data/materials.csv', import.meta.url), 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[0] ?? '')
        .filter((id) => id !== '');
      expect(ids.filter((id) => materialName(id, locale) === id.replaceAll('_', ' ') && id.includes('_'))).toEqual([]);
      const categories = [...CATEGORIES, ...SUBCATEGORIES].map(({ id }) => id);
      expect(categories.filter((id) => categoryName(id, locale) === id.replaceAll('_', ' '))).toEqual([]);
      // The disclaimer above the flags says what `screening_estimate` means.
      const flags = Object.keys(SCORE_FLAGS).filter((flag) => flag !== 'screening_estimate');
      expect(flags.filter((flag) => !(flag in CONSUMER_TEXTS[locale].flags))).toEqual([]);
    });

    it(`weighs less than 60 kB in ${locale}, everything included, however much there is to say`, () => {
      expect(Buffer.byteLength(renderConsumerPage(samplePassport(), locale))).toBeLessThan(MAX_BYTES / 2);
      expect(Buffer.byteLength(renderConsumerPage(longestPassport(), locale))).toBeLessThan(MAX_BYTES);
    });
  }

  it('escapes markup in every text field', () => {
    const html = renderConsumerPage(
      samplePassport(
        {
          brandName: MARKUP,
          productName: MARKUP,
          sku: MARKUP,
          categoryId: MARKUP,
          subcategory: MARKUP,
          careInstructions: MARKUP,
          expectedLifespan: MARKUP,
          recyclingInstructions: MARKUP,
          ecommerceUrl: `https://x.example/"><img src=x>`,
          productionDate: MARKUP,
          countryOfManufacture: MARKUP,
          methodVersion: MARKUP,
          materials: [{ materialType: MARKUP, percentage: 100, originCountry: MARKUP }],
          certificates: [{ type: MARKUP, number: MARKUP, issuer: MARKUP, validFrom: MARKUP, validUntil: MARKUP }],
        },
        { gtin: MARKUP, serial: MARKUP, path: MARKUP, asOfDay: MARKUP },
      ),
      'en',
    );
    expect(html).not.toMatch(/<img|<script/i);
    expect(html).toContain('&lt;img');
  });

  it('never leads to an address that is not http or https', () => {
    for (const ecommerceUrl of ['javascript:alert(1)', 'data:text/html,x', 'not a url', ' jAvascript:1']) {
      const html = renderConsumerPage(samplePassport({ ecommerceUrl }), 'en');
      expect(html).not.toContain('Product page of the brand');
    }
  });

  it('says so when it shows an older version, keeps it when the language changes, and leads to the latest', () => {
    const sample = samplePassport();
    const html = renderConsumerPage({ ...sample, version: sample.versions[0]! }, 'en');
    expect(textOf(html)).toContain('You are reading version 1, which has been replaced');
    expect(html).toContain('?lang=de&amp;v=1"');
    expect(html).toContain(`href="${sample.path}?lang=en"`);
  });

  it('says what is preliminary, estimated, assumed or missing', () => {
    const bare = samplePassport(
      {
        weightEstimated: true,
        careInstructions: null,
        recyclable: null,
        certificates: [],
        materials: [],
        sku: null,
        ecommerceUrl: null,
        pefcr: {
          climate_change_per_unit: null,
          breakdown: null,
          vs_average_pct: null,
          data_quality: { dqr: null, level: null, primary_share_pct: null, flags: ['no_composition'] },
        },
      },
      { preliminary: true, gtinGenerated: true },
    );
    const text = textOf(renderConsumerPage(bare, 'en'));
    for (const said of [
      'Preliminary passport',
      'estimated',
      'No footprint could be calculated',
      'the composition is not known',
      'No certificates',
      'gave no GTIN',
    ]) {
      expect(text).toContain(said);
    }
    expect(textOf(renderConsumerPage(samplePassport({ pefcr: null }), 'en'))).toContain(
      'No footprint could be calculated',
    );
  });

  it('has a page of its own for an unknown passport and for an unknown version', () => {
    expect(textOf(renderConsumerNotFound({ what: 'passport', path: '/p/1/2' }, 'fr'))).toContain(
      'Ce passeport n’existe pas',
    );
    const version = renderConsumerNotFound({ what: 'version', path: '/p/"><b>/2' }, 'en');
    expect(version).toContain('no version of that number');
    expect(version).not.toContain('"><b>');
  });
});

describe('the state of a certificate', () => {
  const certificate = { type: 'GOTS', number: null, issuer: null, validFrom: '2026-01-01', validUntil: '2026-12-31' };
  for (const [day, state] of [
    ['2025-12-31', 'not_yet_valid'],
    ['2026-01-01', 'valid'],
    ['2026-11-30', 'valid'],
    ['2026-12-01', 'expires_soon'],
    ['2026-12-31', 'expires_soon'],
    ['2027-01-01', 'expired'],
  ] as const) {
    it(`on ${day} is ${state}`, () => expect(certificateState(certificate, day)).toBe(state));
  }
  it('is not told without an end', () => {
    expect(certificateState({ ...certificate, validUntil: null }, '2026-06-01')).toBeNull();
  });
});

describe('a certificate of which only kind and number are known', () => {
  const bare = { type: 'GOTS', number: 'CU 1', issuer: null, validFrom: null, validUntil: null };

  it.each(LOCALES)('says those two and nothing else: %s', (locale) => {
    const html = renderConsumerPage(samplePassport({ certificates: [bare] }), locale);
    const [, certificate = ''] = /<article class="cert">(.*?)<\/article>/s.exec(html) ?? [];
    expect(textOf(certificate).trim()).toBe(`GOTS ${CONSUMER_TEXTS[locale].certificateNumber} CU 1`);
    expect(html).not.toContain('undefined');
    const [stateOn = ''] = CONSUMER_TEXTS[locale].asOf({ day: '|' }).split('|');
    expect(textOf(html)).not.toContain(stateOn);
  });

  it('says no more in JSON-LD', () => {
    expect(consumerJsonLd(samplePassport({ certificates: [bare] }))['hasCertification']).toEqual([
      { '@type': 'Certification', name: 'GOTS', certificationIdentification: 'CU 1' },
    ]);
  });
});

describe('the JSON-LD of a passport', () => {
  it('tells the same facts as the page', () => {
    const json = consumerJsonLd(samplePassport());
    expect(json).toMatchObject({
      '@type': 'Product',
      '@id': 'https://passport.example.com/p/04012345678901/7K3MPQ9RSTUV',
      name: 'Everyday Tee, relaxed fit',
      brand: { name: 'Nordhaven' },
      gtin: '04012345678901',
      weight: { value: 0.18, unitCode: 'KGM' },
      material: [{ identifier: 'cotton_organic', countryOfOrigin: { identifier: 'TR' } }, { identifier: 'elastane' }],
    });
    expect(JSON.stringify(json)).toContain('"propertyID":"climate_change_per_unit","value":3.395');
    expect(JSON.stringify(json)).toContain('screening estimate');
    expect(json['hasCertification']).toHaveLength(3);
    expect(json['subjectOf']).toHaveLength(2);
  });
});

describe('the language of a page', () => {
  for (const [lang, acceptLanguage, locale] of [
    ['fr', 'de', 'fr'],
    ['pt', 'de-AT,de;q=0.9', 'de'],
    [undefined, 'pt-BR, it;q=0.4, es;q=0.8', 'es'],
    [undefined, 'pt, *;q=0.5', 'en'],
    [undefined, 'en;q=0, fr;q=0.1', 'fr'],
    [undefined, ';;;,q=,x;q=abc', 'en'],
    [undefined, undefined, 'en'],
  ] as const) {
    it(`is ${locale} for ?lang=${lang} and Accept-Language ${acceptLanguage}`, () => {
      expect(negotiateLocale({ lang, acceptLanguage })).toBe(locale);
    });
  }
});
