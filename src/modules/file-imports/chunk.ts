import { commandContext, type CommandContext } from '../../core/context.js';
import { notFound } from '../../core/errors.js';
import { deterministicUuid } from '../../core/ids.js';
import { execute } from '../../infrastructure/command-handler.js';
import { COMMIT_ROWS, commitRows, summaryOf } from '../imports/index.js';
import { importDecider } from './decider.js';
import { importStream, type ImportEnd } from './events.js';
import { toImportRow } from './import-row.js';
import { earlierRows } from './earlier-rows.js';
import { addOutcomes, beginRun, endRun, findRun, type Run } from './runs.js';
import { rowsFrom } from './store.js';

export type ChunkDependencies = Parameters<typeof commitRows>[0] & {
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
};

export interface ImportStep {
  readonly importId: string;
  readonly organizationId: string;
  /** The time of the step, the same when it is tried again. */
  readonly now: number;
}

/** What is left to do after a chunk: go on, or end so. */
export type AfterChunk = 'more' | Exclude<ImportEnd, 'failed'>;

/** Chunk follows on chunk for so long before the workflow hears of it: what it costs to tell is little beside that. */
const STEP_MS = 2_000;

/**
 * Imports the next rows that have no outcome yet, and writes their outcomes down, chunk by chunk. May be repeated, and killed
 * anywhere: rows that were done answer what they did, and outcomes are counted once.
 */
export async function importNextRows(deps: ChunkDependencies, step: ImportStep): Promise<AfterChunk> {
  const until = performance.now() + STEP_MS;
  let after = await importChunk(deps, step);
  while (after === 'more' && performance.now() < until) after = await importChunk(deps, step);
  return after;
}

async function importChunk(deps: ChunkDependencies, step: ImportStep): Promise<AfterChunk> {
  const run = await existing(deps, step);
  if (run.endedAt !== null) return run.state === 'cancelled' ? 'cancelled' : 'completed';
  if (run.cancelRequested) return 'cancelled';
  if (run.done >= run.total) return 'completed';
  if (run.startedAt === null) await beginRun(deps.database, run.id, step.now);
  const stored = await rowsFrom(deps.database, run.id, run.done, COMMIT_ROWS);
  // Without the rows of its file an import can never come to its end.
  if (stored.length === 0) throw notFound('file', run.id);
  const outcomes = await commitRows(deps, contextOf(run, step), {
    source: { importId: run.id, fileHash: run.fileHash },
    mode: run.mode,
    rows: stored.map((row) => toImportRow(row, run.bindings, run.sheet)),
    earlier: (productIds) => earlierRows(deps.database, run, productIds),
  });
  await addOutcomes(deps.database, run.id, {
    ...{ from: run.done, outcomes, counts: summaryOf(outcomes), now: deps.clock() },
  });
  return run.done + stored.length >= run.total ? 'completed' : 'more';
}

/** Says in the log, then in the table, that the import is over. */
export async function endImport(
  deps: ChunkDependencies,
  step: ImportStep & { readonly state: ImportEnd; readonly failure: string | null },
): Promise<void> {
  const run = await existing(deps, step);
  await execute(deps.eventStore, contextOf(run, step), {
    stream: importStream(run.id),
    decider: importDecider,
    command: { type: 'EndImport', importId: run.id, state: step.state, counts: run.counts },
  });
  await endRun(deps.database, run.id, step);
}

async function existing(
  deps: Pick<ChunkDependencies, 'database'>,
  { organizationId, importId }: ImportStep,
): Promise<Run> {
  const run = await findRun(deps.database, organizationId, importId);
  if (run === null) throw new Error(`the import "${importId}" has no row`);
  return run;
}

/** Whoever started the import acts in it; each chunk has a seed of its own. */
const contextOf = ({ id, done, organizationId, actor, correlationId }: Run, { now }: ImportStep): CommandContext =>
  commandContext({ organizationId, actor, correlationId, now, seed: deterministicUuid(id, `chunk-${done}`) });
