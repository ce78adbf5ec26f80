import type { EventStore } from './infrastructure/event-store/port.js';
import type { Database } from './infrastructure/postgres/database.js';
import { type BatchEvent, restoreLinks } from './modules/batches/index.js';
import { checkpoints } from './modules/deployment/index.js';
import { type ProductEvent, restoreKeys } from './modules/products/index.js';
import { restoreRecordId, type SupplierEvent } from './modules/suppliers/index.js';
import { restorePlace, type WebhookEvent } from './modules/webhooks/index.js';

type Source = Extract<ProductEvent | SupplierEvent | BatchEvent | WebhookEvent, { type: (typeof SOURCES)[number] }>;

const SOURCES = [
  'ProductCreated',
  'ProductUpdated',
  'SupplierRecorded',
  'SupplierInvited',
  'DppRequestSent',
  'WebhookCreated',
] as const;

const AT_ONCE = 24;

interface Dependencies {
  readonly database: Database;
  readonly eventStore: EventStore;
  readonly linkKey: Buffer;
}

/**
 * A Postgres from a backup knows less than the log. Of what stands beside the log and follows from it, it is told again what came
 * after the backup: unique values of products, records of suppliers, places of webhooks, links of factories. It is as old as the
 * reactor's checkpoint in it, so an ordinary start has next to nothing to look at. Done twice, it changes nothing.
 */
export async function restoreLostRows(deps: Dependencies): Promise<void> {
  const { reactor: after } = await checkpoints(deps.database);
  const caughtUp = new AbortController();
  const filter = { eventTypePrefixes: SOURCES };
  const restores = new Map<string, () => Promise<void>>();
  for await (const message of deps.eventStore.subscribeToAll({ after, filter, signal: caughtUp.signal })) {
    if (message.kind === 'caught_up') caughtUp.abort();
    if (message.kind !== 'event') continue;
    const { stream, metadata } = message.event;
    const restore = restoreOf(deps, message.event as unknown as Source, metadata.organizationId ?? '');
    // Each reads its stream to the end: once is enough.
    if (restore !== null) restores.set(stream, restore);
  }
  const left = [...restores.values()];
  while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE).map((restore) => restore()));
}

function restoreOf(deps: Dependencies, source: Source, organizationId: string): (() => Promise<void>) | null {
  switch (source.type) {
    case 'ProductCreated':
    case 'ProductUpdated':
      return () => restoreKeys(deps, { organizationId, productId: source.data.productId });
    case 'SupplierRecorded':
    case 'SupplierInvited':
      return () => restoreRecordId(deps, source.data);
    case 'DppRequestSent':
      return () => restoreLinks(deps, source.data.batchId);
    case 'WebhookCreated':
      return () => restorePlace(deps, source.data.webhookId);
    default:
      // A type whose name begins like one of these.
      return null;
  }
}
