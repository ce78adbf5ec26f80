import type { ProductionData } from '../core/production-data.js';
import {
  FACTOR_SET_HASH,
  FACTOR_TABLES,
  type FactorTables,
  type SubcategoryParameters,
} from '../reference-data/factor-tables.js';
import { benchmarkKg } from './benchmark.js';
import { computeClimate, STAGES, type ClimateResult, type ModelInput, type Stage } from './climate-model.js';
import { scoredComposition, type MaterialShare } from './composition.js';
import { qualityItems } from './data-quality.js';
import { inTableOrder, type ScoreFlag } from './flags.js';
import { rateQuality, type QualityLevel, type QualityRating } from './quality-rating.js';
import { roundDecimal } from './rounding.js';
import { assumptionFlags, assumedFields } from './disclosure.js';
import { mergeFigures, type MergedFigures } from './submitted-data.js';

/** Changes with every change of a formula or of a constant that stands in the code. */
export const METHOD_VERSION = 'apparel-screening-1.0.0';

/** Sub-category whose parameters stand in for apparel without one. */
const ASSUMED_SUBCATEGORY = 'tshirts';

/** Weight of a product that nobody weighed. */
export const DEFAULT_WEIGHT_KG = 0.25;

export interface ScoreInput {
  readonly subcategory: string | null;
  readonly categoryId: string;
  readonly weightKg: number | null;
  readonly weightEstimated: boolean;
  readonly materials: readonly MaterialShare[];
  readonly quantity: number;
  /** Tier 1's data. */
  readonly submitted: ProductionData | null;
  /** In the order of their arrival: the first answer wins. */
  readonly subSubmissions: readonly { readonly supplierId: string; readonly data: ProductionData }[];
  /** `YYYY-MM-DD`; the age of data counts from it when there is no production date. */
  readonly submittedOn: string;
}

/** The `pefcr` of a batch: kg CO2e, rounded for output. Without a usable score the numbers are null and flags say why. */
export interface ScoreResult {
  readonly climate_change_total: number | null;
  readonly climate_change_per_unit: number | null;
  readonly breakdown: Readonly<Record<Stage, number | null>>;
  readonly data_quality: {
    readonly dqr: number | null;
    readonly level: QualityLevel | null;
    readonly ter: number | null;
    readonly ger: number | null;
    readonly tir: number | null;
    readonly p: number | null;
    readonly primary_share_pct: number | null;
    readonly coverage_pct: number | null;
    readonly flags: readonly ScoreFlag[];
    /** Dotted fields of the production data that replaced a default. */
    readonly submitted: readonly string[];
    /** Dotted fields for which a default stands in. */
    readonly assumed: readonly string[];
  };
  readonly vs_average_pct: number | null;
  readonly methodVersion: string;
  readonly factorSetHash: string;
}

interface Disclosure {
  readonly flags: readonly ScoreFlag[];
  readonly submitted: readonly string[];
  readonly assumed: readonly string[];
}

export type ExactScore = Disclosure &
  (
    | { readonly scored: false }
    | {
        readonly scored: true;
        readonly climate: ClimateResult;
        readonly totalKg: number;
        readonly benchmarkKg: number;
        readonly vsAveragePct: number;
        readonly quality: QualityRating;
      }
  );

/** The score of a batch as it is stored and shown: a screening estimate, see `docs/score.md`. */
export function scoreBatch(input: ScoreInput): ScoreResult {
  const score = scoreBatchExact(input);
  const numbers = score.scored ? roundedNumbers(score) : NO_NUMBERS;
  return {
    ...numbers,
    data_quality: {
      ...numbers.data_quality,
      flags: score.flags,
      submitted: score.submitted,
      assumed: score.assumed,
    },
    methodVersion: METHOD_VERSION,
    factorSetHash: FACTOR_SET_HASH,
  };
}

/** The same at full precision with every line, for any set of factors. */
export function scoreBatchExact(input: ScoreInput, tables: FactorTables = FACTOR_TABLES): ExactScore {
  const merged = mergeFigures(
    input.submitted,
    input.subSubmissions.map(({ data }) => data),
  );
  const { parameters, subcategoryAssumed } = parametersOf(tables, input);
  const weight = weightOf(input, merged);
  const disclosed = {
    submitted: merged.submitted,
    assumed: assumedFields({ merged, weightEstimated: weight.estimated, subcategory: input.subcategory, input }),
  };
  const unscored = (reason: ScoreFlag): ExactScore => ({ ...disclosed, scored: false, flags: [reason] });

  if (parameters === null) return unscored('category_without_parameters');
  const composition = scoredComposition(tables, input.materials);
  if (!composition.ok) return unscored(composition.reason);

  const model = modelInput(parameters, weight.kg, composition.materials, merged, input.quantity);
  const climate = computeClimate(tables, model);
  const benchmark = benchmarkKg(tables, {
    parameters,
    subcategoryAssumed,
    productKg: weight.kg,
    weightEstimated: weight.estimated,
  });
  const productionDay = merged.figures.productionDate ?? input.submittedOn;
  const quality = rateQuality(
    qualityItems(tables, climate, {
      model,
      weightEstimated: weight.estimated,
      subcategoryAssumed,
      fabricProcessSubmitted: merged.figures.fabricProcess !== null,
      productionYear: Number(productionDay.slice(0, 4)),
    }),
  );
  const flags = assumptionFlags(tables, {
    model,
    climate,
    rescaled: composition.rescaled,
    subcategoryAssumed,
    weightEstimated: weight.estimated,
    usesSubSuppliers: merged.usesSubSuppliers,
  });
  return {
    ...disclosed,
    scored: true,
    flags: inTableOrder(flags),
    climate,
    totalKg: climate.perUnitKg * input.quantity,
    benchmarkKg: benchmark,
    vsAveragePct: ((climate.perUnitKg - benchmark) / benchmark) * 100,
    quality,
  };
}

function parametersOf(
  tables: FactorTables,
  input: ScoreInput,
): { parameters: SubcategoryParameters | null; subcategoryAssumed: boolean } {
  if (input.subcategory !== null) {
    return { parameters: tables.subcategories.get(input.subcategory) ?? null, subcategoryAssumed: false };
  }
  if (input.categoryId !== 'textile_apparel') return { parameters: null, subcategoryAssumed: false };
  return { parameters: tables.subcategories.get(ASSUMED_SUBCATEGORY) ?? null, subcategoryAssumed: true };
}

function weightOf(input: ScoreInput, { figures }: MergedFigures): { kg: number; estimated: boolean } {
  if (figures.productWeightKg !== null) return { kg: figures.productWeightKg, estimated: false };
  if (input.weightKg === null) return { kg: DEFAULT_WEIGHT_KG, estimated: true };
  return { kg: input.weightKg, estimated: input.weightEstimated };
}

function modelInput(
  parameters: SubcategoryParameters,
  productKg: number,
  materials: ModelInput['materials'],
  { figures }: MergedFigures,
  quantity: number,
): ModelInput {
  const { cuttingLossPct, makingElectricityKwh, airSharePct } = figures;
  return {
    productKg,
    parameters,
    materials,
    makingLoss: cuttingLossPct === null ? parameters.makingLoss : cuttingLossPct / 100,
    airShare: airSharePct === null ? null : airSharePct / 100,
    countries: {
      spinning: figures['countries.spinning'],
      fabric: figures['countries.fabric'],
      dyeing: figures['countries.dyeing'],
      making: figures['countries.making'],
    },
    fabricProcess: figures.fabricProcess ?? parameters.fabricProcess,
    yarnNm: figures.yarnNm ?? parameters.yarnNm,
    makingKwhPerUnit: makingElectricityKwh === null ? null : makingElectricityKwh / quantity,
    dyeingKwhPerKg: figures['dyeing.electricityKwhPerKg'],
    dyeingMjPerKg: figures['dyeing.heatMjPerKg'],
    fuel: figures['dyeing.fuel'],
  };
}

const NO_NUMBERS = {
  climate_change_total: null,
  climate_change_per_unit: null,
  breakdown: { raw_materials: null, manufacturing: null, distribution: null, use: null, end_of_life: null },
  data_quality: {
    ...{ dqr: null, level: null, ter: null, ger: null, tir: null, p: null },
    ...{ primary_share_pct: null, coverage_pct: null },
  },
  vs_average_pct: null,
} as const;

function roundedNumbers(score: Extract<ExactScore, { scored: true }>) {
  const { climate, quality } = score;
  return {
    climate_change_total: roundDecimal(score.totalKg, 2),
    climate_change_per_unit: roundDecimal(climate.perUnitKg, 3),
    breakdown: Object.fromEntries(STAGES.map((stage) => [stage, roundDecimal(climate.stages[stage], 3)])) as Record<
      Stage,
      number
    >,
    data_quality: {
      dqr: roundDecimal(quality.dqr, 2),
      level: quality.level,
      ter: roundDecimal(quality.ter, 2),
      ger: roundDecimal(quality.ger, 2),
      tir: roundDecimal(quality.tir, 2),
      p: roundDecimal(quality.p, 2),
      primary_share_pct: roundDecimal(quality.primarySharePct, 2),
      coverage_pct: roundDecimal(quality.coveragePct, 2),
    },
    vs_average_pct: roundDecimal(score.vsAveragePct, 1),
  };
}
