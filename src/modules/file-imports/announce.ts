import { commandContext, type CommandContext } from '../../core/context.js';
import { deterministicUuid } from '../../core/ids.js';
import { execute } from '../../infrastructure/command-handler.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { importDecider } from './decider.js';
import { importStream } from './events.js';
import { queuedRuns, type Run } from './runs.js';

/** Says in the log that the import is to begin; the reactor starts the workflow from it. Said again it changes nothing. */
export async function announceImport(eventStore: EventStore, context: CommandContext, run: Run): Promise<void> {
  await execute(eventStore, context, {
    stream: importStream(run.id),
    decider: importDecider,
    command: {
      type: 'StartImport',
      importId: run.id,
      organizationId: run.organizationId,
      ...{ fileHash: run.fileHash, mode: run.mode, rows: run.total },
    },
  });
}

const LEFT_AFTER_MS = 60_000;
const RUNS_AT_ONCE = 100;

/**
 * Announces the imports whose commit was broken off between the row and the event, and whose caller did not come back. Those that
 * only wait for a worker stay as they are.
 */
export async function announceLeftImports(
  { database, eventStore }: { readonly database: Queryable; readonly eventStore: EventStore },
  now: number,
): Promise<void> {
  for (const run of await queuedRuns(database, now - LEFT_AFTER_MS, RUNS_AT_ONCE)) {
    const { organizationId, actor, correlationId, createdAt } = run;
    const seed = deterministicUuid(run.id, 'announced');
    const context = commandContext({ organizationId, actor, correlationId, now: createdAt, seed });
    await announceImport(eventStore, context, run);
  }
}
