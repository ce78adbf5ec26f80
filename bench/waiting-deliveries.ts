import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createEventStore } from '../src/infrastructure/event-store/eventstoredb.js';
import { connectDatabase } from '../src/infrastructure/postgres/database.js';
import { type DeliveryEvent, deliveryIdOf, deliveryStream } from '../src/modules/webhooks/index.js';
import { withTexts } from '../test/support/private-texts.js';
import { record } from '../test/modules/webhooks/recording.js';
import type { BenchEnvironment } from './main.js';

const MINUTE_MS = 60_000;
const AT_ONCE = 16;
const LIMIT_MS = 40 * MINUTE_MS;

/**
 * Deliveries whose third attempt has just failed: half an hour stays until the next one. They come by the log, as a story of the
 * past, and the service takes them up from there, a workflow for each.
 */
export async function letWait(env: BenchEnvironment, webhookIds: readonly string[], count: number): Promise<void> {
  const logger = pino({ level: 'silent' });
  const database = connectDatabase({ url: env.databaseUrl, size: 1, logger, name: 'bench' });
  const eventStore = withTexts(createEventStore({ url: env.eventStoreUrl, logger }), database);
  const { organizationId } = env.demo;
  let left = count;
  let last = 0n;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const webhookId = webhookIds[left % webhookIds.length] ?? '';
      const story = thirdFailure(webhookId, organizationId, Date.now());
      const recorded = await record(eventStore, organizationId, deliveryStream(story.deliveryId), story.events);
      // What the service reacts to is that they were made.
      const [{ position } = { position: 0n }] = recorded;
      if (position > last) last = position;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const deadline = Date.now() + LIMIT_MS; ; await sleep(500)) {
    const { rows } = await database.query<{ isThere: boolean }>(
      `select position >= $1::bigint as "isThere" from service.reactor_checkpoint where reactor = 'workflows'`,
      [last.toString()],
    );
    if (rows[0]?.isThere === true) break;
    if (Date.now() > deadline) throw new Error('not all of them have a workflow yet');
  }
  await Promise.all([eventStore.close(), database.end()]);
}

function thirdFailure(webhookId: string, organizationId: string, now: number) {
  const sourceEventId = randomUUID();
  const deliveryId = deliveryIdOf(webhookId, sourceEventId);
  const createdAt = now - 7 * MINUTE_MS;
  const attempt = (number: number, at: number, nextAttemptAt: number): DeliveryEvent => ({
    type: 'DeliveryAttempted',
    data: {
      ...{ deliveryId, webhookId, attempt: number, kind: 'scheduled', at, durationMs: 0, status: 500 },
      ...{ error: 'the receiver answered 500', answer: '', nextAttemptAt },
    },
  });
  const [second, third] = [createdAt + MINUTE_MS, createdAt + 6 * MINUTE_MS];
  const events: readonly DeliveryEvent[] = [
    {
      type: 'DeliveryCreated',
      data: {
        ...{ deliveryId, webhookId, organizationId, event: 'batch.created', sourceEventId, createdAt, held: false },
        body: '{"event":"batch.created","data":{}}',
      },
    },
    attempt(1, createdAt, second),
    attempt(2, second, third),
    attempt(3, third, third + 30 * MINUTE_MS),
  ];
  return { deliveryId, events };
}
