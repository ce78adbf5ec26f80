import type { Queryable } from '../../infrastructure/postgres/database.js';
import { outcomeTexts, type Run, type RunProgress } from './runs.js';

/** How far an import is, as its caller sees it. */
export const progressOf = (run: RunProgress) => {
  const { done, total, startedAt, movedAt, endedAt } = run;
  const seconds = startedAt === null || movedAt === null ? 0 : (movedAt - startedAt) / 1000;
  const rate = done === 0 || seconds <= 0 ? null : done / seconds;
  return {
    ...{ id: run.id, state: run.state, mode: run.mode, fileHash: run.fileHash, failure: run.failure },
    ...{ done, total, outcomes: run.counts },
    ratePerSecond: rate === null ? null : Math.round(rate * 10) / 10,
    secondsLeft: endedAt !== null ? 0 : rate === null ? null : Math.ceil((total - done) / rate),
    ...{ createdAt: run.createdAt, startedAt, endedAt },
  };
};

const ROWS_AT_ONCE = 2_000;

/** The progress and, from its end on until they are forgotten, every row: written piece by piece, as it may be long. */
export async function* reportJson(db: Queryable, run: Run): AsyncGenerator<string> {
  const progress = JSON.stringify(progressOf(run));
  if (run.endedAt === null || !run.hasReport) {
    yield `${progress.slice(0, -1)},"report":null}`;
    return;
  }
  yield `${progress.slice(0, -1)},"report":{"summary":${JSON.stringify(run.counts)},"rows":[`;
  for (let position = 0; position < run.done; position += ROWS_AT_ONCE) {
    const texts = await outcomeTexts(db, run.id, position, ROWS_AT_ONCE);
    yield `${position === 0 ? '' : ','}${texts.join(',')}`;
  }
  yield ']}}';
}
