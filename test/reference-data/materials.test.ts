import { describe, expect, test } from 'vitest';
import {
  findMaterial,
  MATERIAL_KEYS,
  MATERIALS,
  normalizeMaterial,
} from '../../src/reference-data/materials.js';
import { cell, readTable } from '../../src/reference-data/tables.js';
import { textKey } from '../../src/reference-data/text-key.js';

describe('materials', () => {
  test('81 of them, over 650 names, and no name belongs to two', () => {
    expect(MATERIALS).toHaveLength(81);
    expect(MATERIAL_KEYS.size).toBeGreaterThan(650);
    for (const row of readTable('materials')) {
      for (const name of [cell(row, 'id'), cell(row, 'label'), ...cell(row, 'synonyms').split('|')]) {
        if (name !== '') expect([name, MATERIAL_KEYS.get(textKey(name))]).toEqual([name, cell(row, 'id')]);
      }
    }
  });

  test.each([
    ['cotton_organic', 'cotton_organic', false],
    [' cotton ', 'cotton', false],
    ['Cotton', 'cotton', true],
    ['COTTON (Organic)', 'cotton_organic', true],
    ['Baumwolle', 'cotton', true],
    ['Bio-Baumwolle', 'cotton_organic', true],
    ['algodão orgânico', 'cotton_organic', true],
    ['PAMUK', 'cotton', true],
    ['geri dönüştürülmüş pamuk', 'cotton_recycled', true],
    ['100% cotton', 'cotton', true],
    ['95 % Coton', 'cotton', true],
    ['% 100 pamuk', 'cotton', true],
    ['62,5% Elastane', 'elastane', true],
    ['PA 11', 'polyamide_bio', true],
    ['PA', 'polyamide', true],
    ['PA 6.6', 'polyamide', true],
    ['denim', 'cotton', true],
    ['Polyamid (recycelt)', 'polyamide_recycled', true],
    ['polyamide (recyclée)', 'polyamide_recycled', true],
    ['Poliammide riciclata', 'polyamide_recycled', true],
    ['Polyester aus Recycling', 'polyester_recycled', true],
    ['polyester (100% recycled)', 'polyester_recycled', true],
    ['post-consumer polyester', 'polyester_recycled', true],
    ['post consumer recycled cotton', 'cotton_recycled_post_consumer', true],
    ['GOTS certified organic cotton', 'cotton_organic', true],
    ['GRS polyamide', 'polyamide_recycled', true],
    ['RWS merino wool', 'wool_merino', true],
    ['Leinen (bio)', 'linen_organic', true],
    ['Econyl, recycled', 'polyamide_recycled', true],
  ])('%j is %s', (text, id, mapped) => {
    expect(normalizeMaterial(text)).toEqual({ id, mapped });
  });

  test.each(['', '   ', '95 %', 'moon silk', 'cotton polyester', 'recycled', 'recycled hemp', 'not recycled polyester', 'polyester (50% recycled)', 'organic recycled cotton', '🧶', 'constructor', '__proto__'])('%j is nothing', (text) => {
    expect(normalizeMaterial(text)).toBeNull();
  });

  test('are found by id alone', () => {
    expect(findMaterial('down')).toEqual({ id: 'down', label: 'Down and feather', family: 'animal', fibreClass: 'none' });
    expect(findMaterial('Down')).toBeNull();
  });
});
