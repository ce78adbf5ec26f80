import type { FactorTables, SubcategoryParameters } from '../reference-data/factor-tables.js';
import { processOf } from './factors.js';
import { computeManufacturing, type Manufacturing, type ManufacturingInput } from './manufacturing.js';
import { computeMasses, type FibreMass, type Masses } from './masses.js';
import { computeRawMaterials, type FibreLine } from './raw-materials.js';
import { distributionKg } from './transport.js';
import { endOfLifeKg, useKg } from './use-and-end-of-life.js';

/** Everything that the model needs, with defaults already in place of what nobody said. */
export interface ModelInput extends ManufacturingInput {
  readonly productKg: number;
  readonly parameters: SubcategoryParameters;
  readonly makingLoss: number;
  /** Null: by the country of making. */
  readonly airShare: number | null;
  /** Each has a factor; shares as the composition states them. */
  readonly materials: readonly Pick<FibreMass, 'materialType' | 'originCountry' | 'fibreClass' | 'share'>[];
}

export const STAGES = ['raw_materials', 'manufacturing', 'distribution', 'use', 'end_of_life'] as const;
export type Stage = (typeof STAGES)[number];

/** kg CO2e for one piece, at full precision. */
interface ClimateLines {
  readonly raw_materials: number;
  readonly transport_raw: number;
  readonly spinning: number;
  readonly fabric: number;
  readonly pretreatment: number;
  readonly dyeing: number;
  readonly finishing: number;
  /** Sewing, and fading where there is any. */
  readonly making: number;
  readonly transport_manufacturing: number;
  readonly distribution: number;
  readonly use: number;
  readonly end_of_life: number;
}

export interface ClimateResult {
  readonly masses: Masses;
  readonly fibres: readonly FibreLine[];
  readonly manufacturing: Manufacturing;
  readonly lines: ClimateLines;
  readonly stages: Readonly<Record<Stage, number>>;
  readonly perUnitKg: number;
}

/** reference-data/README.md §2.1 to §2.5. */
export function computeClimate(tables: FactorTables, input: ModelInput): ClimateResult {
  const { productKg, parameters, countries } = input;
  const masses = computeMasses(tables, {
    productKg,
    makingLoss: input.makingLoss,
    fabricLoss: processOf(tables, input.fabricProcess).lossOfInput,
    materials: input.materials,
  });
  const { fibres, transportKg } = computeRawMaterials(tables, masses, countries);
  const manufacturing = computeManufacturing(tables, masses, parameters, input);
  const lines: ClimateLines = {
    raw_materials: fibres.reduce((sum, fibre) => sum + fibre.kg, 0),
    transport_raw: transportKg,
    spinning: manufacturing.spinning,
    fabric: manufacturing.fabric,
    pretreatment: manufacturing.pretreatment,
    dyeing: manufacturing.dyeing,
    finishing: manufacturing.finishing,
    making: manufacturing.sewing + manufacturing.fading,
    transport_manufacturing: manufacturing.transport,
    distribution: distributionKg(tables, { productKg, making: countries.making, airShare: input.airShare }),
    use: useKg(tables, productKg, parameters),
    end_of_life: endOfLifeKg(tables, productKg, parameters),
  };
  const stages: Record<Stage, number> = {
    raw_materials: lines.raw_materials + lines.transport_raw,
    manufacturing:
      lines.spinning +
      lines.fabric +
      lines.pretreatment +
      lines.dyeing +
      lines.finishing +
      lines.making +
      lines.transport_manufacturing,
    distribution: lines.distribution,
    use: lines.use,
    end_of_life: lines.end_of_life,
  };
  const perUnitKg = STAGES.reduce((sum, stage) => sum + stages[stage], 0);
  return { masses, fibres, manufacturing, lines, stages, perUnitKg };
}
