import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { historyToJSON, JSONToPayload, payloadToJSON } from '@temporalio/common/lib/proto-utils.js';

const FOLDER = join(import.meta.dirname, '..', 'histories');

export interface StoredHistory {
  readonly name: string;
  readonly events: readonly Record<string, unknown>[];
}

/** The histories that today's workflows must be able to go on from; their payloads lie in the open, to be read and compared. */
export const storedHistories = async (): Promise<readonly StoredHistory[]> =>
  Promise.all(
    globSync('*.json', { cwd: FOLDER })
      .sort()
      .map(async (file) => ({
        name: file.replace('.json', ''),
        ...(JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as Pick<StoredHistory, 'events'>),
      })),
  );

/** The history as a server keeps it: with what `codec` makes of its payloads. */
export const encoded = async (history: StoredHistory, codec: PayloadCodec): Promise<StoredHistory> =>
  (await withPayloads(history, (payloads) => codec.encode(payloads))) as StoredHistory;

/**
 * Keeps the history of a workflow that a test has just lived through, when the run is asked to (`RECORD_HISTORIES=1`, see
 * test/histories/README.md). A history that is there already is never overwritten: it is what runs somewhere.
 */
export async function recordHistory(
  name: string,
  workflow: Pick<WorkflowHandle, 'fetchHistory' | 'client'>,
): Promise<void> {
  const file = join(FOLDER, `${name}.json`);
  if (process.env['RECORD_HISTORIES'] !== '1' || existsSync(file)) return;
  const { payloadCodecs } = workflow.client.options.loadedDataConverter;
  let history: unknown = JSON.parse(historyToJSON(await workflow.fetchHistory()), (member, value: unknown) =>
    // Which machine it ran on, and from which folder, says nothing.
    member === 'identity' ? 'worker' : member === 'stackTrace' ? '' : value,
  );
  for (const codec of payloadCodecs) history = await withPayloads(history, (payloads) => codec.decode(payloads));
  await mkdir(FOLDER, { recursive: true });
  await writeFile(file, `${JSON.stringify(history, null, 1)}\n`);
}

/** The same JSON with every payload in it changed, wherever it is. */
async function withPayloads(value: unknown, change: (payloads: Payload[]) => Promise<Payload[]>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map((item) => withPayloads(item, change)));
  if (isPayload(value)) {
    const [changed] = await change([JSONToPayload(value)]);
    return changed === undefined ? value : payloadToJSON(changed);
  }
  // What the SDK's core notes for itself is never given to a codec; the result of a local activity is.
  const isOfCore = 'markerName' in value && String(value.markerName).startsWith('core_');
  const details = isOfCore && 'details' in value ? (value.details as Record<string, unknown>) : {};
  const members = Object.entries(value).map(async ([name, member]) => [
    name,
    isOfCore && name === 'details'
      ? { ...details, ...('result' in details && { result: await withPayloads(details['result'], change) }) }
      : await withPayloads(member, change),
  ]);
  return Object.fromEntries((await Promise.all(members)) as [string, unknown][]);
}

const isPayload = (value: object): boolean =>
  'metadata' in value && typeof value.metadata === 'object' && value.metadata !== null && 'encoding' in value.metadata;
