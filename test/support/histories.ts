import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const FOLDER = join(import.meta.dirname, '..', 'histories');

export interface StoredHistory {
  readonly name: string;
  readonly events: readonly Record<string, unknown>[];
}

/** The histories that today's workflows must be able to go on from. */
export const storedHistories = async (): Promise<readonly StoredHistory[]> =>
  Promise.all(
    globSync('*.json', { cwd: FOLDER })
      .sort()
      .map(async (file) => ({
        name: file.replace('.json', ''),
        ...(JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as Pick<StoredHistory, 'events'>),
      })),
  );

/**
 * Keeps the history of a workflow that a test has just lived through, when the run is asked to (`RECORD_HISTORIES=1`, see
 * test/histories/README.md). A history that is there already is never overwritten: it is what runs somewhere.
 */
export async function recordHistory(name: string, workflow: Pick<WorkflowHandle, 'fetchHistory'>): Promise<void> {
  const file = join(FOLDER, `${name}.json`);
  if (process.env['RECORD_HISTORIES'] !== '1' || existsSync(file)) return;
  const history = JSON.parse(historyToJSON(await workflow.fetchHistory()), (member, value: unknown) =>
    // Which machine it ran on, and from which folder, says nothing.
    member === 'identity' ? 'worker' : member === 'stackTrace' ? '' : value,
  ) as object;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(file, `${JSON.stringify(history, null, 1)}\n`);
}
