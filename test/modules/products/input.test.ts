import { describe, expect, test } from 'vitest';
import { newProduct, productChanges } from '../../../src/modules/products/input.js';
import { createProductBody, updateProductBody } from '../../../src/modules/products/schemas.js';

const create = (body: object) => newProduct(createProductBody.parse({ name: 'T-shirt', ...body }));
const update = (body: object) => productChanges(updateProductBody.parse(body));
const mistakes = (body: object) =>
  createProductBody.safeParse({ name: 'T-shirt', ...body }).error?.issues.map(({ path }) => path.join('.'));

describe('a new product', () => {
  test('needs a name and nothing else', () => {
    const { fields, warnings } = create({});
    expect(fields).toMatchObject({ name: 'T-shirt', sku: null, categoryId: 'textile_apparel', materials: [] });
    expect(warnings).toEqual([]);
  });
  test('takes category and sub-category by synonym and says so', () => {
    const { fields, warnings } = create({ subcategory: 'T-Shirt' });
    expect(fields).toMatchObject({ categoryId: 'textile_apparel', subcategory: 'tshirts' });
    expect(warnings).toEqual([
      {
        code: 'mapped',
        field: 'subcategory',
        message: '"T-Shirt" was read as "tshirts".',
        from: 'T-Shirt',
        to: 'tshirts',
      },
    ]);
  });
  test('takes a sub-category in place of a category', () => {
    expect(create({ categoryId: 'tshirts' })).toMatchObject({
      fields: { categoryId: 'textile_apparel', subcategory: 'tshirts' },
      warnings: [],
    });
  });
  test('refuses a sub-category of another category', () => {
    expect(() => create({ categoryId: 'footwear', subcategory: 'tshirts' })).toThrow(/textile_apparel/);
  });
  test('warns of a wrong check digit and keeps the GTIN as entered', () => {
    expect(create({ gtin: '4012345678902' })).toMatchObject({
      fields: { gtin: '4012345678902' },
      warnings: [{ code: 'gtin_check_digit', field: 'gtin' }],
    });
    expect(create({ gtin: '4012345678901' }).warnings).toEqual([]);
  });
  test('takes blank text as no value', () => {
    expect(create({ sku: ' ', gtin: '', careInstructions: ' \n' }).fields).toMatchObject({
      sku: null,
      gtin: null,
      careInstructions: null,
    });
  });
  test('names a supplier once for each material', () => {
    const materials = [{ materialType: 'elastane', percentage: 100, supplierIds: ['sup_1', 'sup_1'] }];
    expect(create({ materials }).fields.materials).toEqual([
      { materialType: 'elastane', percentage: 100, originCountry: null, supplierIds: ['sup_1'] },
    ]);
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ name: 'a\ud800b' }, 'name'],
    [{ gtin: '123' }, 'gtin'],
    [{ gtin: 4012345678901 }, 'gtin'],
    [{ categoryId: 'spaceships' }, 'categoryId'],
    [{ subcategory: 'spaceships' }, 'subcategory'],
    [{ weightKg: 0 }, 'weightKg'],
    [{ weightKg: 1000.1 }, 'weightKg'],
    [{ weightKg: 1e308 }, 'weightKg'],
    [{ countryOfManufacture: 'DD' }, 'countryOfManufacture'],
    [{ ecommerceUrl: 'javascript:alert(1)' }, 'ecommerceUrl'],
    [{ careInstructions: 'x'.repeat(5001) }, 'careInstructions'],
    [{ recyclable: 'yes' }, 'recyclable'],
    [{ materials: [{ materialType: 'Bio-Baumwolle', percentage: 100 }] }, 'materials.0.materialType'],
    [{ materials: [{ materialType: 'elastane', percentage: -1 }] }, 'materials.0.percentage'],
    [{ materials: [{ materialType: 'elastane', percentage: 99.98 }] }, 'materials'],
    [{ materials: Array.from({ length: 60 }, () => ({ materialType: 'elastane', percentage: 1 })) }, 'materials'],
  ])('refuses %j, naming %s', (body, path) => {
    expect(mistakes(body)).toContain(path);
  });
  test('takes the greatest values', () => {
    const materials = Array.from({ length: 50 }, () => ({ materialType: 'elastane', percentage: 2 }));
    expect(mistakes({ name: 'x'.repeat(200), weightKg: 1000, careInstructions: 'x'.repeat(5000), materials })).toBe(
      undefined,
    );
  });
});

describe('a change', () => {
  test('leaves out what was not sent', () => {
    expect(update({ recyclable: true }).changes).toEqual({ recyclable: true });
    expect(update({}).changes).toEqual({});
  });
  test('clears with null, the category to its default', () => {
    expect(update({ sku: null, materials: null, subcategory: null, categoryId: null, weightKg: null }).changes).toEqual(
      {
        sku: null,
        materials: [],
        subcategory: null,
        categoryId: 'textile_apparel',
        weightKg: null,
        weightEstimated: false,
      },
    );
  });
  test('does not clear the name', () => {
    expect(updateProductBody.safeParse({ name: null }).success).toBe(false);
  });
  test('makes a stated weight no estimate', () => {
    expect(update({ weightKg: 0.2 }).changes).toEqual({ weightKg: 0.2, weightEstimated: false });
  });
});
