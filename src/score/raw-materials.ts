import type { FactorTables } from '../reference-data/factor-tables.js';
import { materialFactorOf, type ResolvedMaterialFactor } from './factors.js';
import type { FibreMass, Masses } from './masses.js';
import { stepFreightKg } from './transport.js';

export interface FibreLine extends FibreMass {
  readonly factor: ResolvedMaterialFactor;
  readonly kg: number;
}

export interface RawMaterials {
  readonly fibres: readonly FibreLine[];
  readonly transportKg: number;
}

/** Fibres at their factor, and their way to the spinner; what is not spun goes straight to the maker. */
export function computeRawMaterials(
  tables: FactorTables,
  masses: Masses,
  countries: { readonly spinning: string | null; readonly making: string | null },
): RawMaterials {
  let transportKg = 0;
  const fibres = masses.fibres.map((fibre): FibreLine => {
    const factor = materialFactorOf(tables, fibre.materialType, fibre.originCountry);
    if (factor === null) throw new Error(`no factor for "${fibre.materialType}"`);
    const destination = fibre.fibreClass === 'none' ? countries.making : countries.spinning;
    transportKg += stepFreightKg(tables, fibre.fibreKg, fibre.originCountry, destination);
    return { ...fibre, factor, kg: fibre.fibreKg * factor.kgPerKg };
  });
  return { fibres, transportKg };
}
