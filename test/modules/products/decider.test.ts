import { describe, expect, test } from 'vitest';
import { compositionTotal, isWhole, productDecider } from '../../../src/modules/products/decider.js';
import type { Material, ProductEvent, ProductFields } from '../../../src/modules/products/events.js';
import { given } from '../../support/given.js';

const productId = 'prd_1';
const organizationId = 'org_1';
const ref = { productId, organizationId };

const material = (materialType: string, percentage: number): Material => ({
  materialType,
  percentage,
  originCountry: null,
  supplierIds: [],
});
const COTTON = [material('cotton_organic', 95), material('elastane', 5)];

const FIELDS: ProductFields = {
  name: 'T-shirt',
  sku: 'TS-1',
  gtin: null,
  externalId: null,
  categoryId: 'textile_apparel',
  subcategory: 'tshirts',
  weightKg: 0.18,
  weightEstimated: false,
  countryOfManufacture: null,
  ecommerceUrl: null,
  careInstructions: null,
  expectedLifespan: null,
  recyclable: null,
  recyclingInstructions: null,
  materials: COTTON,
};

const created: ProductEvent = { type: 'ProductCreated', data: { ...ref, ...FIELDS } };
const bare: ProductEvent = { type: 'ProductCreated', data: { ...ref, ...FIELDS, materials: [] } };
const issued: ProductEvent = { type: 'ProductPassportIssued', data: { productId, batchId: 'bat_1', dppId: 'dpp_1' } };
const deleted: ProductEvent = { type: 'ProductDeleted', data: ref };

const product = (...events: ProductEvent[]) => given(productDecider, events);

describe('CreateProduct', () => {
  const create = (fields: Partial<ProductFields> = {}) =>
    ({ type: 'CreateProduct', ...ref, fields: { ...FIELDS, ...fields } }) as const;

  test('makes a product with all its fields', () => {
    product().when(create()).then(created);
  });
  test('makes a product without a composition', () => {
    product()
      .when(create({ materials: [] }))
      .then(bare);
  });
  test('refuses a composition that does not total 100, naming the total', () => {
    const refusal = product()
      .when(create({ materials: [material('elastane', 99.98)] }))
      .thenRefuses('invalid_input', /99\.98/);
    expect(refusal.errors[0]?.path).toBe('materials');
  });
  test('changes nothing when it is sent again', () => {
    product(created)
      .when(create({ name: 'Other' }))
      .thenNothing();
  });
});

describe('UpdateProduct', () => {
  const update = (changes: Partial<ProductFields>) => ({ type: 'UpdateProduct', ...ref, changes }) as const;
  const updated = (changes: Partial<ProductFields>): ProductEvent => ({
    type: 'ProductUpdated',
    data: { productId, changes, passportCount: 0 },
  });

  test('reports only the fields that differ', () => {
    product(created)
      .when(update({ name: 'Shirt', sku: 'TS-1', materials: COTTON }))
      .then(updated({ name: 'Shirt' }));
  });
  test('clears a field with null', () => {
    product(created)
      .when(update({ sku: null }))
      .then(updated({ sku: null }));
  });
  test('replaces the whole composition', () => {
    const materials = [material('linen', 100)];
    product(created).when(update({ materials })).then(updated({ materials }));
  });
  test('drops the sub-category when the product moves to another category', () => {
    product(created)
      .when(update({ categoryId: 'footwear' }))
      .then(updated({ categoryId: 'footwear', subcategory: null }));
  });
  test('changes nothing when everything is so already', () => {
    product(created)
      .when(update({ name: 'T-shirt', categoryId: 'textile_apparel' }))
      .thenNothing();
  });
  test('says how many passports have to follow', () => {
    product(created, issued)
      .when(update({ name: 'Shirt' }))
      .then({ type: 'ProductUpdated', data: { productId, changes: { name: 'Shirt' }, passportCount: 1 } });
  });
  test('clears the composition of a product without passports', () => {
    product(created)
      .when(update({ materials: [] }))
      .then(updated({ materials: [] }));
  });
  test('refuses to clear the composition that a passport shows', () => {
    product(created, issued)
      .when(update({ materials: [] }))
      .thenRefuses('composition_required');
  });
  test('refuses a composition of 100.02', () => {
    product(created)
      .when(update({ materials: [material('linen', 60), material('elastane', 40.02)] }))
      .thenRefuses('invalid_input', /100\.02/);
  });
  test.each([
    ['an unknown product', []],
    ['a deleted product', [created, deleted]],
  ])('refuses %s as not found', (_, events) => {
    product(...events)
      .when(update({ name: 'Shirt' }))
      .thenRefuses('not_found', /prd_1/);
  });
  test("refuses another organization's product as not found", () => {
    product(created)
      .when({ ...update({ name: 'Shirt' }), organizationId: 'org_2' })
      .thenRefuses('not_found');
  });
});

describe('IssuePassport', () => {
  const issue = { type: 'IssuePassport', ...ref, batchId: 'bat_1', dppId: 'dpp_1' } as const;

  test('ties the passport to the product', () => {
    product(created).when(issue).then(issued);
  });
  test('changes nothing for a batch that has its passport', () => {
    product(created, issued).when(issue).thenNothing();
  });
  test('refuses a product without a composition', () => {
    product(bare).when(issue).thenRefuses('no_composition');
  });
  test('refuses a deleted product', () => {
    product(created, deleted).when(issue).thenRefuses('product_deleted');
  });
});

describe('DeleteProduct', () => {
  const remove = { type: 'DeleteProduct', ...ref } as const;

  test('deletes a product without passports', () => {
    product(created).when(remove).then(deleted);
  });
  test('changes nothing when it is deleted already', () => {
    product(created, deleted).when(remove).thenNothing();
  });
  test('refuses a product with published passports', () => {
    product(created, issued).when(remove).thenRefuses('product_has_published_dpps');
  });
  test("refuses another organization's product as not found, deleted or not", () => {
    const foreign = { ...remove, organizationId: 'org_2' };
    product(created).when(foreign).thenRefuses('not_found');
    product(created, deleted).when(foreign).thenRefuses('not_found');
  });
});

describe('the composition total', () => {
  const parts = (...percentages: number[]) => percentages.map((percentage) => ({ percentage }));

  test('adds at 6 decimals, where binary fractions would drift', () => {
    expect(compositionTotal(parts(33.4, 33.3, 33.3))).toBe(100);
    expect(compositionTotal(parts(0.1, 0.2))).toBe(0.3);
  });
  test.each([99.99, 100, 100.01])('takes %d', (total) => {
    expect(isWhole(parts(50, total - 50))).toBe(true);
  });
  test.each([0.01, 99.98, 99.989999, 100.010001, 100.02])('does not take %d', (total) => {
    expect(isWhole(parts(total))).toBe(false);
  });
  test('takes no composition at all', () => {
    expect(isWhole([])).toBe(true);
  });
});

describe('AddSupplierOfMaterial', () => {
  const add = (materialType: string, supplierId = 'sup_1') =>
    ({ type: 'AddSupplierOfMaterial', ...ref, materialType, supplierId }) as const;
  const from = (supplierIds: readonly string[], passportCount = 0): ProductEvent => ({
    type: 'ProductUpdated',
    data: { productId, changes: { materials: [{ ...COTTON[0]!, supplierIds }, COTTON[1]!] }, passportCount },
  });

  test('names the supplier beside those that are there', () => {
    product(created)
      .when(add('cotton_organic'))
      .then(from(['sup_1']));
    product(created, issued)
      .when(add('cotton_organic'))
      .then(from(['sup_1'], 1));
    product(created, from(['sup_2']))
      .when(add('cotton_organic'))
      .then(from(['sup_2', 'sup_1']));
  });
  test('names it wherever the material stands', () => {
    const twice = [
      { ...material('cotton_organic', 50), originCountry: 'TR' },
      { ...material('cotton_organic', 50), originCountry: 'IN' },
    ];
    const supplied = twice.map((one) => ({ ...one, supplierIds: ['sup_1'] }));
    product({ type: 'ProductCreated', data: { ...ref, ...FIELDS, materials: twice } })
      .when(add('cotton_organic'))
      .then({ type: 'ProductUpdated', data: { productId, changes: { materials: supplied }, passportCount: 0 } });
  });
  test('changes nothing twice, nor where product, material or place are gone', () => {
    product(created, from(['sup_1']))
      .when(add('cotton_organic'))
      .thenNothing();
    product(created).when(add('linen')).thenNothing();
    product(created, deleted).when(add('cotton_organic')).thenNothing();
    product(created)
      .when({ ...add('cotton_organic'), organizationId: 'org_2' })
      .thenNothing();
    const full = Array.from({ length: 50 }, (_, index) => `sup_of_${index}`);
    product(created, from(full)).when(add('cotton_organic')).thenNothing();
  });
});
