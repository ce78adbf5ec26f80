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
    ['60/40 cotton/polyester', { cotton: 60, polyester: 40 }],
    ['cotton/polyester 60/40', { cotton: 60, polyester: 40 }],
    ['65:35 polyester cotton', { polyester: 65, cotton: 35 }],
    ['cotton/elastane (95/5)', { cotton: 95, elastane: 5 }],
    ['80/15/5 Wolle/Polyamid/Elasthan', { wool: 80, polyamide: 15, elastane: 5 }],
    ['60 % Baumwolle – 40 % Polyester', { cotton: 60, polyester: 40 }],
    ['Baumwolle – 60 %, Polyester – 40 %', { cotton: 60, polyester: 40 }],
    ['Baumwolle 60%—Polyester 40%', { cotton: 60, polyester: 40 }],
    ['100% GOTS organic cotton', { cotton_organic: 100 }],
    ['100% cotton (GOTS)', { cotton_organic: 100 }],
    ['70 % RWS-zertifizierte Schurwolle, 30 % Seide', { wool: 70, silk: 30 }],
    ['100% TENCEL™ Lyocell', { lyocell: 100 }],
    ['100 % recycled polyamide', { polyamide_recycled: 100 }],
    ['100 % polyamide (recycled)', { polyamide_recycled: 100 }],
    ['Polyamid (recycelt) 100 %', { polyamide_recycled: 100 }],
    ['100 % recyceltes Polyamid', { polyamide_recycled: 100 }],
    ['100 % polyamide (recyclé)', { polyamide_recycled: 100 }],
    ['100 % poliammide (riciclata)', { polyamide_recycled: 100 }],
    ['100 % poliamida (reciclada)', { polyamide_recycled: 100 }],
    ['100 % coton (biologique)', { cotton_organic: 100 }],
    ['100 % cotone (biologico)', { cotton_organic: 100 }],
    ['100 % algodón (orgánico)', { cotton_organic: 100 }],
    ['100 % Baumwolle (kbA)', { cotton_organic: 100 }],
    ['100% polyester (Repreve)', { polyester_recycled: 100 }],
    ['100% cotton (combed, ring-spun)', { cotton: 100 }],
    ['%95 pamuk, %5 elastan', { cotton: 95, elastane: 5 }],
    ['CO95 EL5', { cotton: 95, elastane: 5 }],
    ['PA11 40, CO 60', { polyamide_bio: 40, cotton: 60 }],
    ['.95 cotton, .05 elastane', { cotton: 95, elastane: 5 }],
    ['Composition: 95% cotton, 5% elastane', { cotton: 95, elastane: 5 }],
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
    ['60/40 cotton', 'unknown_material', /"60"/],
    ['60/30/10 cotton/polyester', 'unknown_material', /"60"/],
    ['polyester (50% recycled) 100%', 'unknown_material', /"polyester \(50% recycled\)"/],
    ['polyester 50% recycled, cotton 50%', 'unknown_material', /"recycled"/],
    ['100% hemp (recycled)', 'unknown_material', /"hemp \(recycled\)"/],
    ['100% Polyester (nicht recycelt)', 'unknown_material', /nicht recycelt/],
    ['100% lyocell (viscose)', 'unknown_material', /"lyocell \(viscose\)"/],
    ['100', 'unknown_material', /"100"/],
    ['', 'invalid_value', /no composition/],
    ['cotton 95%, elastane 5%, '.repeat(100), 'invalid_value', /no composition/],
  ])('"%s" is refused: nothing is guessed', (text, code, message) => {
    const reading = readComposition(text);
    expect(reading.ok ? null : reading.code).toBe(code);
    expect(reading.message).toMatch(message);
  });
});

describe('the composition of a garment of parts', () => {
  it.each([
    'Shell: 100% cotton; Lining: 100% polyester',
    'Outer: 100% cotton Lining: 100% polyester',
    'Oberstoff: 100 % Baumwolle, Futter: 100 % Polyester',
    'Oberstoff 100 % Baumwolle, Futter 100 % Polyester',
    'Tissu principal : 100 % coton – Doublure : 100 % polyester',
    'Esterno: 100% cotone; Fodera: 100% poliestere',
    'Exterior: 100% algodón / Forro: 100% poliéster',
    '100% cotton (shell), 100% polyester (lining)',
    '100% cotton shell, 100% polyester lining',
    '100% cotton lining: 100% polyester',
  ])('"%s" is asked about: nobody says how much of it each part is', (text) => {
    const reading = readComposition(text);
    expect(reading).toMatchObject({ ok: false, code: 'composition_total' });
    expect(reading.message).toMatch(/2 parts, .* of cotton 100 %; .* of polyester 100 %/);
    expect(reading.message).toMatch(/Say how much of the product each part is/);
  });

  it.each<[string, Record<string, number>]>([
    ['Shell 80%: 100% cotton; Lining 20%: 60% cotton, 40% polyester', { cotton: 92, polyester: 8 }],
    ['Shell (70%): 100% cotton / Lining (30%): 100% polyester', { cotton: 70, polyester: 30 }],
    ['Oberstoff 70 %: Baumwolle 100 %; Futter 30 %: Polyester 100 %', { cotton: 70, polyester: 30 }],
    ['Shell: 60% cotton; Lining: 40% polyester', { cotton: 60, polyester: 40 }],
    ['Shell: 95% cotton, 5% elastane; Rib: 5% elastane, 95% cotton', { cotton: 95, elastane: 5 }],
    ['Shell: Cotton: 60%, Polyester: 40%', { cotton: 60, polyester: 40 }],
  ])('"%s" is read, as it says so', (text, expected) => {
    expect(shares(text)).toEqual(expected);
  });

  it.each([
    ['Shell 70%: 100% cotton; Lining 20%: 100% polyester', /2 parts/],
    ['Shell: 90% cotton; Lining: 100% polyester', /totals 190 %/],
    ['Shell: 100% cotton; Lining: 100% unobtainium', /"unobtainium" is no known material/],
  ])('"%s" is refused', (text, message) => {
    const reading = readComposition(text);
    expect(reading.ok).toBe(false);
    expect(reading.message).toMatch(message);
  });
});
