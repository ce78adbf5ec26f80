import type { Recorded } from '../../core/events.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import { type BatchCreated, type BatchEvent, batchStream, type DppRequest } from '../batches/index.js';
import { type PassportEvent, passportStream } from '../passports/index.js';
import type { SupplierEvent } from '../suppliers/index.js';
import {
  batchCreatedData,
  batchSubmittedData,
  certificateExpiringData,
  dppPublishedData,
  requestSentData,
  type WebhookData,
} from './bodies.js';
import type { EventName } from './events.js';

/** Something that receivers are told of, made of a recorded event: the same event always makes the same. */
export type WebhookFact = {
  readonly [Name in EventName]: {
    readonly organizationId: string;
    readonly event: Name;
    readonly sourceEventId: string;
    readonly timestampMs: number;
    readonly data: WebhookData[Name];
  };
}[EventName];

/** The recorded events that can be one. */
export const SOURCE_EVENT_TYPES = [
  'BatchCreated',
  'ProductionDataSubmitted',
  'BatchPublished',
  'PassportRepublished',
  'RequestEmailed',
  'CertificateExpiryNoticed',
] as const;

/** Null when nobody is told of the event: a sub-supplier's answer, a reminder, something else altogether. */
export async function factOf(eventStore: EventStore, event: Recorded): Promise<WebhookFact | null> {
  const { organizationId } = event.metadata;
  if (organizationId === null) return null;
  const common = { organizationId, sourceEventId: event.id, timestampMs: event.metadata.recordedAt };
  const source = event as unknown as BatchEvent | PassportEvent | SupplierEvent;
  switch (source.type) {
    case 'BatchCreated':
      return { ...common, event: 'batch.created', data: batchCreatedData(source.data) };
    case 'ProductionDataSubmitted': {
      if (source.data.role !== 'factory') return null;
      // The score stands right behind the answer, in the same append.
      const { batch, score } = await batchAt(eventStore, source.data.batchId, event.revision + 1);
      return { ...common, event: 'batch.submitted', data: batchSubmittedData(batch, score) };
    }
    case 'RequestEmailed': {
      const { batchId, requestId, mail } = source.data;
      if (mail !== 'request') return null;
      const { requests } = await batchAt(eventStore, batchId, event.revision);
      const request = requests.find((asked) => asked.requestId === requestId);
      return request === undefined
        ? null
        : { ...common, event: 'request.sent', data: requestSentData(batchId, request) };
    }
    case 'BatchPublished': {
      const passport = await firstVersion(eventStore, source.data.dppId);
      return { ...common, event: 'dpp.published', data: dppPublishedData(passport, passport.content) };
    }
    case 'PassportRepublished': {
      const passport = await firstVersion(eventStore, source.data.dppId);
      return { ...common, event: 'dpp.published', data: dppPublishedData(passport, source.data.content) };
    }
    case 'CertificateExpiryNoticed':
      return { ...common, event: 'certificate.expiring', data: certificateExpiringData(source.data) };
    default:
      return null;
  }
}

/** The batch as its stream tells it up to and including `revision`. */
async function batchAt(eventStore: EventStore, batchId: string, revision: number) {
  let batch: BatchCreated | null = null;
  let score: number | null = null;
  const requests: DppRequest[] = [];
  for await (const recorded of eventStore.readStream(batchStream(batchId), { limit: revision + 1 })) {
    const event = recorded as unknown as BatchEvent;
    if (event.type === 'BatchCreated') batch = event.data;
    if (event.type === 'DppRequestSent') requests.push(...event.data.requests);
    if (event.type === 'BatchScored') score = event.data.pefcr.climate_change_per_unit;
  }
  if (batch === null) throw new Error(`${batchStream(batchId)} does not begin with its creation`);
  return { batch, requests, score };
}

async function firstVersion(eventStore: EventStore, dppId: string) {
  for await (const recorded of eventStore.readStream(passportStream(dppId), { limit: 1 })) {
    const event = recorded as unknown as PassportEvent;
    if (event.type === 'PassportPublished') return event.data;
  }
  throw new Error(`${passportStream(dppId)} does not begin with its publication`);
}
