import type { FactorTables, GridFactor, MaterialFactor, ProcessFactor } from '../reference-data/factor-tables.js';
import type { Fuel } from '../core/production-data.js';

/** Ecobalyse's stand-in for a country that nobody named: in grids, heat and distances alike. */
const STAND_IN_COUNTRY = 'IN';

/** The market is the EU: its grid, and distances to the country in the middle of the distance table. */
export const MARKET_COUNTRY = 'FR';

export const countryOrStandIn = (country: string | null): string => country ?? STAND_IN_COUNTRY;

export const gridOf = (tables: FactorTables, country: string | null): GridFactor =>
  tables.grids.get(countryOrStandIn(country)) ?? tables.worldGrid;

/** Steam, kg CO2e per MJ: the submitted fuel, else the mix of France, of Europe or of the world. */
export function heatKgPerMj(tables: FactorTables, country: string | null, fuel: Fuel | null): number {
  const place = countryOrStandIn(country);
  const inEurope = tables.regions.get(place) === 'europe';
  if (fuel !== null) return known(tables.heat, `${fuel}/${inEurope ? 'RER' : 'ROW'}`);
  if (place === 'FR') return known(tables.heat, 'mix_fr/FR');
  return known(tables.heat, inEurope ? 'mix_europe/RER' : 'mix_world/ROW');
}

export const processOf = (tables: FactorTables, id: string): ProcessFactor => known(tables.processes, id);

export interface ResolvedMaterialFactor {
  readonly material: MaterialFactor;
  readonly kgPerKg: number;
  /** The factor is that of the country named. */
  readonly byOrigin: boolean;
  /** Of the oldest number in it. */
  readonly dataYear: number;
}

/** The factor of one kg of fibre, or null if there is none that can be used. */
export function materialFactorOf(
  tables: FactorTables,
  materialType: string,
  originCountry: string | null,
): ResolvedMaterialFactor | null {
  const material = tables.materials.get(materialType);
  if (material === undefined || material.kgPerKg === null) return null;
  if (material.cff !== null) {
    // The virgin fibre's general factor: where recycled fibre would otherwise have come from is unknown.
    const virgin = known(tables.materials, material.cff.virginId);
    if (virgin.kgPerKg === null) return null;
    const { a, q } = material.cff;
    const kgPerKg = a * material.kgPerKg + (1 - a) * q * virgin.kgPerKg;
    return { material, kgPerKg, byOrigin: false, dataYear: Math.min(material.dataYear, virgin.dataYear) };
  }
  const ofOrigin =
    originCountry === null ? undefined : tables.materialsByOrigin.get(`${materialType}/${originCountry}`);
  return {
    material,
    kgPerKg: ofOrigin ?? material.kgPerKg,
    byOrigin: ofOrigin !== undefined,
    dataYear: material.dataYear,
  };
}

function known<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key);
  if (value === undefined) throw new Error(`the factor tables have no "${key}"`);
  return value;
}
