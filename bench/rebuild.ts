import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readCheckpoint } from '../projections/checkpoint.js';
import { rebuild } from '../projections/rebuild.js';
import type { DomainEvent } from '../src/core/events.js';
import { createEventStore } from '../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog, NewEvent } from '../src/infrastructure/event-store/port.js';
import { connectDatabase } from '../src/infrastructure/postgres/database.js';
import {
  batchCreated,
  passportPublished,
  productCreated,
  requestSent,
  supplierInvited,
} from '../test/projections/story.js';
import type { BenchRow } from './row.js';

const PRODUCTS = 10_000;
const PER_APPEND = 10;
const APPENDS_IN_FLIGHT = 4;
const ROUNDS = 3;

/**
 * A rebuild while the service runs, against a raw read of the same log through the same client. The log: products, each with a
 * batch that goes from draft to published passport, 12 events with some 300 to 1,200 bytes of data.
 */
export async function benchRebuild(env: { databaseUrl: string; eventStoreUrl: string }): Promise<readonly BenchRow[]> {
  const logger = pino({ level: 'silent' });
  const eventStore = createEventStore({ url: env.eventStoreUrl, logger });
  const database = connectDatabase({ url: env.databaseUrl, size: 4, logger, name: 'bench' });
  try {
    const last = await fill(eventStore);
    const waitingSince = performance.now();
    const { rows } = await database.query(`select 1 from pg_stat_activity where application_name = 'projector'`);
    const isFollowed = rows.length > 0;
    while (isFollowed && (await readCheckpoint(database)) < last) {
      if (performance.now() - waitingSince > 120_000) throw new Error('the projector does not follow');
      await sleep(50);
    }

    const raw: number[] = [];
    const rebuilt: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      raw.push(await rawReadsPerSecond(eventStore));
      const { events, durationMs } = await rebuild({ database, eventStore, logger });
      rebuilt.push((events / durationMs) * 1_000);
    }
    const value = median(rebuilt);
    const baseline = median(raw);
    return [
      {
        name: 'rebuild of the read models',
        unit: 'events/s',
        value,
        baseline,
        baselineName: 'raw read of $all',
        ratio: value / baseline,
        goal: '>= 0.7',
        note: `${PRODUCTS.toLocaleString('en')} products, each with a published batch; indexes and the swap included`,
      },
    ];
  } finally {
    await Promise.all([eventStore.close(), database.end()]);
  }
}

async function rawReadsPerSecond(eventStore: EventLog): Promise<number> {
  let count = 0;
  const started = performance.now();
  for await (const _event of eventStore.readAll({ after: null })) count += 1;
  return (count / (performance.now() - started)) * 1_000;
}

/** Several lives to a stream: the projector does not look at streams, and the log is filled sooner. */
async function fill(eventStore: EventLog): Promise<bigint> {
  let last = 0n;
  const append = async (events: readonly DomainEvent[]): Promise<void> => {
    const { position } = await eventStore.append(`bench-${randomUUID()}`, 'no_stream', events.map(newEvent));
    if (position > last) last = position;
  };
  await append([supplierInvited('sup_1'), supplierInvited('sup_2', { tier: 2 })]);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < PRODUCTS) {
      const from = next;
      next += PER_APPEND;
      await append(Array.from({ length: PER_APPEND }, (_, index) => lifeOf(from + index)).flat());
    }
  };
  await Promise.all(Array.from({ length: APPENDS_IN_FLIGHT }, work));
  return last;
}

function lifeOf(number: number): DomainEvent[] {
  const productId = `prd_${number}`;
  const batchId = `bat_${number}`;
  const dppId = `dpp_${number}`;
  const organizationId = 'org_1';
  const mailed = (requestId: string): DomainEvent => ({
    type: 'RequestEmailed',
    data: { batchId, requestId, mail: 'request', round: 0, sentAt: 1 },
  });
  const request = `req_1_${batchId}`;
  const passport = passportPublished(dppId, { productId, batchId });
  return [
    productCreated(productId),
    {
      type: 'ProductUpdated',
      data: { productId, changes: { name: 'A better name', recyclable: false }, passportCount: 0 },
    },
    batchCreated(batchId, { productId }),
    requestSent(batchId),
    mailed(request),
    mailed(`req_2_${batchId}`),
    { type: 'RequestOpened', data: { batchId, requestId: request, openedAt: 2 } },
    {
      type: 'ProductionDataSubmitted',
      data: {
        batchId,
        callId: 'call',
        requestId: request,
        supplierId: 'sup_1',
        role: 'factory',
        data: { productWeightKg: 0.2, makingElectricityKwh: 120, dyeing: { electricityKwhPerKg: 1.2 } },
        submittedAt: 3,
      },
    },
    {
      type: 'BatchScored',
      data: { batchId, pefcr: passport.type === 'PassportPublished' ? passport.data.content.pefcr : null },
    },
    { type: 'ProductPassportIssued', data: { productId, batchId, dppId } },
    { type: 'BatchPublished', data: { batchId, organizationId, dppId } },
    passport,
  ];
}

const newEvent = (event: DomainEvent): NewEvent => ({
  id: randomUUID(),
  type: event.type,
  data: event.data,
  metadata: {
    schemaVersion: 1,
    organizationId: 'org_1',
    actor: { type: 'user', id: `usr_${randomUUID()}` },
    correlationId: randomUUID(),
    causationId: null,
    recordedAt: Date.now(),
    hash: '0'.repeat(64),
  },
});

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
