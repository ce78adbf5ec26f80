import { describe, expect, test } from 'vitest';
import { CATEGORIES, findCategory, findSubcategory, SUBCATEGORIES } from '../../src/reference-data/categories.js';

describe('categories and sub-categories', () => {
  test('six of the one, fourteen of the other, each of a category', () => {
    expect(CATEGORIES).toHaveLength(6);
    expect(SUBCATEGORIES).toHaveLength(14);
    const ids = CATEGORIES.map(({ id }) => id);
    for (const { categoryId } of SUBCATEGORIES) expect(ids).toContain(categoryId);
  });

  test.each([
    ['textile_apparel', 'textile_apparel', null, false],
    ['Bekleidung', 'textile_apparel', null, true],
    ['Vêtement', 'textile_apparel', null, true],
    ['tshirts', 'textile_apparel', 'tshirts', false],
    ['T-Shirt', 'textile_apparel', 'tshirts', true],
    ['tişört', 'textile_apparel', 'tshirts', true],
    ['boots', 'footwear', 'boots', false],
    ['shoes', 'footwear', null, true],
    ['scarf', 'textile_accessories', null, true],
  ])('%j is %s / %s', (text, categoryId, subcategory, mapped) => {
    expect(findCategory(text)).toEqual({ categoryId, subcategory, mapped });
  });

  test('a sub-category is looked for among sub-categories alone', () => {
    expect(findSubcategory('shoes')).toEqual({ categoryId: 'footwear', subcategory: 'closed_toed_shoes', mapped: true });
    expect(findSubcategory('jeans')).toEqual({ categoryId: 'textile_apparel', subcategory: 'jeans', mapped: false });
    expect(findSubcategory('clothing')).toBeNull();
  });

  test.each(['', 'spaceship', '__proto__'])('%j is nothing', (text) => {
    expect(findCategory(text)).toBeNull();
    expect(findSubcategory(text)).toBeNull();
  });
});
