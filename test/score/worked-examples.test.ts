import { describe, expect, test } from 'vitest';
import { scoreBatch } from '../../src/score/score-batch.js';
import { EXAMPLES, exampleA, exampleB, scored } from './inputs.js';

const toNineDigits = (actual: number | undefined, expected: number): void => {
  expect(Math.abs((actual ?? NaN) - expected)).toBeLessThanOrEqual(1e-9);
};

describe.each([
  ['A', exampleA],
  ['B', exampleB],
] as const)('worked example %s', (name, input) => {
  const expected = EXAMPLES[name].result;
  const score = scored(input);

  test('has the masses of fabric, yarn and each fibre', () => {
    toNineDigits(score.climate.masses.fabricKg, expected.mass_fabric);
    toNineDigits(score.climate.masses.yarnKg, expected.mass_yarn);
    expect(score.climate.fibres.map((fibre) => fibre.materialType)).toEqual(expected.fibres.map(({ id }) => id));
    for (const [index, fibre] of expected.fibres.entries()) {
      const actual = score.climate.fibres[index];
      toNineDigits(actual?.yarnKg, fibre.yarn);
      toNineDigits(actual?.fibreKg, fibre.fibre);
      toNineDigits(actual?.factor.kgPerKg, fibre.ef);
      toNineDigits(actual?.kg, fibre.kg);
    }
  });

  test.each(Object.entries(expected.lines))('has the line %s', (line, kg) => {
    toNineDigits((score.climate.lines as unknown as Record<string, number>)[line], kg);
  });

  test.each(Object.entries(expected.stages))('has the stage %s', (stage, kg) => {
    toNineDigits((score.climate.stages as Record<string, number>)[stage], kg);
  });

  test('has the score, the total, the benchmark and the distance to the average', () => {
    toNineDigits(score.climate.perUnitKg, expected.per_unit);
    toNineDigits(score.totalKg, expected.total);
    toNineDigits(score.benchmarkKg, expected.benchmark);
    toNineDigits(score.vsAveragePct, expected.vs_average_pct);
  });

  test('has lines and stages for nothing else', () => {
    expect(Object.keys(score.climate.lines).sort()).toEqual(Object.keys(expected.lines).sort());
    expect(Object.keys(score.climate.stages).sort()).toEqual(Object.keys(expected.stages).sort());
  });
});

test('example A is rated as the README rates it', () => {
  const { quality } = scored(exampleA);
  expect(quality.rated.map(({ id, ter, ger, tir, p }) => [id, ter, ger, tir, p])).toEqual([
    ['use', 3, 3, 4, 3],
    ['dyeing', 1, 2, 1, 2],
    ['material:cotton_organic', 2, 2, 3, 3],
    ['spinning', 3, 2, 3, 3],
    ['pretreatment', 3, 2, 4, 3],
    ['finishing', 3, 2, 4, 3],
  ]);
  expect(quality.ter).toBeCloseTo(2.4583, 4);
  expect(quality.ger).toBeCloseTo(2.3573, 4);
  expect(quality.tir).toBeCloseTo(3.1627, 4);
  expect(quality.p).toBeCloseTo(2.8127, 4);
  expect(quality.dqr).toBeCloseTo(2.6978, 4);
  expect(quality.coveragePct).toBeCloseTo(83.81, 2);
  expect(quality.primarySharePct).toBeCloseTo(16.85, 2);
});

test('example A is shown rounded', () => {
  expect(scoreBatch(exampleA)).toMatchObject({
    climate_change_per_unit: 3.395,
    climate_change_total: 1697.74,
    breakdown: { raw_materials: 0.678, manufacturing: 1.463, distribution: 0.027, use: 1.017, end_of_life: 0.21 },
    data_quality: {
      ...{ dqr: 2.7, level: 'good', ter: 2.46, ger: 2.36, tir: 3.16, p: 2.81 },
      ...{ primary_share_pct: 16.85, coverage_pct: 83.81, flags: ['screening_estimate'] },
      submitted: [
        'countries.spinning',
        'countries.fabric',
        'countries.dyeing',
        'countries.making',
        'fabricProcess',
        'cuttingLossPct',
        'makingElectricityKwh',
        'dyeing.electricityKwhPerKg',
        'dyeing.heatMjPerKg',
        'dyeing.fuel',
      ],
      assumed: ['productionDate', 'yarnNm', 'airSharePct'],
    },
    vs_average_pct: -23.7,
  });
});

test('example B is shown rounded, with its assumptions', () => {
  expect(scoreBatch(exampleB)).toMatchObject({
    climate_change_per_unit: 6.194,
    climate_change_total: 6.19,
    vs_average_pct: -16.5,
    data_quality: {
      flags: ['screening_estimate', 'weight_estimated', 'country_unknown', 'origin_unknown'],
      primary_share_pct: 0,
      submitted: [],
    },
  });
});
