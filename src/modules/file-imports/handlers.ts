import { organizationOf, type CommandContext } from '../../core/context.js';
import { Refusal, notFound } from '../../core/errors.js';
import type { Plan } from '../../core/vocabulary.js';
import { inTransaction } from '../../infrastructure/postgres/database.js';
import { type ImportMode, refuseBeyondPlan } from '../imports/index.js';
import { announceImport } from './announce.js';
import { fieldOfColumn } from './fields.js';
import { headerKey } from './header.js';
import { bindingsOf } from './import-row.js';
import { mapColumns, type Mapping } from './mapping.js';
import { findRun, insertRun, requestCancel, type Run } from './runs.js';
import { keepUploadUntil, saveMapping } from './store.js';
import { mappedColumns, refuseWithoutName, uploadOf, type FileDependencies } from './upload.js';

/** So long the rows of an imported file are kept, for the file of its errors, and from its end on what was said of them. */
export const ROWS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Starts the import of an uploaded file; the worker does it. A file has one import: starting it again answers the same. A
 * mapping that was corrected here is kept for files with the same columns.
 */
export async function startFileImport(
  deps: Pick<FileDependencies, 'database' | 'eventStore'>,
  context: CommandContext,
  order: {
    readonly fileId: string;
    readonly plan: Plan;
    readonly mode: ImportMode | undefined;
    readonly mapping: Mapping | undefined;
  },
): Promise<Run> {
  const organizationId = organizationOf(context);
  const known = await findRun(deps.database, organizationId, order.fileId);
  if (known === null) await prepare(deps, context, order);
  const run = known ?? (await findRun(deps.database, organizationId, order.fileId));
  if (run === null) throw notFound('file', order.fileId);
  refuseOtherOrder(run, order);
  // Again after a crash in between.
  await announceImport(deps.eventStore, context, run);
  return run;
}

/** What a second call says must be what the import was started with; it cannot be changed any more. */
function refuseOtherOrder(run: Run, { mode, mapping = {} }: Parameters<typeof startFileImport>[2]): void {
  mapColumns(run.sheet.columns, { given: mapping });
  const fields = new Map(run.bindings.map(({ header, field }) => [headerKey(header), field]));
  const other = Object.entries(mapping).find(
    ([header, column]) =>
      (column === null ? null : fieldOfColumn(column)?.field) !== (fields.get(headerKey(header)) ?? null),
  );
  if (other === undefined && (mode ?? run.mode) === run.mode) return;
  const what =
    other === undefined ? `in mode "${run.mode}"` : `with another mapping of the column "${other[0]}" than this one`;
  throw new Refusal(
    'import_differs',
    `The import "${run.id}" of this file was started ${what}. Upload the file again to import it otherwise.`,
    { extra: { importId: run.id, state: run.state } },
  );
}

async function prepare(
  deps: Pick<FileDependencies, 'database'>,
  context: CommandContext,
  order: Parameters<typeof startFileImport>[2],
): Promise<void> {
  const organizationId = organizationOf(context);
  const upload = await uploadOf(deps, organizationId, order.fileId);
  const mapped = await mappedColumns(deps, upload, order.mapping ?? {});
  refuseWithoutName(mapped);
  refuseBeyondPlan(order.plan, upload.productRows);
  await inTransaction(deps.database, async (db) => {
    // From here on nobody drops the file, and who has dropped it just now was first.
    if (!(await keepUploadUntil(db, upload.id, context.now + ROWS_KEPT_MS))) throw notFound('file', upload.id);
    if (Object.keys({ ...upload.mapping, ...order.mapping }).length > 0) {
      const { fileType } = upload;
      await saveMapping(db, { organizationId, fileType, mapping: mapped.mapping, now: context.now });
    }
    await insertRun(db, {
      ...{ id: upload.id, organizationId, fileHash: upload.fileHash, mode: order.mode ?? upload.mode },
      ...{ bindings: bindingsOf(mapped.columns), sheet: upload.sheet, total: upload.rowCount },
      ...{ actor: context.actor, correlationId: context.correlationId, createdAt: context.now },
    });
  });
}

/** The import, or 404 also when it is another organization's. */
export async function runOf(
  deps: Pick<FileDependencies, 'database'>,
  organizationId: string,
  id: string,
): Promise<Run> {
  const run = await findRun(deps.database, organizationId, id);
  if (run === null) throw notFound('import', id);
  return run;
}

/** Ends an import before its next rows; what is done stays. */
export async function cancelImport(
  deps: Pick<FileDependencies, 'database'>,
  organizationId: string,
  id: string,
): Promise<Run> {
  const run = await runOf(deps, organizationId, id);
  if (run.state === 'completed' || run.state === 'failed') {
    throw new Refusal('import_over', `The import "${id}" is ${run.state}.`, {
      extra: { state: run.state, allowed: ['queued', 'running'] },
    });
  }
  await requestCancel(deps.database, id);
  return runOf(deps, organizationId, id);
}
