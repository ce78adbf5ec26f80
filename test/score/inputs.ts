import { readFileSync } from 'node:fs';
import { scoreBatchExact, type ExactScore, type ScoreInput } from '../../src/score/score-batch.js';

export type Scored = Extract<ExactScore, { scored: true }>;

/** A T-shirt of unknown making, weighed, with nothing submitted. */
export const plainTshirt: ScoreInput = {
  subcategory: 'tshirts',
  categoryId: 'textile_apparel',
  weightKg: 0.2,
  weightEstimated: false,
  materials: [{ materialType: 'cotton', percentage: 100, originCountry: null }],
  quantity: 100,
  submitted: null,
  subSubmissions: [],
  submittedOn: '2026-11-21',
};

/** Worked example A of reference-data/README.md. */
export const exampleA: ScoreInput = {
  ...plainTshirt,
  weightKg: 0.18,
  quantity: 500,
  materials: [
    { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
    { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
  ],
  submitted: {
    countries: { spinning: 'TR', fabric: 'PT', dyeing: 'PT', making: 'PT' },
    fabricProcess: 'knitting_circular',
    cuttingLossPct: 12,
    makingElectricityKwh: 175,
    dyeing: { electricityKwhPerKg: 1.1, heatMjPerKg: 28, fuel: 'natural_gas' },
  },
};

/** Worked example B: an import row without weight and country. */
export const exampleB: ScoreInput = {
  ...plainTshirt,
  weightKg: null,
  quantity: 1,
  materials: [{ materialType: 'polyester_recycled', percentage: 100, originCountry: null }],
};

export function scored(...[input, tables]: Parameters<typeof scoreBatchExact>): Scored {
  const score = tables === undefined ? scoreBatchExact(input) : scoreBatchExact(input, tables);
  if (!score.scored) throw new Error(`no score: ${score.flags.join(', ')}`);
  return score;
}

interface WorkedExample {
  readonly result: {
    readonly mass_fabric: number;
    readonly mass_yarn: number;
    readonly fibres: readonly { id: string; yarn: number; fibre: number; ef: number; kg: number }[];
    readonly lines: Readonly<Record<string, number>>;
    readonly stages: Readonly<Record<string, number>>;
    readonly per_unit: number;
    readonly total: number;
    readonly benchmark: number;
    readonly vs_average_pct: number;
  };
}

const examplesUrl = new URL('../../reference-data/examples.json', import.meta.url);

export const EXAMPLES = JSON.parse(readFileSync(examplesUrl, 'utf8')) as Readonly<Record<'A' | 'B', WorkedExample>>;
