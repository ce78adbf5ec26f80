import { describe, expect, test } from 'vitest';
import { contentHash } from '../../../src/modules/passports/content-hash.js';
import { passportContent, type PassportSource } from '../../../src/modules/publishing/content.js';
import { passportDecider } from '../../../src/modules/passports/decider.js';
import type { PassportContent, PassportEvent, PassportIdentity } from '../../../src/modules/passports/events.js';
import type { ProductFields } from '../../../src/modules/products/events.js';
import { given } from '../../support/given.js';

const identity: PassportIdentity = {
  dppId: 'dpp_1',
  organizationId: 'org_1',
  batchId: 'bat_1',
  productId: 'prd_1',
  gtin: '4012345678901',
  gtinGenerated: false,
  serial: '7K3MPQ9RSTUV',
  qrUrl: 'https://passports.example/p/4012345678901/7K3MPQ9RSTUV',
  preliminary: false,
};

const product: ProductFields = {
  name: 'T-shirt',
  sku: null,
  gtin: '4012345678901',
  externalId: 'kept to ourselves',
  categoryId: 'textile_apparel',
  subcategory: 'tshirts',
  weightKg: 0.18,
  weightEstimated: false,
  countryOfManufacture: 'PT',
  ecommerceUrl: null,
  careInstructions: 'Cold.',
  expectedLifespan: null,
  recyclable: true,
  recyclingInstructions: null,
  materials: [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'TR', supplierIds: ['sup_2'] }],
};

const source: PassportSource = {
  batchId: 'bat_1',
  productId: 'prd_1',
  quantity: 500,
  unit: 'piece',
  preliminary: false,
  factoryCountry: 'PT',
  production: { productionDate: '2026-10-01', countries: { making: 'PT' } },
  certificates: [],
  score: null,
};

const shown = (changes: Partial<ProductFields> = {}, batch: Partial<PassportSource> = {}): PassportContent =>
  passportContent({
    brandName: 'Brand',
    product: { ...product, ...changes },
    source: { ...source, ...batch },
    defaultWeightKg: 0.25,
  });

const version = (number: number, content: PassportContent, publishedAt: number) => ({
  version: number,
  content,
  contentHash: contentHash(content),
  publishedAt,
});

const published: PassportEvent = { type: 'PassportPublished', data: { ...identity, ...version(1, shown(), 1_000) } };
const passport = (...events: PassportEvent[]) => given(passportDecider, events);

describe('PublishPassport', () => {
  const publish = { type: 'PublishPassport', identity, content: shown(), publishedAt: 1_000 } as const;

  test('publishes the first version', () => {
    passport().when(publish).then(published);
  });
  test('changes nothing for a passport that is out, whatever it would show', () => {
    passport(published)
      .when({ ...publish, content: shown({ name: 'Shirt' }), publishedAt: 2_000 })
      .thenNothing();
  });
});

describe('RepublishPassport', () => {
  const republish = (content: PassportContent) =>
    ({ type: 'RepublishPassport', dppId: 'dpp_1', organizationId: 'org_1', content, publishedAt: 2_000 }) as const;
  const changed = shown({ careInstructions: 'Hand wash.' });

  test('publishes the next version when what it shows has changed', () => {
    passport(published)
      .when(republish(changed))
      .then({
        type: 'PassportRepublished',
        data: { dppId: 'dpp_1', organizationId: 'org_1', ...version(2, changed, 2_000) },
      });
  });
  test('makes no version when it shows the same', () => {
    passport(published)
      .when(republish(shown({ externalId: null })))
      .thenNothing();
  });
  test('goes back to an older content as a version of its own', () => {
    const second: PassportEvent = {
      type: 'PassportRepublished',
      data: { dppId: 'dpp_1', organizationId: 'org_1', ...version(2, changed, 1_500) },
    };
    passport(published, second)
      .when(republish(shown()))
      .then({
        type: 'PassportRepublished',
        data: { dppId: 'dpp_1', organizationId: 'org_1', ...version(3, shown(), 2_000) },
      });
  });
  test('changes nothing for a passport that is not out yet', () => {
    passport().when(republish(changed)).thenNothing();
  });
  test("refuses another organization's passport as not found", () => {
    passport(published)
      .when({ ...republish(changed), organizationId: 'org_2' })
      .thenRefuses('not_found');
  });
});

describe('the content', () => {
  test('holds neither suppliers nor the keys of the catalogue', () => {
    expect(JSON.stringify(shown())).not.toMatch(/sup_2|kept to ourselves/);
  });
  test('takes the submitted weight before that of the product, and the default as an estimate', () => {
    expect(shown({}, { production: { productWeightKg: 0.2 } })).toMatchObject({
      weightKg: 0.2,
      weightEstimated: false,
    });
    expect(shown()).toMatchObject({ weightKg: 0.18, weightEstimated: false });
    expect(shown({ weightKg: null })).toMatchObject({ weightKg: 0.25, weightEstimated: true });
  });
  test('hashes as RFC 8785 demands, whatever the order of its members', () => {
    const content = shown();
    const reversed = Object.fromEntries(Object.entries(content).reverse()) as unknown as PassportContent;
    expect(contentHash(reversed)).toBe(contentHash(content));
    expect(contentHash(content)).toMatch(/^[0-9a-f]{64}$/);
  });
});
