import type { FactorTables } from '../reference-data/factor-tables.js';
import { countryOrStandIn, MARKET_COUNTRY } from './factors.js';

/** Share of the road by the road distance (Ecobalyse, `transport.csv` rows `road_share`). */
const ROAD_SHARES: readonly { readonly isWithin: (roadKm: number) => boolean; readonly share: number }[] = [
  { isWithin: (km) => km <= 500, share: 1 },
  { isWithin: (km) => km < 1000, share: 0.9 },
  { isWithin: (km) => km < 2000, share: 0.5 },
  { isWithin: (km) => km < 3000, share: 0.25 },
];

/** Air share between making and market for goods from beyond Europe and Africa (`transport.csv` row `air_share`). */
const AIR_SHARE_FROM_AFAR = 0.33;

export interface Legs {
  readonly roadKm: number;
  readonly seaKm: number;
  readonly airKm: number;
  /** The pair stands in the distance table (or is one country). */
  readonly isKnownPair: boolean;
}

/** The way between two steps, `airShare` of it flown; an unknown country is the stand-in. */
export function legsBetween(tables: FactorTables, from: string | null, to: string | null, airShare: number): Legs {
  const [origin, destination] = [countryOrStandIn(from), countryOrStandIn(to)];
  const { sameCountryKm, unknownPair } = tables.defaultDistances;
  const onGround = 1 - airShare;
  if (origin === destination) {
    return { roadKm: onGround * sameCountryKm, seaKm: 0, airKm: airShare * sameCountryKm, isKnownPair: true };
  }
  const pair = tables.distances.get(`${origin}/${destination}`);
  if (pair === undefined) {
    const { roadKm, seaKm, airKm } = unknownPair;
    return { roadKm: onGround * roadKm, seaKm: onGround * seaKm, airKm: airShare * airKm, isKnownPair: false };
  }
  const byRoad = roadShare(pair.roadKm, pair.seaKm);
  return {
    roadKm: onGround * byRoad * (pair.roadKm ?? 0),
    seaKm: onGround * (1 - byRoad) * (pair.seaKm ?? 0),
    airKm: airShare * (pair.airKm ?? unknownPair.airKm),
    isKnownPair: true,
  };
}

function roadShare(roadKm: number | null, seaKm: number | null): number {
  if (roadKm === null) return 0;
  if (seaKm === null) return 1;
  return ROAD_SHARES.find(({ isWithin }) => isWithin(roadKm))?.share ?? 0;
}

const freightKg = (tables: FactorTables, massKg: number, legs: Omit<Legs, 'isKnownPair'>): number =>
  (massKg / 1000) *
  (legs.roadKm * tables.freight.road + legs.seaKm * tables.freight.sea + legs.airKm * tables.freight.air);

/** Freight between two steps of the making: nothing of it flies. */
export const stepFreightKg = (tables: FactorTables, massKg: number, from: string | null, to: string | null): number =>
  freightKg(tables, massKg, legsBetween(tables, from, to, 0));

/** From the maker to the market's warehouse, then by road to the shop. */
export function distributionKg(
  tables: FactorTables,
  input: { readonly productKg: number; readonly making: string | null; readonly airShare: number | null },
): number {
  const region = tables.regions.get(countryOrStandIn(input.making));
  const airShare = input.airShare ?? (region === undefined ? AIR_SHARE_FROM_AFAR : 0);
  const legs = legsBetween(tables, input.making, MARKET_COUNTRY, airShare);
  const roadKm = legs.roadKm + tables.defaultDistances.warehouseToShopKm;
  return freightKg(tables, input.productKg, { ...legs, roadKm });
}
