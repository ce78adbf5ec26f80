import { Refusal } from '../../core/errors.js';
import type { Plan } from '../../core/vocabulary.js';

/** Rows of one `validate` call. */
export const VALIDATE_ROWS = 300;
/** Rows of one `commit` call, and of one chunk of a file. */
export const COMMIT_ROWS = 25;
/** Data rows of one file, or of one legacy call, on the free plan. */
const FREE_PLAN_ROWS = 50;

export function refuseBeyondPlan(plan: Plan, rowCount: number): void {
  if (plan === 'pro' || rowCount <= FREE_PLAN_ROWS) return;
  throw new Refusal(
    'plan_limit',
    `The free plan imports at most ${FREE_PLAN_ROWS} rows at a time; these are ${rowCount}. Nothing was imported.`,
  );
}
