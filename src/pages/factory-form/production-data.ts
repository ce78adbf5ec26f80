/** Steps of making whose country is asked for. */
export const COUNTRY_STEPS = ['spinning', 'fabric', 'dyeing', 'making'] as const;

/** Ids of the ways to make a fabric, from `reference-data/processes.csv`. */
export const FABRIC_PROCESSES = [
  'knitting_circular',
  'knitting_flat',
  'knitting_fully_fashioned',
  'knitting_seamless',
  'knitting_average',
  'weaving',
] as const;

/** Ids of the fuels of a dye house, from `reference-data/heat.csv`. */
export const DYEING_FUELS = ['natural_gas', 'light_fuel_oil', 'heavy_fuel_oil', 'coal'] as const;

export const CERTIFICATE_FIELDS = ['type', 'number', 'issuer', 'validFrom', 'validUntil'] as const;

/** JSON paths of the fields that hold a number. */
export const NUMBER_PATHS: ReadonlySet<string> = new Set([
  'productWeightKg',
  'quantityProduced',
  'yarnNm',
  'cuttingLossPct',
  'makingElectricityKwh',
  'dyeing.electricityKwhPerKg',
  'dyeing.heatMjPerKg',
  'airSharePct',
]);

/** JSON paths of the fields that are chosen from a list that never changes. */
export const CHOICE_PATHS: ReadonlySet<string> = new Set([
  ...COUNTRY_STEPS.map((step) => `countries.${step}`),
  'fabricProcess',
  'dyeing.fuel',
]);

/** JSON paths of the fields that hold a day. */
export const DAY_PATHS = /^(productionDate|certificates\.\d+\.valid(From|Until))$/;

/** JSON paths of all fields but the certificates', in the order of the page. */
export const FIELD_PATHS: readonly string[] = [
  'productWeightKg',
  'quantityProduced',
  'productionDate',
  'facilityId',
  ...COUNTRY_STEPS.map((step) => `countries.${step}`),
  'fabricProcess',
  'yarnNm',
  'dyeing.electricityKwhPerKg',
  'dyeing.heatMjPerKg',
  'dyeing.fuel',
  'cuttingLossPct',
  'makingElectricityKwh',
  'airSharePct',
  'notes',
];

/** As many certificates as production data may hold. */
export const MAX_CERTIFICATES = 50;
