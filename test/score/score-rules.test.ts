import { describe, expect, test } from 'vitest';
import type { ProductionData } from '../../src/core/production-data.js';
import { FACTOR_SET_HASH } from '../../src/reference-data/factor-tables.js';
import { METHOD_VERSION, scoreBatch, scoreBatchExact, type ScoreInput } from '../../src/score/score-batch.js';
import type { ScoreFlag } from '../../src/score/flags.js';
import { exampleA, plainTshirt, scored, type Scored } from './inputs.js';

const flagsOf = (input: ScoreInput): readonly ScoreFlag[] => scoreBatchExact(input).flags;
const withData = (submitted: ProductionData): ScoreInput => ({ ...plainTshirt, submitted });
const ofMaterials = (
  ...materials: readonly (readonly [string, number, (string | null | undefined)?])[]
): ScoreInput => ({
  ...plainTshirt,
  materials: materials.map(([materialType, percentage, originCountry = null]) => ({
    materialType,
    percentage,
    originCountry,
  })),
});

describe('submitted figures replace defaults one by one', () => {
  const changedLines = (score: Scored): string[] => {
    const before = scored(plainTshirt).climate.lines as unknown as Record<string, number>;
    return Object.entries(score.climate.lines)
      .filter(([line, kg]) => kg !== before[line])
      .map(([line]) => line);
  };

  const wetSteps = ['pretreatment', 'dyeing', 'finishing'];
  const material = ['raw_materials', 'transport_raw', 'spinning', 'fabric', ...wetSteps];
  const cases: readonly (readonly [string, ProductionData, readonly string[]])[] = [
    [
      'productWeightKg',
      { productWeightKg: 0.3 },
      [...material, 'transport_manufacturing', 'distribution', 'use', 'end_of_life'],
    ],
    ['countries.spinning', { countries: { spinning: 'TR' } }, ['transport_raw', 'spinning', 'transport_manufacturing']],
    ['countries.fabric', { countries: { fabric: 'TR' } }, ['fabric', 'transport_manufacturing']],
    ['countries.dyeing', { countries: { dyeing: 'TR' } }, [...wetSteps, 'transport_manufacturing']],
    ['countries.making', { countries: { making: 'TR' } }, ['making', 'transport_manufacturing', 'distribution']],
    [
      'fabricProcess',
      { fabricProcess: 'knitting_flat' },
      ['raw_materials', 'transport_raw', 'spinning', 'fabric', 'transport_manufacturing'],
    ],
    ['yarnNm', { yarnNm: 60 }, ['spinning']],
    ['cuttingLossPct', { cuttingLossPct: 5 }, [...material, 'transport_manufacturing']],
    ['makingElectricityKwh', { makingElectricityKwh: 10 }, ['making']],
    ['dyeing.electricityKwhPerKg', { dyeing: { electricityKwhPerKg: 2 } }, ['dyeing']],
    ['dyeing.heatMjPerKg', { dyeing: { heatMjPerKg: 30 } }, ['dyeing']],
    ['dyeing.fuel', { dyeing: { fuel: 'coal' } }, wetSteps],
    ['airSharePct', { airSharePct: 100 }, ['distribution']],
  ];

  test.each(cases)('%s changes its own lines and no other', (name, data, lines) => {
    const score = scored(withData(data));
    expect(changedLines(score)).toEqual(lines);
    expect(score.submitted).toEqual([name]);
    expect(score.assumed).not.toContain(name);
    expect(scored(plainTshirt).submitted).toEqual([]);
  });

  test.each<[string, ProductionData]>([
    ['quantityProduced', { quantityProduced: 5 }],
    ['facilityId', { facilityId: 'fac_1' }],
    ['notes', { notes: 'busy week' }],
    [
      'certificates',
      { certificates: [{ type: 'GOTS', number: '1', issuer: null, validFrom: null, validUntil: null }] },
    ],
  ])('%s is kept but changes nothing', (_name, data) => {
    expect(scoreBatch(withData(data))).toEqual(scoreBatch(plainTshirt));
  });

  test('the yarn count also decides the energy of weaving: 31.45 / 216 kWh per kg and Nm', () => {
    const submitted = { yarnNm: 60, countries: { fabric: 'PT' } };
    const { manufacturing, masses } = scored({ ...plainTshirt, subcategory: 'shirts_blouses', submitted }).climate;
    expect(manufacturing.fabric / masses.fabricKg).toBeCloseTo((31.45 / 216) * 60 * 0.1118, 12);
  });

  test('the electricity of making is shared by the quantity of the batch', () => {
    const [one, ten] = [1, 10].map((quantity) =>
      scored({ ...withData({ makingElectricityKwh: 10, countries: { making: 'PT' } }), quantity }),
    );
    expect(one?.climate.lines.making).toBeCloseTo(10 * 0.1118, 12);
    expect(ten?.climate.lines.making).toBeCloseTo(0.1118, 12);
  });

  test('a submitted fuel holds for the wet steps but not for the fading of jeans', () => {
    const jeans = { ...plainTshirt, subcategory: 'jeans' };
    const coal = scored({ ...jeans, submitted: { dyeing: { fuel: 'coal' } } });
    expect(coal.climate.lines.making).toBe(scored(jeans).climate.lines.making);
    expect(coal.climate.lines.finishing).toBeGreaterThan(scored(jeans).climate.lines.finishing);
  });

  test('the submitted electricity of making replaces the minutes, not the fading', () => {
    const jeans = scored({ ...plainTshirt, subcategory: 'jeans', submitted: { makingElectricityKwh: 0 } });
    expect(jeans.climate.lines.making).toBe(jeans.climate.manufacturing.fading);
    expect(jeans.climate.manufacturing.fading).toBeGreaterThan(0);
  });

  test('a weight that is submitted is no longer estimated', () => {
    const score = scored({ ...plainTshirt, weightKg: null, submitted: { productWeightKg: 0.2 } });
    expect(score.flags).not.toContain('weight_estimated');
    expect(score.benchmarkKg).toBe(scored(plainTshirt).benchmarkKg);
    expect(score.climate.perUnitKg).toBe(scored(plainTshirt).climate.perUnitKg);
  });
});

describe('sub-suppliers', () => {
  const answer = (supplierId: string, data: ProductionData): ScoreInput['subSubmissions'][number] => ({
    supplierId,
    data,
  });

  test('fill only what the factory left out, and the first answer wins', () => {
    const input: ScoreInput = {
      ...plainTshirt,
      submitted: { countries: { making: 'PT' } },
      subSubmissions: [
        answer('sup_1', { countries: { spinning: 'TR', making: 'CN' } }),
        answer('sup_2', { countries: { spinning: 'CN', dyeing: 'IT' } }),
      ],
    };
    const merged = withData({ countries: { making: 'PT', spinning: 'TR', dyeing: 'IT' } });
    expect(scored(input).climate).toEqual(scored(merged).climate);
    expect(scored(input).submitted).toEqual(['countries.spinning', 'countries.dyeing', 'countries.making']);
    expect(flagsOf(input)).toContain('sub_supplier_data');
    expect(flagsOf(merged)).not.toContain('sub_supplier_data');
  });

  test('are told of only where one of their figures counts', () => {
    const input = { ...exampleA, subSubmissions: [answer('sup_1', { countries: { making: 'CN' }, notes: 'x' })] };
    expect(scoreBatch(input)).toEqual(scoreBatch(exampleA));
  });
});

describe('materials', () => {
  test('without a factor above 20 % leave no score, and say so', () => {
    const result = scoreBatch(ofMaterials(['cotton', 79.99], ['leather_bovine', 20.01]));
    expect(result).toMatchObject({
      climate_change_total: null,
      climate_change_per_unit: null,
      breakdown: { raw_materials: null, manufacturing: null, distribution: null, use: null, end_of_life: null },
      data_quality: {
        ...{ dqr: null, level: null, ter: null, ger: null, tir: null, p: null },
        ...{ primary_share_pct: null, coverage_pct: null, flags: ['materials_without_factor'] },
      },
      vs_average_pct: null,
    });
  });

  test.each([
    ['one at 20 %', ofMaterials(['cotton', 80], ['leather_bovine', 20])],
    ['two that add to 20 %', ofMaterials(['cotton', 80], ['leather_bovine', 10.1], ['fur', 9.9])],
    ['one that the table does not know', ofMaterials(['cotton', 80], ['moon_silk', 20])],
  ])('without a factor up to 20 % are left out and the others scaled up: %s', (_name, input) => {
    expect(scored(input).climate).toEqual(scored(plainTshirt).climate);
    expect(flagsOf(input)).toContain('materials_rescaled');
    expect(flagsOf(plainTshirt)).not.toContain('materials_rescaled');
  });

  test('none at all leave no score', () => {
    expect(scoreBatch(ofMaterials()).data_quality.flags).toEqual(['no_composition']);
  });

  test.each([
    ['polyester_recycled', 0.5 * 3.13113 + 0.5 * 0.7 * 4.1],
    ['cotton_recycled', 0.8 * 1.06814 + 0.2 * 0.5 * 2.971],
    ['cashmere_recycled', 0.8 * 0.21525 + 0.2 * 0.5 * 351.515],
    ['polyamide_recycled', 0.8 * 5.05718 + 0.2 * 1 * 13.118],
  ])('%s takes the circular footprint formula with the virgin factor without origin', (id, kgPerKg) => {
    for (const origin of [undefined, 'CN', 'IN']) {
      expect(scored(ofMaterials([id, 100, origin])).climate.fibres[0]?.factor.kgPerKg).toBeCloseTo(kgPerKg, 9);
    }
  });

  test('take the factor of their origin where there is one, else the general one', () => {
    const factor = (origin?: string): number | undefined =>
      scored(ofMaterials(['cotton', 100, origin])).climate.fibres[0]?.factor.kgPerKg;
    expect(factor('BD')).toBe(6.715);
    expect(factor('DE')).toBe(2.971);
    expect(factor()).toBe(2.971);
  });

  test('that are not fibres count at their share of the product, without spinning, fabric and wet steps', () => {
    const mixed = scored(ofMaterials(['cotton', 60], ['down', 40]));
    const pure = scored(plainTshirt);
    expect(mixed.climate.fibres[1]).toMatchObject({ fibreKg: 0.4 * 0.2, yarnKg: 0 });
    for (const line of ['spinning', 'fabric', 'pretreatment', 'dyeing', 'finishing'] as const) {
      expect(mixed.climate.lines[line]).toBeCloseTo(0.6 * pure.climate.lines[line], 12);
    }
    expect(mixed.climate.lines.making).toBe(pure.climate.lines.making);
    const noTextile = scored(ofMaterials(['polyurethane', 100]));
    expect(noTextile.climate.lines).toMatchObject({ spinning: 0, fabric: 0, pretreatment: 0, dyeing: 0, finishing: 0 });
    expect(noTextile.climate.lines.transport_manufacturing).toBe(0);
  });

  test.each([
    ['alpaca', 'proxy_material'],
    ['cotton', 'uncertain_material'],
  ] as const)('%s is flagged %s', (id, flag) => {
    expect(flagsOf(ofMaterials([id, 100]))).toContain(flag);
    expect(flagsOf(ofMaterials(['lyocell', 100]))).not.toContain(flag);
  });
});

describe('countries', () => {
  test('an unknown one is India in grids, heat and distances alike', () => {
    const india = withData({ countries: { spinning: 'IN', fabric: 'IN', dyeing: 'IN', making: 'IN' } });
    expect(scored(india).climate.lines).toEqual(scored(plainTshirt).climate.lines);
    expect(flagsOf(plainTshirt)).toContain('country_unknown');
    expect(flagsOf(india)).not.toContain('country_unknown');
  });

  test("one without a grid of its own takes the world's, and says so", () => {
    const input = withData({ makingElectricityKwh: 100, countries: { making: 'VA' } });
    expect(scored(input).climate.lines.making).toBeCloseTo(0.47294, 12);
    expect(flagsOf(input)).toContain('grid_world_average');
  });

  test('a pair without a distance takes 1000 km of road and 18000 km of sea, or 10000 km of air', () => {
    const distribution = (airSharePct: number): number =>
      scored(withData({ airSharePct, countries: { making: 'JP' } })).climate.lines.distribution;
    const shop = 500 * 0.12522;
    expect(distribution(0)).toBeCloseTo((0.2 / 1000) * (1000 * 0.12522 + 18000 * 0.01977 + shop), 12);
    expect(distribution(100)).toBeCloseTo((0.2 / 1000) * (10000 * 0.66646 + shop), 12);
    expect(flagsOf(withData({ countries: { making: 'JP' } }))).toContain('distance_default');
  });

  test('within one country goods go 500 km by road, or fly as far', () => {
    const distribution = (airSharePct: number): number =>
      scored(withData({ airSharePct, countries: { making: 'FR' } })).climate.lines.distribution;
    expect(distribution(0)).toBeCloseTo((0.2 / 1000) * 1000 * 0.12522, 12);
    expect(distribution(50)).toBeCloseTo((0.2 / 1000) * (250 * 0.12522 + 250 * 0.66646 + 500 * 0.12522), 12);
  });

  test.each([
    ['PT', 0],
    ['MA', 0],
    ['UA', 0],
    ['TR', 0.33],
    ['RU', 0.33],
    ['CN', 0.33],
  ])('goods made in %s fly %d of the way unless the factory says otherwise', (making, share) => {
    const byDefault = scored(withData({ countries: { making } })).climate.lines.distribution;
    const said = scored(withData({ countries: { making }, airSharePct: share * 100 })).climate.lines.distribution;
    expect(byDefault).toBeCloseTo(said, 12);
  });

  test.each([
    ['FR', undefined, 0.0854514],
    ['DE', undefined, 0.0873996],
    ['TR', undefined, 0.106827],
    ['DE', 'natural_gas', 0.0744719],
    ['TR', 'natural_gas', 0.075522],
    ['FR', 'light_fuel_oil', 0.09308],
    ['CN', 'heavy_fuel_oil', 0.098499],
    ['PL', 'coal', 0.12359],
  ] as const)('heat in %s from %s is %d kg per MJ', (dyeing, fuel, kgPerMj) => {
    const heat = (heatMjPerKg: number): number =>
      scored(withData({ countries: { dyeing }, dyeing: { electricityKwhPerKg: 0, heatMjPerKg, fuel } })).climate.lines
        .dyeing;
    const { fabricKg } = scored(plainTshirt).climate.masses;
    expect((heat(100) - heat(0)) / 100 / fabricKg).toBeCloseTo(kgPerMj, 10);
  });
});

describe('category and benchmark', () => {
  test('no sub-category: the parameters of T-shirts, a benchmark per kg, and a flag', () => {
    const score = scored({ ...plainTshirt, subcategory: null });
    expect(score.climate).toEqual(scored(plainTshirt).climate);
    expect(score.benchmarkKg).toBeCloseTo(29.192312 * 0.2, 12);
    expect(score.flags).toContain('subcategory_assumed');
    expect(score.assumed).toContain('subcategory');
  });

  test.each([
    [null, 'textile_home'],
    [null, 'textile_fabric'],
    [null, 'footwear'],
    ['boots', 'footwear'],
    ['apparel_accessories', 'textile_accessories'],
  ])('sub-category %s of %s has no parameters and so no score', (subcategory, categoryId) => {
    const result = scoreBatch({ ...plainTshirt, subcategory, categoryId });
    expect(result.climate_change_per_unit).toBeNull();
    expect(result.data_quality.flags).toEqual(['category_without_parameters']);
  });

  test('an estimated weight scales the benchmark, so that only kg are compared with kg', () => {
    const estimated = scored({ ...plainTshirt, weightKg: null });
    expect(estimated.benchmarkKg).toBeCloseTo((scored(plainTshirt).benchmarkKg * 0.25) / 0.15, 12);
    expect(estimated.climate.masses.productKg).toBe(0.25);
    expect(scored({ ...plainTshirt, weightKg: 0.25, weightEstimated: true }).climate).toEqual(estimated.climate);
  });
});

describe('data quality', () => {
  const rating = (input: ScoreInput, id: string) => {
    const item = scored(input).quality.rated.find((rated) => rated.id === id);
    return item && [item.ter, item.ger, item.tir, item.p];
  };

  test('one figure of the dye house makes only its own part primary', () => {
    const share = (data: ProductionData['dyeing']): number =>
      scored(withData({ dyeing: data })).quality.primarySharePct;
    const both = share({ electricityKwhPerKg: 1, heatMjPerKg: 24.3 });
    const heat = share({ heatMjPerKg: 24.3 });
    const electricity = share({ electricityKwhPerKg: 1 });
    expect(heat).toBeGreaterThan(0);
    expect(electricity).toBeGreaterThan(0);
    expect(both).toBeGreaterThan(heat + electricity);
    expect(share({ fuel: 'coal' })).toBe(0);
  });

  test('an unknown country rates 4, a factor older than 8 years 5, an estimated weight 4', () => {
    expect(rating(plainTshirt, 'pretreatment')).toEqual([3, 4, 4, 3]);
    expect(rating(withData({ productionDate: '2028-01-01' }), 'pretreatment')).toEqual([3, 4, 5, 3]);
    expect(rating({ ...plainTshirt, submittedOn: '2028-01-01' }, 'pretreatment')).toEqual([3, 4, 5, 3]);
    expect(rating({ ...plainTshirt, weightKg: null }, 'pretreatment')).toEqual([3, 4, 4, 4]);
  });

  test('a material rates by its factor: own, by country, proxy, disputed', () => {
    expect(rating(ofMaterials(['cashmere', 100]), 'material:cashmere')).toEqual([2, 4, 4, 3]);
    expect(rating(ofMaterials(['cashmere', 100, 'CN']), 'material:cashmere')).toEqual([2, 3, 4, 3]);
    expect(rating(ofMaterials(['alpaca', 100]), 'material:alpaca')).toEqual([4, 5, 4, 5]);
    expect(rating(ofMaterials(['alpaca', 100, 'PE']), 'material:alpaca')).toEqual([4, 3, 4, 5]);
    expect(rating(ofMaterials(['cotton', 100, 'BD']), 'material:cotton')).toEqual([2, 2, 3, 4]);
  });

  test('the items rated cover at least 80 % of the score', () => {
    for (const input of [plainTshirt, exampleA]) {
      expect(scored(input).quality.coveragePct).toBeGreaterThanOrEqual(80);
    }
  });
});

test('a score names its method and its factors, and is the same each time', () => {
  const result = scoreBatch(exampleA);
  expect(result.methodVersion).toBe(METHOD_VERSION);
  expect(result.factorSetHash).toBe(FACTOR_SET_HASH);
  expect(result.factorSetHash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(scoreBatch(exampleA))).toBe(JSON.stringify(result));
});
