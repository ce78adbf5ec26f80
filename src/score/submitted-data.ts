import type { FabricProcess, Fuel, ProductionData } from '../core/production-data.js';

/** The figures of production data that the score reads, one by one. */
interface ScoreFigures {
  productWeightKg: number | null;
  productionDate: string | null;
  'countries.spinning': string | null;
  'countries.fabric': string | null;
  'countries.dyeing': string | null;
  'countries.making': string | null;
  fabricProcess: FabricProcess | null;
  yarnNm: number | null;
  cuttingLossPct: number | null;
  makingElectricityKwh: number | null;
  'dyeing.electricityKwhPerKg': number | null;
  'dyeing.heatMjPerKg': number | null;
  'dyeing.fuel': Fuel | null;
  airSharePct: number | null;
}

export type ScoreFigure = keyof ScoreFigures;

export interface MergedFigures {
  readonly figures: Readonly<ScoreFigures>;
  /** Figures that somebody submitted. */
  readonly submitted: readonly ScoreFigure[];
  readonly usesSubSuppliers: boolean;
}

/** The factory's figures; sub-suppliers fill only what it left out, the first answer wins. */
export function mergeFigures(factory: ProductionData | null, subSuppliers: readonly ProductionData[]): MergedFigures {
  const figures = figuresOf(factory ?? {});
  const names = Object.keys(figures) as ScoreFigure[];
  let usesSubSuppliers = false;
  for (const answer of subSuppliers) {
    const theirs = figuresOf(answer);
    for (const name of names) {
      if (figures[name] !== null || theirs[name] === null) continue;
      Object.assign(figures, { [name]: theirs[name] });
      usesSubSuppliers = true;
    }
  }
  return { figures, submitted: names.filter((name) => figures[name] !== null), usesSubSuppliers };
}

const figuresOf = (data: ProductionData): ScoreFigures => ({
  productWeightKg: data.productWeightKg ?? null,
  productionDate: data.productionDate ?? null,
  'countries.spinning': data.countries?.spinning ?? null,
  'countries.fabric': data.countries?.fabric ?? null,
  'countries.dyeing': data.countries?.dyeing ?? null,
  'countries.making': data.countries?.making ?? null,
  fabricProcess: data.fabricProcess ?? null,
  yarnNm: data.yarnNm ?? null,
  cuttingLossPct: data.cuttingLossPct ?? null,
  makingElectricityKwh: data.makingElectricityKwh ?? null,
  'dyeing.electricityKwhPerKg': data.dyeing?.electricityKwhPerKg ?? null,
  'dyeing.heatMjPerKg': data.dyeing?.heatMjPerKg ?? null,
  'dyeing.fuel': data.dyeing?.fuel ?? null,
  airSharePct: data.airSharePct ?? null,
});
