import { describe, expect, it } from 'vitest';
import { readComposition } from '../../../src/modules/imports/composition.js';

const shares = (text: string): Record<string, number> => {
  const reading = readComposition(text);
  if (!reading.ok) throw new Error(reading.message);
  return Object.fromEntries(reading.materials.map(({ materialType, percentage }) => [materialType, percentage]));
};

describe('a composition in one cell', () => {
  it.each<[string, Record<string, number>]>([
    ['95% organic cotton, 5% elastane', { cotton_organic: 95, elastane: 5 }],
    ['Baumwolle 60 / Polyester 40', { cotton: 60, polyester: 40 }],
    ['62,5 % Baumwolle, 37,5 % Polyester', { cotton: 62.5, polyester: 37.5 }],
    ['Baumwolle 62,5%,Polyester 37,5%', { cotton: 62.5, polyester: 37.5 }],
    ['98 % coton biologique et 2 % élasthanne', { cotton_organic: 98, elastane: 2 }],
    ['cotone 70% e lino 30%', { cotton: 70, linen: 30 }],
    ['80% Bio-Baumwolle (GOTS) und 20% Leinen', { cotton_organic: 80, linen: 20 }],
    ['CO 95 EL 5', { cotton: 95, elastane: 5 }],
    ['70CO 30PES', { cotton: 70, polyester: 30 }],
    ['60 % recycled polyester 40 % viscose', { polyester_recycled: 60, viscose: 40 }],
    ['cotton (95%), elastane (5%)', { cotton: 95, elastane: 5 }],
    ['Cotton: 60%\nPolyester: 40%', { cotton: 60, polyester: 40 }],
    ['Außenmaterial: 65% Polyester, 35% Baumwolle', { polyester: 65, cotton: 35 }],
    ['PA 11 40 % / cotton 60 %', { polyamide_bio: 40, cotton: 60 }],
    ['0.95 cotton, 0.05 elastane', { cotton: 95, elastane: 5 }],
    ['95％ cotton、5％ elastane'.replace('、', ', '), { cotton: 95, elastane: 5 }],
  ])('"%s" is understood', (text, expected) => {
    expect(shares(text)).toEqual(expected);
  });

  it('says how it was read', () => {
    expect(readComposition('Baumwolle 60 / Polyester 40')).toMatchObject({
      message: '"Baumwolle 60 / Polyester 40" was read as cotton 60 %, polyester 40 %.',
    });
  });

  it.each<[string, string, RegExp]>([
    ['50% unobtainium, 50% cotton', 'unknown_material', /"unobtainium"/],
    ['cotton', 'invalid_value', /"cotton" has no percentage/],
    ['60% cotton, 30% polyester', 'composition_total', /totals 90 %/],
    ['Shell: 100% cotton; Lining: 100% polyester', 'composition_total', /totals 200 %/],
    ['100', 'unknown_material', /"100"/],
    ['', 'invalid_value', /no composition/],
    ['cotton 95%, elastane 5%, '.repeat(100), 'invalid_value', /no composition/],
  ])('"%s" is refused: nothing is guessed', (text, code, message) => {
    const reading = readComposition(text);
    expect(reading.ok ? null : reading.code).toBe(code);
    expect(reading.message).toMatch(message);
  });

  it('takes time in proportion to the text, also where it is made to confuse', () => {
    for (const text of [
      '1 a '.repeat(499),
      '9'.repeat(2_000),
      'a '.repeat(999),
      '% '.repeat(999),
      '(-=: '.repeat(399),
    ]) {
      const began = performance.now();
      readComposition(text);
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  });
});
