import { FACTOR_SET_HASH } from '../reference-data/factor-tables.js';
import { METHOD_VERSION, scoreBatch, type ScoreInput, type ScoreResult } from './score-batch.js';

/** Formulas and factors, by the names that stand in every score that was made with them. */
export type MethodName = Pick<ScoreResult, 'methodVersion' | 'factorSetHash'>;

export interface ScoreMethod extends MethodName {
  readonly score: (input: ScoreInput) => ScoreResult;
}

export interface ScoreMethods {
  /** What is scored for the first time is scored with. */
  readonly current: ScoreMethod;
  /** What made an earlier score. A method is never taken away: a passport may need it again. */
  named(name: MethodName): ScoreMethod;
}

export const scoreMethods = (newestFirst: readonly [ScoreMethod, ...ScoreMethod[]]): ScoreMethods => ({
  current: newestFirst[0],
  named({ methodVersion, factorSetHash }) {
    const method = newestFirst.find(
      (one) => one.methodVersion === methodVersion && one.factorSetHash === factorSetHash,
    );
    if (method === undefined) throw new Error(`no score method ${methodVersion} with the factors ${factorSetHash}`);
    return method;
  },
});

/** All methods side by side; a new one is put in front. */
export const SCORE_METHODS = scoreMethods([
  { methodVersion: METHOD_VERSION, factorSetHash: FACTOR_SET_HASH, score: scoreBatch },
]);
