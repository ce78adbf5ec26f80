/** One contribution to the score: its kg CO2e, how much of it rests on submitted data, its ratings (1 best, 5 worst). */
export interface QualityItem {
  readonly id: string;
  readonly kg: number;
  readonly primaryKg: number;
  readonly ter: number;
  readonly ger: number;
  readonly tir: number;
  readonly p: number;
}

export type QualityLevel = 'excellent' | 'very_good' | 'good' | 'fair' | 'poor';

export interface QualityRating {
  readonly dqr: number;
  readonly level: QualityLevel;
  readonly ter: number;
  readonly ger: number;
  readonly tir: number;
  readonly p: number;
  readonly primarySharePct: number;
  readonly coveragePct: number;
  /** The items that were rated, largest first. */
  readonly rated: readonly QualityItem[];
}

/** Age of data at production, in years. */
export function rateAge(years: number): number {
  if (years <= 2) return 1;
  if (years <= 4) return 2;
  if (years <= 6) return 3;
  return years <= 8 ? 4 : 5;
}

const COVERED_SHARE = 0.8;

/** Weighted means over the largest items that together cover at least 80 % of the total. */
export function rateQuality(items: readonly QualityItem[]): QualityRating {
  const totalKg = items.reduce((sum, item) => sum + item.kg, 0);
  const rated: QualityItem[] = [];
  let coveredKg = 0;
  for (const item of items.toSorted((a, b) => b.kg - a.kg)) {
    if (coveredKg >= COVERED_SHARE * totalKg) break;
    rated.push(item);
    coveredKg += item.kg;
  }
  const mean = (rating: (item: QualityItem) => number): number =>
    rated.reduce((sum, item) => sum + item.kg * rating(item), 0) / coveredKg;
  const dqr = mean((item) => (item.ter + item.ger + item.tir + item.p) / 4);
  return {
    dqr,
    level: qualityLevel(dqr),
    ter: mean((item) => item.ter),
    ger: mean((item) => item.ger),
    tir: mean((item) => item.tir),
    p: mean((item) => item.p),
    primarySharePct: (items.reduce((sum, item) => sum + item.primaryKg, 0) / totalKg) * 100,
    coveragePct: (coveredKg / totalKg) * 100,
    rated,
  };
}

function qualityLevel(dqr: number): QualityLevel {
  if (dqr <= 1.5) return 'excellent';
  if (dqr <= 2) return 'very_good';
  if (dqr <= 3) return 'good';
  return dqr <= 4 ? 'fair' : 'poor';
}
