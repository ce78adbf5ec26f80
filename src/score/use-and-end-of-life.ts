import type { FactorTables, SubcategoryParameters } from '../reference-data/factor-tables.js';
import { processOf } from './factors.js';

const MJ_PER_KWH = 3.6;

/** Boot volume that the car trip to the collection point is shared by. */
const CAR_VOLUME_M3 = 0.2;

/** One life at the sub-category's number of washes, on the market's grid. */
export function useKg(tables: FactorTables, massKg: number, parameters: SubcategoryParameters): number {
  const wash = processOf(tables, 'wash_machine');
  const dryer = processOf(tables, 'tumble_dry');
  const grid = tables.marketGrid.kgPerKwh;
  return (
    parameters.washes *
    (massKg * (wash.kwh + parameters.dryerShare * dryer.kwh) * grid +
      massKg * wash.directKg +
      (parameters.ironMjPerCycle / MJ_PER_KWH) * grid)
  );
}

export const endOfLifeKg = (tables: FactorTables, massKg: number, parameters: SubcategoryParameters): number =>
  massKg * processOf(tables, 'eol_fr').directKg +
  (processOf(tables, 'eol_car').directKg * parameters.volumeM3) / CAR_VOLUME_M3;
