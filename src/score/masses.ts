import type { FibreClass } from '../reference-data/materials.js';
import type { FactorTables } from '../reference-data/factor-tables.js';
import { processOf } from './factors.js';

/** Shares of the composition by what the mill does with them; they sum to 1. */
export interface Masses {
  readonly productKg: number;
  /** Of the textile part: what is cut. */
  readonly fabricKg: number;
  readonly yarnKg: number;
  /** Share of the composition that is spun, knitted or woven, and treated wet. */
  readonly textileShare: number;
  readonly fibres: readonly FibreMass[];
}

export interface FibreMass {
  readonly materialType: string;
  readonly originCountry: string | null;
  readonly fibreClass: FibreClass;
  readonly share: number;
  /** 0 for what is not spun. */
  readonly yarnKg: number;
  readonly fibreKg: number;
}

/** Spinning by fibre class: ring for natural and man-made cellulosic fibres, filament extrusion for synthetic ones. */
export const spinningProcessId = (fibreClass: Exclude<FibreClass, 'none'>): string =>
  fibreClass === 'synthetic' ? 'spinning_filament' : 'spinning_ring';

/**
 * From the product back to the fibre. Losses are shares of the input; dyeing and finishing lose nothing. Down,
 * polymers and leather (fibre class `none`) are taken at their share of the product's mass.
 */
export function computeMasses(
  tables: FactorTables,
  input: {
    readonly productKg: number;
    readonly makingLoss: number;
    readonly fabricLoss: number;
    readonly materials: readonly Pick<FibreMass, 'materialType' | 'originCountry' | 'fibreClass' | 'share'>[];
  },
): Masses {
  const fabricKgIfAllTextile = input.productKg / (1 - input.makingLoss);
  const yarnKgIfAllTextile = fabricKgIfAllTextile / (1 - input.fabricLoss);
  const fibres = input.materials.map((material): FibreMass => {
    if (material.fibreClass === 'none') return { ...material, yarnKg: 0, fibreKg: material.share * input.productKg };
    const yarnKg = material.share * yarnKgIfAllTextile;
    const { lossOfInput } = processOf(tables, spinningProcessId(material.fibreClass));
    return { ...material, yarnKg, fibreKg: yarnKg / (1 - lossOfInput) };
  });
  const otherShare = fibres.reduce((sum, fibre) => (fibre.fibreClass === 'none' ? sum + fibre.share : sum), 0);
  const textileShare = otherShare === 0 ? 1 : fibres.reduce((s, f) => (f.fibreClass === 'none' ? s : s + f.share), 0);
  return {
    productKg: input.productKg,
    fabricKg: textileShare * fabricKgIfAllTextile,
    yarnKg: textileShare * yarnKgIfAllTextile,
    textileShare,
    fibres,
  };
}
