import type { ProductionData } from '../../core/production-data.js';
import { SCORE_METHODS, type ScoreMethod } from '../../score/methods.js';
import type { ProductFields } from '../products/index.js';
import type { Score } from './decider.js';
import type { Batch } from './state.js';

/** An answer as it enters the score. */
export interface Answer {
  readonly requestId: string;
  readonly data: ProductionData;
  readonly submittedAt: number;
}

/** The method that made the batch's score, so that what was published stays comparable; today's where there is no score. */
export const methodOf = ({ score }: Pick<Batch, 'score'>, methods = SCORE_METHODS): ScoreMethod =>
  score === null ? methods.current : methods.named(score);

/** The score of a batch with its answers so far, and with `arriving` in the place of the same request's earlier one. */
export function scoreOf(
  batch: Batch,
  product: ProductFields,
  at: number,
  { arriving, method = SCORE_METHODS.current }: { readonly arriving?: Answer; readonly method?: ScoreMethod } = {},
): Score {
  const answers = batch.requests
    .flatMap((request) => {
      const { id: requestId, role, supplierId } = request;
      if (requestId === arriving?.requestId) return [{ role, supplierId, ...arriving }];
      const { data, submittedAt } = request;
      return data === null || submittedAt === null ? [] : [{ role, supplierId, requestId, data, submittedAt }];
    })
    .sort((a, b) => a.submittedAt - b.submittedAt);
  const factory = answers.find(({ role }) => role === 'factory');
  return score(
    method,
    product,
    batch.quantity,
    factory?.submittedAt ?? arriving?.submittedAt ?? at,
    factory?.data ?? null,
    answers.filter(({ role }) => role === 'sub_supplier'),
  );
}

/** The score of a passport that no factory has answered for. */
export const preliminaryScore = (product: ProductFields, quantity: number, at: number): Score =>
  score(SCORE_METHODS.current, product, quantity, at, null, []);

function score(
  method: ScoreMethod,
  product: ProductFields,
  quantity: number,
  submittedAt: number,
  submitted: ProductionData | null,
  subSubmissions: readonly { supplierId: string; data: ProductionData }[],
): Score {
  const { categoryId, subcategory, weightKg, weightEstimated, materials } = product;
  const submittedOn = new Date(submittedAt).toISOString().slice(0, 10);
  const { methodVersion, factorSetHash, ...pefcr } = method.score({
    categoryId,
    subcategory,
    weightKg,
    weightEstimated,
    materials,
    quantity,
    submitted,
    subSubmissions,
    submittedOn,
  });
  return { pefcr, methodVersion, factorSetHash };
}
