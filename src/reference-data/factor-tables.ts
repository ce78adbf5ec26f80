import type { FibreClass } from './materials.js';
import { cell, hashOfTables, numberIn, numberOrNull, readTable, type Row } from './tables.js';

/** All the numbers that the score draws on: kg CO2e, kWh, MJ, km. */
export interface FactorTables {
  readonly materials: ReadonlyMap<string, MaterialFactor>;
  /** Key: `materialId/ISO2`. */
  readonly materialsByOrigin: ReadonlyMap<string, number>;
  readonly grids: ReadonlyMap<string, GridFactor>;
  readonly worldGrid: GridFactor;
  readonly marketGrid: GridFactor;
  /** Steam, kg CO2e per MJ; key: `fuel/region`. */
  readonly heat: ReadonlyMap<string, number>;
  readonly regions: ReadonlyMap<string, 'europe' | 'africa'>;
  readonly processes: ReadonlyMap<string, ProcessFactor>;
  /** kg CO2e per tonne and km. */
  readonly freight: { readonly road: number; readonly sea: number; readonly air: number };
  /** Key: `ISO2/ISO2`, both ways. */
  readonly distances: ReadonlyMap<string, Distance>;
  readonly defaultDistances: DefaultDistances;
  readonly subcategories: ReadonlyMap<string, SubcategoryParameters>;
  /** Benchmark of apparel without a sub-category, kg CO2e per kg of product. */
  readonly apparelBenchmarkPerKg: number;
}

export interface MaterialFactor {
  readonly id: string;
  readonly fibreClass: FibreClass;
  /** Null: no usable factor. */
  readonly kgPerKg: number | null;
  readonly isProxy: boolean;
  /** Spread over all sources. */
  readonly low: number | null;
  readonly high: number | null;
  /** Material part of the Circular Footprint Formula, for recycled fibres. */
  readonly cff: { readonly a: number; readonly q: number; readonly virginId: string } | null;
  readonly dataYear: number;
}

export interface GridFactor {
  readonly kgPerKwh: number;
  readonly dataYear: number;
}

/** `kwh` of a process that depends on the yarn or on minutes is its coefficient, the leading number of the formula. */
export interface ProcessFactor {
  readonly kwh: number;
  readonly heatMj: number;
  readonly directKg: number;
  readonly lossOfInput: number;
}

interface Distance {
  readonly roadKm: number | null;
  readonly seaKm: number | null;
  readonly airKm: number | null;
}

interface DefaultDistances {
  readonly sameCountryKm: number;
  readonly warehouseToShopKm: number;
  readonly unknownPair: { readonly roadKm: number; readonly seaKm: number; readonly airKm: number };
}

export interface SubcategoryParameters {
  readonly id: string;
  readonly volumeM3: number;
  readonly representativeMassKg: number;
  readonly representativeMaterial: string;
  readonly fabricProcess: string;
  readonly yarnNm: number;
  readonly makingMinutes: number;
  readonly makingLoss: number;
  readonly washes: number;
  readonly dryerShare: number;
  readonly ironMjPerCycle: number;
  readonly fading: boolean;
}

const FACTOR_FILES = [
  'benchmarks',
  'categories',
  'distances',
  'electricity',
  'electricity_regions',
  'heat',
  'materials',
  'materials_by_origin',
  'processes',
  'regions',
  'transport',
] as const;

/** Names the exact factors of a score: it changes when a byte of one of the files does. */
export const FACTOR_SET_HASH: string = hashOfTables(FACTOR_FILES);

/** Year of the data behind a source of material factors: the sources state it, the table has no column for it. */
const SOURCE_YEARS: readonly (readonly [sign: string, year: number])[] = [
  ['Kering EP&L', 2020],
  ['Base IMPACTS', 2019],
  ['Front. Bioeng. Biotechnol. 2021', 2021],
  ['Chemical Weekly', 2024],
];

function loadFactorTables(): FactorTables {
  const regionGrids = tableMap('electricity_regions', (row) => [cell(row, 'region'), gridFactor(row)]);
  const transport = readTable('transport');
  const freightOf = (mode: string): number =>
    numberIn(
      one(transport, (row) => cell(row, 'kind') === 'factor' && cell(row, 'mode') === mode),
      'kgco2e_per_tkm',
    );
  const defaultKm = (label: string): number =>
    numberIn(
      one(transport, (row) => cell(row, 'label') === label),
      'km',
    );
  return {
    materials: tableMap('materials', (row) => [cell(row, 'id'), materialFactor(row)]),
    materialsByOrigin: tableMap('materials_by_origin', (row) => [
      `${cell(row, 'id')}/${cell(row, 'origin_iso2')}`,
      numberIn(row, 'kgco2e_per_kg'),
    ]),
    grids: tableMap('electricity', (row) => [cell(row, 'iso2'), gridFactor(row)]),
    worldGrid: get(regionGrids, 'World'),
    marketGrid: get(regionGrids, 'EU'),
    heat: tableMap('heat', (row) => [`${cell(row, 'fuel')}/${cell(row, 'region')}`, numberIn(row, 'kgco2e_per_mj')]),
    regions: tableMap('regions', (row) => [cell(row, 'iso2'), cell(row, 'region') as 'europe' | 'africa']),
    processes: tableMap('processes', (row) => [cell(row, 'process_id'), processFactor(row)]),
    freight: { road: freightOf('road'), sea: freightOf('sea'), air: freightOf('air') },
    distances: new Map(readTable('distances').flatMap(distanceBothWays)),
    defaultDistances: {
      sameCountryKm: defaultKm('two steps in the same country'),
      warehouseToShopKm: defaultKm('warehouse to shop'),
      unknownPair: {
        roadKm: defaultKm('unknown origin or destination: lorry part'),
        seaKm: defaultKm('unknown origin or destination: sea part'),
        airKm: defaultKm('unknown origin or destination: air instead of sea'),
      },
    },
    subcategories: new Map(
      readTable('categories')
        .filter((row) => cell(row, 'level') === 'subcategory' && cell(row, 'rep_mass_kg') !== '')
        .map((row) => [cell(row, 'id'), subcategoryParameters(row)] as const),
    ),
    apparelBenchmarkPerKg: numberIn(
      one(readTable('benchmarks'), (row) => cell(row, 'kind') === 'model' && cell(row, 'subcategory') === ''),
      'kgco2e_per_kg',
    ),
  };
}

function materialFactor(row: Row): MaterialFactor {
  const a = numberOrNull(row, 'cff_A');
  const kgPerKg = numberOrNull(row, 'kgco2e_per_kg');
  return {
    id: cell(row, 'id'),
    fibreClass: cell(row, 'fibre_class') as FibreClass,
    kgPerKg,
    isProxy: cell(row, 'proxy_for') !== '',
    low: numberOrNull(row, 'low'),
    high: numberOrNull(row, 'high'),
    cff: a === null ? null : { a, q: numberIn(row, 'cff_Q'), virginId: cell(row, 'cff_virgin') },
    dataYear: kgPerKg === null ? 0 : sourceYear(cell(row, 'source')),
  };
}

function sourceYear(source: string): number {
  const known = SOURCE_YEARS.find(([sign]) => source.includes(sign));
  if (known === undefined) throw new Error(`reference data: no year is known for the source "${source}"`);
  return known[1];
}

const gridFactor = (row: Row): GridFactor => ({
  kgPerKwh: numberIn(row, 'gco2e_per_kwh') / 1000,
  dataYear: numberIn(row, 'year'),
});

const processFactor = (row: Row): ProcessFactor => ({
  kwh: numberOrNull(row, 'elec_kwh') ?? 0,
  heatMj: numberOrNull(row, 'heat_mj') ?? 0,
  directKg: numberOrNull(row, 'direct_kgco2e') ?? 0,
  lossOfInput: numberOrNull(row, 'loss_rate_of_input') ?? 0,
});

function distanceBothWays(row: Row): (readonly [string, Distance])[] {
  const from = cell(row, 'from_iso2');
  const to = cell(row, 'to_iso2');
  const distance: Distance = {
    roadKm: numberOrNull(row, 'road_km'),
    seaKm: numberOrNull(row, 'sea_km'),
    airKm: numberOrNull(row, 'air_km'),
  };
  return [
    [`${from}/${to}`, distance],
    [`${to}/${from}`, distance],
  ];
}

const subcategoryParameters = (row: Row): SubcategoryParameters => ({
  id: cell(row, 'id'),
  volumeM3: numberIn(row, 'volume_m3'),
  representativeMassKg: numberIn(row, 'rep_mass_kg'),
  representativeMaterial: cell(row, 'rep_material'),
  fabricProcess: cell(row, 'fabric'),
  yarnNm: numberIn(row, 'yarn_nm'),
  makingMinutes: numberIn(row, 'making_minutes'),
  makingLoss: numberIn(row, 'making_loss'),
  washes: numberIn(row, 'washes'),
  dryerShare: numberIn(row, 'dryer_share'),
  ironMjPerCycle: numberIn(row, 'iron_mj_per_cycle'),
  fading: cell(row, 'fading') === 'yes',
});

const tableMap = <T>(name: string, entry: (row: Row) => readonly [string, T]): ReadonlyMap<string, T> =>
  new Map(readTable(name).map(entry));

function one(rows: readonly Row[], matches: (row: Row) => boolean): Row {
  const found = rows.find(matches);
  if (found === undefined) throw new Error('reference data: a row that the score needs is missing');
  return found;
}

function get<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key);
  if (value === undefined) throw new Error(`reference data: there is no row "${key}"`);
  return value;
}

/** The factors as they stand in `reference-data/`, read once. */
export const FACTOR_TABLES: FactorTables = loadFactorTables();
