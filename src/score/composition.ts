import type { FactorTables } from '../reference-data/factor-tables.js';
import { materialFactorOf } from './factors.js';
import type { ModelInput } from './climate-model.js';

export interface MaterialShare {
  readonly materialType: string;
  readonly percentage: number;
  readonly originCountry: string | null;
}

/** Ecobalyse's rule for missing materials. */
const MISSING_LIMIT_PCT = 20;

export type ScoredComposition =
  | { readonly ok: true; readonly materials: ModelInput['materials']; readonly rescaled: boolean }
  | { readonly ok: false; readonly reason: 'no_composition' | 'materials_without_factor' };

/** The materials that can be scored: above 20 % without a factor none, up to 20 % the others scaled up to 100 %. */
export function scoredComposition(tables: FactorTables, materials: readonly MaterialShare[]): ScoredComposition {
  if (materials.length === 0) return { ok: false, reason: 'no_composition' };
  const known = materials.filter((m) => materialFactorOf(tables, m.materialType, m.originCountry) !== null);
  const missing = materials.filter((m) => !known.includes(m));
  const knownPct = percentageOf(known);
  if (percentageOf(missing) > MISSING_LIMIT_PCT || knownPct === 0) {
    return { ok: false, reason: 'materials_without_factor' };
  }
  const rescaled = missing.length > 0;
  const whole = rescaled ? knownPct : 100;
  return {
    ok: true,
    rescaled,
    materials: known.map(({ materialType, percentage, originCountry }) => ({
      materialType,
      originCountry,
      fibreClass: tables.materials.get(materialType)?.fibreClass ?? 'none',
      share: percentage / whole,
    })),
  };
}

/** Added at 6 decimals, as everywhere a composition is totalled. */
const percentageOf = (materials: readonly MaterialShare[]): number =>
  Math.round(materials.reduce((sum, { percentage }) => sum + percentage, 0) * 1e6) / 1e6;
