import type { FactorTables, SubcategoryParameters } from '../reference-data/factor-tables.js';
import { computeClimate, type ClimateResult } from './climate-model.js';

/** The same model on the sub-category's representative product: every country unknown, nothing submitted. */
export function representativeProduct(tables: FactorTables, parameters: SubcategoryParameters): ClimateResult {
  const material = tables.materials.get(parameters.representativeMaterial);
  if (material === undefined) throw new Error(`no material "${parameters.representativeMaterial}"`);
  return computeClimate(tables, {
    productKg: parameters.representativeMassKg,
    parameters,
    makingLoss: parameters.makingLoss,
    airShare: null,
    materials: [{ materialType: material.id, originCountry: null, fibreClass: material.fibreClass, share: 1 }],
    countries: { spinning: null, fabric: null, dyeing: null, making: null },
    fabricProcess: parameters.fabricProcess,
    yarnNm: parameters.yarnNm,
    makingKwhPerUnit: null,
    dyeingKwhPerKg: null,
    dyeingMjPerKg: null,
    fuel: null,
  });
}

/**
 * What the score is compared with, kg CO2e a piece. An estimated weight scales it, so that only kg are compared with
 * kg; apparel without a sub-category has a value per kg.
 */
export function benchmarkKg(
  tables: FactorTables,
  product: {
    readonly parameters: SubcategoryParameters;
    readonly subcategoryAssumed: boolean;
    readonly productKg: number;
    readonly weightEstimated: boolean;
  },
): number {
  if (product.subcategoryAssumed) return tables.apparelBenchmarkPerKg * product.productKg;
  const { perUnitKg } = representativeProduct(tables, product.parameters);
  return product.weightEstimated
    ? (perUnitKg * product.productKg) / product.parameters.representativeMassKg
    : perUnitKg;
}
