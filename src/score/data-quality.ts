import type { FactorTables, GridFactor } from '../reference-data/factor-tables.js';
import type { ClimateResult, ModelInput } from './climate-model.js';
import { gridOf, type ResolvedMaterialFactor } from './factors.js';
import { rateAge, type QualityItem } from './quality-rating.js';

/**
 * Year of the data behind a step. The method's energy figures rest on Ecobalyse's inventory, its heat, effluent and
 * waste figures on Base IMPACTS, sewing on Mistra Future Fashion; freight on DESNZ.
 */
const DATA_YEARS = { processEnergy: 2020, baseImpacts: 2019, sewing: 2019, freight: 2025 } as const;

/** Factors whose sources differ by more than this are rated as estimates. */
const WIDE_RANGE = 3;

export const hasWideRange = ({ material: { low, high } }: ResolvedMaterialFactor): boolean =>
  low !== null && high !== null && low > 0 && high / low > WIDE_RANGE;

export interface QualityContext {
  readonly model: ModelInput;
  readonly weightEstimated: boolean;
  readonly subcategoryAssumed: boolean;
  readonly fabricProcessSubmitted: boolean;
  readonly productionYear: number;
}

/**
 * Every contribution to the score with its four ratings by the rubric of reference-data/README.md §3.
 *
 * Submitted figures are never rated 1 for geography (GeR) or precision (P): nothing in the production data says that a figure
 * was metered under an energy contract of one's own, nor proves it.
 */
export function qualityItems(tables: FactorTables, climate: ClimateResult, context: QualityContext): QualityItem[] {
  const { model, productionYear } = context;
  const { countries } = model;
  const { lines, manufacturing } = climate;
  const byWeight = context.weightEstimated ? 4 : 3;
  const assumed = context.subcategoryAssumed ? 5 : 3;
  const age = (dataYear: number): number => rateAge(productionYear - dataYear);
  const places = (...where: (string | null)[]): number => Math.max(...where.map((c) => (c === null ? 4 : 3)));

  const step = (
    id: string,
    kg: number,
    country: string | null,
    rest: { readonly dataYear: number; readonly ter?: number; readonly p?: number },
  ): QualityItem => {
    const { ger, grid } = gridRating(tables, country);
    const tir = age(Math.min(rest.dataYear, grid.dataYear));
    return { id, kg, primaryKg: 0, ter: rest.ter ?? 3, ger, tir, p: rest.p ?? byWeight };
  };
  const { processEnergy, baseImpacts } = DATA_YEARS;

  return [
    ...climate.fibres.map((fibre) => ({
      id: `material:${fibre.materialType}`,
      kg: fibre.kg,
      primaryKg: 0,
      ...fibreRating(fibre.factor, fibre.originCountry, byWeight),
      tir: age(fibre.factor.dataYear),
    })),
    {
      ...{
        id: 'transport_raw',
        kg: lines.transport_raw,
        primaryKg: 0,
        ter: 3,
        tir: age(DATA_YEARS.freight),
        p: byWeight,
      },
      ger: places(countries.spinning, ...climate.fibres.map((fibre) => fibre.originCountry)),
    },
    step('spinning', lines.spinning, countries.spinning, { dataYear: processEnergy }),
    step('fabric', lines.fabric, countries.fabric, {
      dataYear: processEnergy,
      ter: context.fabricProcessSubmitted ? 2 : assumed,
    }),
    step('pretreatment', lines.pretreatment, countries.dyeing, { dataYear: baseImpacts }),
    dyeingItem(step('dyeing', lines.dyeing, countries.dyeing, { dataYear: baseImpacts }), climate, context),
    step('finishing', lines.finishing, countries.dyeing, { dataYear: baseImpacts }),
    sewingItem(
      step('making', manufacturing.sewing, countries.making, { dataYear: DATA_YEARS.sewing, ter: assumed, p: 3 }),
      model,
    ),
    step('fading', manufacturing.fading, countries.making, { dataYear: baseImpacts }),
    {
      ...{ id: 'transport_manufacturing', kg: lines.transport_manufacturing, primaryKg: 0 },
      ...{
        ter: 3,
        ger: places(countries.spinning, countries.fabric, countries.dyeing, countries.making),
        tir: age(DATA_YEARS.freight),
        p: byWeight,
      },
    },
    {
      ...{ id: 'distribution', kg: lines.distribution, primaryKg: 0 },
      ...{ ter: 3, ger: places(countries.making), tir: age(DATA_YEARS.freight), p: byWeight },
    },
    { id: 'use', kg: lines.use, primaryKg: 0, ter: assumed, ger: 3, tir: age(baseImpacts), p: byWeight },
    { id: 'end_of_life', kg: lines.end_of_life, primaryKg: 0, ter: 3, ger: 3, tir: age(baseImpacts), p: byWeight },
  ];
}

/** Country and its own factor 2, country and the world's factor 3, no country 4. */
function gridRating(tables: FactorTables, country: string | null): { ger: number; grid: GridFactor } {
  const grid = gridOf(tables, country);
  if (country === null) return { ger: 4, grid };
  return { ger: tables.grids.has(country) ? 2 : 3, grid };
}

function fibreRating(
  factor: ResolvedMaterialFactor,
  originCountry: string | null,
  byWeight: number,
): Pick<QualityItem, 'ter' | 'ger' | 'p'> {
  const { isProxy } = factor.material;
  const unknownOrigin = isProxy ? 5 : 4;
  const knownOrigin = factor.byOrigin ? 2 : 3;
  return {
    ter: isProxy ? 4 : 2,
    ger: originCountry === null ? unknownOrigin : knownOrigin,
    p: isProxy ? 5 : Math.max(byWeight, hasWideRange(factor) ? 4 : 3),
  };
}

/** Primary as a whole once both figures of the dye house are submitted; one of them makes its own part primary. */
function dyeingItem(item: QualityItem, climate: ClimateResult, context: QualityContext): QualityItem {
  const { dyeingKwhPerKg, dyeingMjPerKg } = context.model;
  const { dyeing, dyeingElectricity, dyeingHeat } = climate.manufacturing;
  if (dyeingKwhPerKg !== null && dyeingMjPerKg !== null) {
    return { ...item, primaryKg: dyeing, ter: 1, tir: 1, p: context.weightEstimated ? 4 : 2 };
  }
  const primaryKg = (dyeingKwhPerKg === null ? 0 : dyeingElectricity) + (dyeingMjPerKg === null ? 0 : dyeingHeat);
  return { ...item, primaryKg };
}

const sewingItem = (item: QualityItem, model: ModelInput): QualityItem =>
  model.makingKwhPerUnit === null ? item : { ...item, primaryKg: item.kg, ter: 1, tir: 1, p: 2 };
