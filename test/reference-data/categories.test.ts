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

  test.each([
    ['Apparel & Accessories > Clothing > Clothing Tops > T-Shirts', 'textile_apparel', 'tshirts'],
    ['Apparel & Accessories > Clothing > Outerwear > Coats & Jackets', 'textile_apparel', 'jackets_coats'],
    ['Apparel & Accessories > Clothing > Sleepwear & Loungewear', 'textile_apparel', null],
    ['Apparel & Accessories > Handbags, Wallets & Cases > Handbags', 'leather_goods', null],
    ['Men, Men > Shirts, Sale', 'textile_apparel', 'shirts_blouses'],
    ['Damen/Hosen', 'textile_apparel', 'pants_shorts'],
    ['Shirts & Blouses', 'textile_apparel', 'shirts_blouses'],
  ])('of the path %j the last name that is known counts', (text, categoryId, subcategory) => {
    expect(findCategory(text)).toEqual({ categoryId, subcategory, mapped: true });
  });

  test.each([
    'Apparel & Accessories',
    'Apparel & Accessories > Jewelry > Rings',
    'Clothing > T-shirts, Clothing > Hoodies',
    'Hosen, Röcke',
    'Home & Garden > Decor > Vases',
    'Sale, New in',
  ])('%j could be anything or two things', (text) => {
    expect(findCategory(text)).toBeNull();
  });

  test('a sub-category is looked for among sub-categories alone', () => {
    expect(findSubcategory('shoes')).toEqual({ categoryId: 'footwear', subcategory: 'closed_toed_shoes', mapped: true });
    expect(findSubcategory('jeans')).toEqual({ categoryId: 'textile_apparel', subcategory: 'jeans', mapped: false });
    expect(findSubcategory('clothing')).toBeNull();
  });

  test.each([
    ['pants_shorts', ['Hosen', 'Hose', 'trousers', 'pantalons', 'pantaloni', 'pantalones', 'pantalón', 'bermudas']],
    ['dresses_skirts_jumpsuits', ['Kleider', 'Kleid', 'dresses', 'robes', 'abiti', 'vestiti', 'vestidos', 'Overalls']],
    ['dresses_skirts_jumpsuits', ['Röcke', 'RÖCKE', 'Rock', 'skirts', 'jupes', 'gonne', 'faldas', 'combinaisons']],
    ['tshirts', ['T-Shirts', 'T-Shirt', 'tee-shirts', 'tees', 'tank tops', 'magliette', 'camisetas', 'débardeurs']],
    ['shirts_blouses', ['Hemden', 'Blusen', 'shirts', 'blouses', 'chemises', 'camicie', 'camisas', 'camicette']],
    ['sweaters_midlayers', ['Pullover', 'Pullovers', 'sweaters', 'hoodies', 'pulls', 'maglioni', 'felpe', 'suéteres']],
    ['jackets_coats', ['Jacken', 'Mäntel', 'coats', 'manteaux', 'vestes', 'giacche', 'cappotti', 'chaquetas']],
    ['leggings_tights_socks', ['Socke', 'Strumpfhosen', 'sock', 'chaussette', 'calza', 'calcetín', 'medias']],
    ['swimwear', ['Badehosen', 'bikinis', 'maillots de bain', 'costumi da bagno', 'bañadores', 'trajes de baño']],
    ['apparel_accessories', ['Mützen', 'Hüte', 'Gürtel', 'ties', 'écharpes', 'chapeaux', 'sciarpe', 'bufandas']],
    ['closed_toed_shoes', ['sneaker', 'Turnschuhe', 'zapatilla']],
    ['open_toed_shoes', ['Sandale', 'sandal', 'sandalia']],
    ['boots', ['boot', 'Stiefel', 'botte', 'stivale', 'bota']],
  ])('%s in the singular and the plural of five languages', (subcategory, names) => {
    for (const name of names) expect([name, findCategory(name)?.subcategory]).toEqual([name, subcategory]);
  });

  test.each([
    ['footwear', ['Schuh', 'shoe', 'chaussure', 'scarpa', 'zapato']],
    ['textile_home', ['towel', 'Handtücher', 'rideaux', 'asciugamani', 'toallas']],
    ['leather_goods', ['bag', 'Taschen', 'sacs', 'borse', 'bolsos']],
    ['textile_accessories', ['hats', 'belts', 'scarves']],
  ])('%s too', (categoryId, names) => {
    for (const name of names) {
      expect([name, findCategory(name)]).toEqual([name, { categoryId, subcategory: null, mapped: true }]);
    }
  });

  test('words that only look like a plural stay unknown', () => {
    for (const word of ['Cape', 'Boxe', 'File', 'Hater', 'Bote', 'Raumschiffe', 'dress code']) {
      expect([word, findCategory(word)]).toEqual([word, null]);
    }
  });

  test.each(['', 'spaceship', '__proto__'])('%j is nothing', (text) => {
    expect(findCategory(text)).toBeNull();
    expect(findSubcategory(text)).toBeNull();
  });
});
