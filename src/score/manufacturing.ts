import type { Fuel } from '../core/production-data.js';
import type { FibreClass } from '../reference-data/materials.js';
import type { FactorTables, SubcategoryParameters } from '../reference-data/factor-tables.js';
import { gridOf, heatKgPerMj, processOf } from './factors.js';
import { spinningProcessId, type Masses } from './masses.js';
import { stepFreightKg } from './transport.js';

/** Weaving, kWh per kg and Nm: 0.0003145 kWh per pick x picks per kg; the fabric's weight cancels. */
const WEAVING_KWH_PER_KG_AND_NM = 31.45 / 216;

/** Yarn count that the spinning coefficients are given for. */
const SPINNING_REFERENCE_NM = 50;

const PRETREATMENTS: Readonly<Record<FibreClass, readonly string[]>> = {
  natural_vegetal: ['scouring', 'bleaching'],
  natural_animal: ['scouring', 'bleaching'],
  artificial: ['bleaching'],
  synthetic: ['washing_synthetic'],
  none: [],
};

interface Countries {
  readonly spinning: string | null;
  readonly fabric: string | null;
  readonly dyeing: string | null;
  readonly making: string | null;
}

export interface ManufacturingInput {
  readonly countries: Countries;
  readonly fabricProcess: string;
  readonly yarnNm: number;
  /** Measured, for one piece; null: minutes of the sub-category. */
  readonly makingKwhPerUnit: number | null;
  readonly dyeingKwhPerKg: number | null;
  readonly dyeingMjPerKg: number | null;
  /** Of the dye house: holds for all wet steps, not for fading. */
  readonly fuel: Fuel | null;
}

/** kg CO2e for one piece. */
export interface Manufacturing {
  readonly spinning: number;
  readonly fabric: number;
  readonly pretreatment: number;
  readonly dyeing: number;
  /** Parts of `dyeing` that each figure of the dye house decides. */
  readonly dyeingElectricity: number;
  readonly dyeingHeat: number;
  readonly finishing: number;
  readonly sewing: number;
  readonly fading: number;
  readonly transport: number;
}

export function computeManufacturing(
  tables: FactorTables,
  masses: Masses,
  parameters: SubcategoryParameters,
  input: ManufacturingInput,
): Manufacturing {
  const { countries } = input;
  const grid = (country: string | null): number => gridOf(tables, country).kgPerKwh;
  const wetGrid = grid(countries.dyeing);
  const wetHeat = heatKgPerMj(tables, countries.dyeing, input.fuel);

  const dyeing = processOf(tables, 'dyeing_average');
  const finishing = processOf(tables, 'finishing');
  const chemicalsKg = processOf(tables, 'dyeing_chemicals_fabric').directKg;
  const dyeingElectricity = masses.fabricKg * (input.dyeingKwhPerKg ?? dyeing.kwh) * wetGrid;
  const dyeingHeat = masses.fabricKg * (input.dyeingMjPerKg ?? dyeing.heatMj) * wetHeat;
  return {
    spinning: spinningKwh(tables, masses, input.yarnNm) * grid(countries.spinning),
    fabric: masses.fabricKg * fabricKwhPerKg(tables, input) * grid(countries.fabric),
    pretreatment: pretreatmentKg(tables, masses, wetGrid, wetHeat),
    dyeing: dyeingElectricity + dyeingHeat + masses.fabricKg * chemicalsKg,
    dyeingElectricity,
    dyeingHeat,
    finishing: masses.fabricKg * (finishing.kwh * wetGrid + finishing.heatMj * wetHeat),
    sewing:
      (input.makingKwhPerUnit ?? processOf(tables, 'making').kwh * parameters.makingMinutes) * grid(countries.making),
    fading: parameters.fading ? fadingKg(tables, masses, countries.making) : 0,
    transport:
      stepFreightKg(tables, masses.yarnKg, countries.spinning, countries.fabric) +
      stepFreightKg(tables, masses.fabricKg, countries.fabric, countries.dyeing) +
      stepFreightKg(tables, masses.fabricKg, countries.dyeing, countries.making),
  };
}

function spinningKwh(tables: FactorTables, masses: Masses, yarnNm: number): number {
  let kwh = 0;
  for (const { fibreClass, yarnKg } of masses.fibres) {
    if (fibreClass === 'none') continue;
    kwh += (yarnKg * processOf(tables, spinningProcessId(fibreClass)).kwh * yarnNm) / SPINNING_REFERENCE_NM;
  }
  return kwh;
}

const fabricKwhPerKg = (tables: FactorTables, input: ManufacturingInput): number =>
  input.fabricProcess === 'weaving'
    ? WEAVING_KWH_PER_KG_AND_NM * input.yarnNm
    : processOf(tables, input.fabricProcess).kwh;

function pretreatmentKg(tables: FactorTables, masses: Masses, grid: number, heat: number): number {
  if (masses.textileShare === 0) return 0;
  let kg = 0;
  for (const { fibreClass, share } of masses.fibres) {
    for (const id of PRETREATMENTS[fibreClass]) {
      const { kwh, heatMj } = processOf(tables, id);
      kg += masses.fabricKg * (share / masses.textileShare) * (kwh * grid + heatMj * heat);
    }
  }
  return kg;
}

function fadingKg(tables: FactorTables, masses: Masses, making: string | null): number {
  const { kwh, heatMj, directKg } = processOf(tables, 'fading_jeans');
  const heat = heatKgPerMj(tables, making, null);
  return masses.productKg * (kwh * gridOf(tables, making).kgPerKwh + heatMj * heat + directKg);
}
