import { describe, expect, test } from 'vitest';
import { FACTOR_TABLES } from '../../src/reference-data/factor-tables.js';
import { cell, numberIn, readTable } from '../../src/reference-data/tables.js';
import { representativeProduct } from '../../src/score/benchmark.js';
import { STAGES } from '../../src/score/climate-model.js';

const MODEL_ROWS = readTable('benchmarks').filter((row) => cell(row, 'kind') === 'model');
const OF_SUBCATEGORIES = MODEL_ROWS.filter((row) => cell(row, 'subcategory') !== '');

const representative = (id: string) => {
  const parameters = FACTOR_TABLES.subcategories.get(id);
  if (parameters === undefined) throw new Error(`no parameters for ${id}`);
  return { parameters, climate: representativeProduct(FACTOR_TABLES, parameters) };
};

describe('the model reproduces its benchmarks', () => {
  test.each(OF_SUBCATEGORIES.map((row) => [cell(row, 'subcategory'), row] as const))('%s, every stage', (id, row) => {
    const { parameters, climate } = representative(id);
    expect(parameters.representativeMassKg).toBe(numberIn(row, 'mass_kg'));
    expect(climate.perUnitKg).toBeCloseTo(numberIn(row, 'kgco2e'), 6);
    expect(climate.perUnitKg / parameters.representativeMassKg).toBeCloseTo(numberIn(row, 'kgco2e_per_kg'), 6);
    for (const stage of STAGES) expect(climate.stages[stage]).toBeCloseTo(numberIn(row, stage), 6);
  });

  test('apparel without a sub-category is the mean of all of them per kg', () => {
    const perKg = OF_SUBCATEGORIES.map((row) => {
      const { parameters, climate } = representative(cell(row, 'subcategory'));
      return climate.perUnitKg / parameters.representativeMassKg;
    });
    expect(perKg).toHaveLength(10);
    expect(perKg.reduce((sum, kg) => sum + kg, 0) / 10).toBeCloseTo(FACTOR_TABLES.apparelBenchmarkPerKg, 6);
  });

  test('every sub-category with parameters has a benchmark', () => {
    expect([...FACTOR_TABLES.subcategories.keys()].sort()).toEqual(
      OF_SUBCATEGORIES.map((row) => cell(row, 'subcategory')).sort(),
    );
  });
});
