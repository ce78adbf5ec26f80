import type { FactorTables } from '../reference-data/factor-tables.js';
import type { ClimateResult, ModelInput } from './climate-model.js';
import type { MaterialShare } from './composition.js';
import { hasWideRange } from './data-quality.js';
import { countryOrStandIn, MARKET_COUNTRY } from './factors.js';
import type { ScoreFlag } from './flags.js';
import type { MergedFigures, ScoreFigure } from './submitted-data.js';
import { legsBetween } from './transport.js';

/** Everything a default stands in for, by the name under which it could have been given. */
export function assumedFields(about: {
  readonly merged: MergedFigures;
  readonly weightEstimated: boolean;
  readonly subcategory: string | null;
  readonly input: { readonly materials: readonly MaterialShare[] };
}): readonly string[] {
  const figures = Object.entries(about.merged.figures) as [ScoreFigure, unknown][];
  return [
    ...(about.subcategory === null ? ['subcategory'] : []),
    ...about.input.materials.flatMap((m, i) => (m.originCountry === null ? [`materials.${i}.originCountry`] : [])),
    ...figures
      .filter(([name, value]) => value === null && (name !== 'productWeightKg' || about.weightEstimated))
      .map(([name]) => name),
  ];
}

/** What a reader has to know about a score that could be computed. */
export function assumptionFlags(
  tables: FactorTables,
  score: {
    readonly model: ModelInput;
    readonly climate: ClimateResult;
    readonly rescaled: boolean;
    readonly subcategoryAssumed: boolean;
    readonly weightEstimated: boolean;
    readonly usesSubSuppliers: boolean;
  },
): ReadonlySet<ScoreFlag> {
  const { model, climate } = score;
  const steps = Object.values(model.countries) as (string | null)[];
  const { fibres } = climate;
  const applies: readonly (readonly [ScoreFlag, boolean])[] = [
    ['screening_estimate', true],
    ['materials_rescaled', score.rescaled],
    ['subcategory_assumed', score.subcategoryAssumed],
    ['weight_estimated', score.weightEstimated],
    ['country_unknown', steps.includes(null)],
    ['origin_unknown', fibres.some((fibre) => fibre.originCountry === null)],
    ['grid_world_average', steps.some((country) => !tables.grids.has(countryOrStandIn(country)))],
    ['distance_default', ways(model, climate).some(([from, to]) => !legsBetween(tables, from, to, 0).isKnownPair)],
    ['proxy_material', fibres.some((fibre) => fibre.factor.material.isProxy)],
    ['uncertain_material', fibres.some((fibre) => hasWideRange(fibre.factor))],
    ['sub_supplier_data', score.usesSubSuppliers],
  ];
  return new Set(applies.filter(([, does]) => does).map(([flag]) => flag));
}

function ways({ countries }: ModelInput, { fibres }: ClimateResult): (readonly [string | null, string | null])[] {
  return [
    ...fibres.map(
      (fibre) => [fibre.originCountry, fibre.fibreClass === 'none' ? countries.making : countries.spinning] as const,
    ),
    [countries.spinning, countries.fabric],
    [countries.fabric, countries.dyeing],
    [countries.dyeing, countries.making],
    [countries.making, MARKET_COUNTRY],
  ];
}
