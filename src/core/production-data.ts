/** The fuels of a dye house that have a factor of their own in `reference-data/heat.csv`. */
export const FUELS = ['natural_gas', 'light_fuel_oil', 'heavy_fuel_oil', 'coal'] as const;
export type Fuel = (typeof FUELS)[number];

/** How a fabric can be made: the rows of stage `fabric` in `reference-data/processes.csv`. */
export const FABRIC_PROCESSES = [
  'knitting_average',
  'knitting_circular',
  'knitting_flat',
  'knitting_fully_fashioned',
  'knitting_seamless',
  'weaving',
] as const;
export type FabricProcess = (typeof FABRIC_PROCESSES)[number];

/** A certificate as a factory names it; days are `YYYY-MM-DD`. */
export interface CertificateData {
  readonly type: string;
  readonly number: string;
  readonly issuer: string | null;
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

/** What a factory or a sub-supplier submits about a batch: at least one figure, each of them optional. */
export interface ProductionData {
  readonly productWeightKg?: number | undefined;
  readonly quantityProduced?: number | undefined;
  /** `YYYY-MM-DD` */
  readonly productionDate?: string | undefined;
  readonly facilityId?: string | undefined;
  /** Two-letter codes. */
  readonly countries?:
    | {
        readonly spinning?: string | undefined;
        readonly fabric?: string | undefined;
        readonly dyeing?: string | undefined;
        readonly making?: string | undefined;
      }
    | undefined;
  readonly fabricProcess?: FabricProcess | undefined;
  /** Metric count: metres of yarn in a gram. */
  readonly yarnNm?: number | undefined;
  readonly cuttingLossPct?: number | undefined;
  /** For the whole batch. */
  readonly makingElectricityKwh?: number | undefined;
  readonly dyeing?:
    | {
        readonly electricityKwhPerKg?: number | undefined;
        readonly heatMjPerKg?: number | undefined;
        readonly fuel?: Fuel | undefined;
      }
    | undefined;
  /** Share of the way to the market that goes by air. */
  readonly airSharePct?: number | undefined;
  readonly certificates?: readonly CertificateData[] | undefined;
  readonly notes?: string | undefined;
}
