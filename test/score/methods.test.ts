import { describe, expect, test } from 'vitest';
import { batchDecider } from '../../src/modules/batches/decider.js';
import type { BatchEvent } from '../../src/modules/batches/events.js';
import { methodOf, scoreOf } from '../../src/modules/batches/scoring.js';
import type { Batch } from '../../src/modules/batches/state.js';
import type { ProductFields } from '../../src/modules/products/events.js';
import { SCORE_METHODS, scoreMethods, type ScoreMethod } from '../../src/score/methods.js';
import { batchId, organizationId, passport, preliminary } from '../modules/batches/stories.js';

const older = SCORE_METHODS.current;
/** What a second method is: a name, its factors, and a function. */
const newer: ScoreMethod = {
  methodVersion: 'apparel-screening-2.0.0',
  factorSetHash: 'f'.repeat(64),
  score: (input) => {
    const score = older.score(input);
    const { methodVersion, factorSetHash } = newer;
    return { ...score, climate_change_per_unit: 42, methodVersion, factorSetHash };
  },
};
const methods = scoreMethods([newer, older]);

const tshirt: ProductFields = {
  name: 'Tee',
  sku: 'T-1',
  gtin: null,
  externalId: null,
  categoryId: 'textile_apparel',
  subcategory: 'tshirts',
  weightKg: 0.2,
  weightEstimated: false,
  materials: [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'TR', supplierIds: [] }],
  countryOfManufacture: 'PT',
  careInstructions: null,
  expectedLifespan: null,
  recyclable: null,
  recyclingInstructions: null,
  ecommerceUrl: null,
};

function folded(events: readonly BatchEvent[]): Batch {
  const state = events.reduce(batchDecider.evolve, batchDecider.initialState);
  if (state.status === 'none') throw new Error('the story begins with its batch');
  return state;
}

const scoredBy = (method: ScoreMethod, batch: Batch, product = tshirt) => scoreOf(batch, product, 1_000, { method });
const namesIn = ({ methodVersion, factorSetHash }: { methodVersion: string; factorSetHash: string }) => ({
  methodVersion,
  factorSetHash,
});
const published = (): readonly BatchEvent[] => [
  preliminary,
  { type: 'BatchScored', data: { batchId, ...scoredBy(older, folded([preliminary])) } },
  { type: 'BatchPublished', data: { batchId, organizationId, ...passport } },
];

describe('a second method beside the first', () => {
  test('scores what has no score yet', () => {
    const batch = folded([preliminary]);
    expect(methodOf(batch, methods)).toBe(newer);
    expect(scoredBy(methodOf(batch, methods), batch).pefcr.climate_change_per_unit).toBe(42);
  });

  test('leaves a passport its own when its product changes', () => {
    const batch = folded(published());
    const heavier = { ...tshirt, weightKg: 0.3 };
    const score = scoredBy(methodOf(batch, methods), batch, heavier);
    expect(namesIn(score)).toEqual(namesIn(older));
    expect(score).toEqual(scoredBy(older, batch, heavier));
    expect(score).not.toEqual(batch.score);
  });

  test('takes a passport over when it is asked for, and from then on', () => {
    const batch = folded(published());
    const command = { type: 'ScoreBatch', score: scoredBy(methods.current, batch) } as const;
    const events = batchDecider.decide(command, batch);
    expect(events.map(({ type, data }) => [type, data])).toEqual([['BatchScored', { batchId, ...command.score }]]);
    const after = folded([...published(), ...events]);
    expect(after.score).toMatchObject(namesIn(newer));
    expect(methodOf(after, methods)).toBe(newer);
    expect(batchDecider.decide(command, after)).toEqual([]);
  });

  test('is told from one with other factors, and one that is gone is a fault', () => {
    expect(methods.named(older)).toBe(older);
    expect(() => methods.named({ ...older, factorSetHash: newer.factorSetHash })).toThrow('no score method');
  });
});
