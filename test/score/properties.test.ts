import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FABRIC_PROCESSES, FUELS, type ProductionData } from '../../src/core/production-data.js';
import { FACTOR_TABLES, type FactorTables } from '../../src/reference-data/factor-tables.js';
import { scoreBatch, scoreBatchExact, type ScoreInput } from '../../src/score/score-batch.js';
import { scored } from './inputs.js';

const COUNTRIES = ['IN', 'TR', 'PT', 'FR', 'CN', 'MA', 'JP', 'BD', 'VA', 'US'];
const MATERIALS = [...FACTOR_TABLES.materials.values()].filter(({ kgPerKg }) => kgPerKg !== null).map(({ id }) => id);

const country = fc.constantFrom(...COUNTRIES);
const positive = (max: number): fc.Arbitrary<number> => fc.double({ min: 0.001, max, noNaN: true });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const productionData: fc.Arbitrary<ProductionData> = fc.record({
  productWeightKg: maybe(positive(5)),
  productionDate: maybe(fc.constantFrom('2019-05-01', '2026-01-01', '2031-12-31')),
  countries: fc.record({
    spinning: maybe(country),
    fabric: maybe(country),
    dyeing: maybe(country),
    making: maybe(country),
  }),
  fabricProcess: maybe(fc.constantFrom(...FABRIC_PROCESSES)),
  yarnNm: maybe(fc.integer({ min: 1, max: 500 })),
  cuttingLossPct: maybe(fc.integer({ min: 0, max: 99 })),
  makingElectricityKwh: maybe(positive(1e5)),
  dyeing: fc.record({
    electricityKwhPerKg: maybe(positive(20)),
    heatMjPerKg: maybe(positive(100)),
    fuel: maybe(fc.constantFrom(...FUELS)),
  }),
  airSharePct: maybe(fc.integer({ min: 0, max: 100 })),
});

const composition = fc
  .uniqueArray(fc.constantFrom(...MATERIALS), { minLength: 1, maxLength: 4 })
  .chain((ids) =>
    fc.tuple(...ids.map((id) => fc.tuple(fc.constant(id), fc.integer({ min: 1, max: 100 }), fc.option(country)))),
  )
  .map((parts) => {
    const whole = parts.reduce((sum, [, part]) => sum + part, 0);
    return parts.map(([materialType, part, originCountry]) => ({
      materialType,
      percentage: (part / whole) * 100,
      originCountry,
    }));
  });

const anyInput: fc.Arbitrary<ScoreInput> = fc.record({
  subcategory: fc.option(fc.constantFrom(...FACTOR_TABLES.subcategories.keys())),
  categoryId: fc.constant('textile_apparel'),
  weightKg: fc.option(positive(5)),
  weightEstimated: fc.boolean(),
  materials: composition,
  quantity: fc.integer({ min: 1, max: 1e6 }),
  submitted: fc.option(productionData),
  subSubmissions: fc.array(fc.record({ supplierId: fc.string(), data: productionData }), { maxLength: 3 }),
  submittedOn: fc.constant('2026-11-21'),
});

/** The same factors with one country's electricity at `kgPerKwh`. */
const withGrid = (code: string, kgPerKwh: number): FactorTables => ({
  ...FACTOR_TABLES,
  grids: new Map(FACTOR_TABLES.grids).set(code, { kgPerKwh, dataYear: 2024 }),
});

const near = (actual: number, expected: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));

test('the stages sum to the score, the lines to the stages, and none is negative', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { stages, lines, perUnitKg } = scored(input).climate;
      const all = Object.values(lines) as number[];
      near(
        Object.values(stages).reduce((sum, kg) => sum + kg, 0),
        perUnitKg,
      );
      near(
        all.reduce((sum, kg) => sum + kg, 0),
        perUnitKg,
      );
      expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('doubling the quantity (and with it what was metered for the batch) doubles the total only', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const twice = (data: ProductionData): ProductionData =>
        data.makingElectricityKwh === undefined
          ? data
          : { ...data, makingElectricityKwh: 2 * data.makingElectricityKwh };
      const doubled = scored({
        ...input,
        quantity: 2 * input.quantity,
        submitted: input.submitted && twice(input.submitted),
        subSubmissions: input.subSubmissions.map((s) => ({ ...s, data: twice(s.data) })),
      });
      const { totalKg, ...single } = scored(input);
      const { totalKg: doubledTotalKg, ...rest } = doubled;
      expect(rest).toEqual(single);
      expect(doubledTotalKg).toBe(2 * totalKg);
    }),
  );
});

test('a worse grid never lowers a score', () => {
  fc.assert(
    fc.property(anyInput, country, positive(2), positive(2), (input, code, one, other) => {
      const [better, worse] = [Math.min(one, other), Math.max(one, other)];
      const perUnit = (kgPerKwh: number): number => scored(input, withGrid(code, kgPerKwh)).climate.perUnitKg;
      expect(perUnit(worse)).toBeGreaterThanOrEqual(perUnit(better));
    }),
  );
});

test('a heavier product never scores lower', () => {
  fc.assert(
    fc.property(anyInput, positive(5), positive(5), (input, one, other) => {
      const perUnit = (weightKg: number): number =>
        scored({ ...input, weightKg, submitted: null, subSubmissions: [] }).climate.perUnitKg;
      expect(perUnit(Math.max(one, other))).toBeGreaterThanOrEqual(perUnit(Math.min(one, other)));
    }),
  );
});

test('ratings stay between 1 and 5, shares between 0 and 100, and every figure is submitted or assumed', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { data_quality: quality, ...score } = scoreBatch(input);
      for (const rating of [quality.dqr, quality.ter, quality.ger, quality.tir, quality.p]) {
        expect(rating).toBeGreaterThanOrEqual(1);
        expect(rating).toBeLessThanOrEqual(5);
      }
      expect(quality.coverage_pct).toBeGreaterThanOrEqual(80);
      expect(quality.coverage_pct).toBeLessThanOrEqual(100);
      expect(quality.primary_share_pct).toBeGreaterThanOrEqual(0);
      expect(quality.primary_share_pct).toBeLessThanOrEqual(100);
      expect(quality.submitted.filter((name) => quality.assumed.includes(name))).toEqual([]);
      expect(JSON.parse(JSON.stringify(score))).toEqual(score);
    }),
  );
});

test('the order of sub-suppliers counts only for figures that two of them gave', () => {
  fc.assert(
    fc.property(anyInput, productionData, (input, factory) => {
      const whole = { ...input, submitted: factory, subSubmissions: [] };
      const repeated = { ...whole, subSubmissions: [{ supplierId: 'sup_1', data: factory }] };
      expect(scoreBatchExact(repeated)).toEqual(scoreBatchExact(whole));
    }),
  );
});
