import { z } from 'zod';
import { DELIVERY_STATES } from '../../core/vocabulary.js';
import { count, day, httpUrl, id, listOf, pageQuery, timestamp } from '../../http/schemas.js';
import { EVENT_NAMES } from './events.js';

const eventName = z
  .enum(EVENT_NAMES)
  .meta({ id: 'EventName', description: 'What a webhook can be told of', examples: ['dpp.published'] });
const deliverableName = z
  .enum([...EVENT_NAMES, 'webhook.test'])
  .meta({ id: 'DeliveredEventName', description: 'What a delivery can be of' });

/** The last moment that a date can name. */
const LAST_MS = 8.64e15;
const REPLAY_DAYS = 30;
const REPLAY_MS = REPLAY_DAYS * 24 * 3_600_000;

const moment = z
  .union(
    [
      z.int().min(0).max(LAST_MS),
      z
        .string()
        .regex(/^\d{1,16}$/)
        .transform(Number)
        .pipe(z.int().max(LAST_MS)),
      z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
      day.transform((text) => Date.parse(text)),
    ],
    { error: 'must be a time: ISO 8601, or milliseconds since the Unix epoch' },
  )
  .meta({
    id: 'Moment',
    description: 'ISO 8601, or milliseconds since the Unix epoch',
    examples: ['2026-11-01T00:00:00Z'],
  });

const events = z
  .array(eventName)
  .min(1)
  .max(100)
  .describe('What it is told of; a name that is repeated is stored once');

export const createWebhookBody = z
  .object({
    url: httpUrl.describe('https, on port 443 or from 1024 on; no private address'),
    events,
  })
  .meta({
    id: 'CreateWebhook',
    examples: [{ url: 'https://hooks.nordfaden.example/passports', events: ['batch.submitted', 'dpp.published'] }],
  });

export const changeWebhookBody = z
  .object({
    url: createWebhookBody.shape.url.optional(),
    events: events.optional(),
    active: z.boolean().optional().describe('`false` ends what waits; later events are kept for a replay'),
  })
  .meta({
    id: 'UpdateWebhook',
    description: 'Any subset: a missing field stays as it is',
    examples: [{ events: ['dpp.published'] }],
  });

export const replayBody = z
  .object({ from: moment, to: moment })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be before "from"' })
  .refine(({ from, to }) => to - from <= REPLAY_MS, {
    path: ['to'],
    message: `must be at most ${REPLAY_DAYS} days after "from"`,
  })
  .meta({
    id: 'ReplayDeliveries',
    description: 'A time range of at most 30 days',
    examples: [{ from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' }],
  });

export const webhookParams = z.object({ id: id('whk') });
export const deliveryParams = z.object({ id: id('dlv') });

const state = z.enum(DELIVERY_STATES).meta({ id: 'DeliveryState', description: 'Where a delivery stands' });

export const deliveriesQuery = pageQuery.extend({
  state: state.optional(),
  event: deliverableName.optional(),
  from: moment.optional(),
  to: moment.optional(),
});

export const webhookDetail = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(eventName),
    active: z.boolean(),
    pausedBy: z
      .enum(['plan', 'gone'])
      .nullable()
      .describe('`plan`: the free plan sends none; `gone`: the receiver answered 410'),
    createdAt: timestamp,
  })
  .meta({ id: 'Webhook', description: 'Where events are sent' });

export type WebhookDetail = z.output<typeof webhookDetail>;

export const webhookWithSecret = webhookDetail
  .extend({ secret: z.string().describe('Shown this once: `whsec_` and 32 bytes in base64') })
  .meta({ id: 'WebhookWithSecret', description: 'A webhook with its secret, shown this once' });

export const webhookList = listOf(webhookDetail);

export const deliveryDetail = z
  .object({
    id: z.string(),
    event: deliverableName,
    webhookId: z.string(),
    state,
    createdAt: timestamp,
    nextAttemptAt: timestamp.nullable(),
    attempts: z.array(
      z.object({
        at: timestamp,
        durationMs: count,
        status: z.int().min(100).max(599).nullable(),
        error: z.string().nullable().describe('In words; null after a 2xx'),
        answer: z.string().nullable().describe('The first KiB of the answer'),
      }),
    ),
  })
  .meta({ id: 'Delivery', description: 'An event on its way to a receiver, with every attempt' });

export type DeliveryDetail = z.output<typeof deliveryDetail>;

export const deliveryList = listOf(deliveryDetail);
export const testStarted = z.object({ deliveryId: z.string() }).meta({ id: 'TestStarted', description: 'On its way' });
export const replayStarted = z
  .object({ count: count.describe('Deliveries that are to be sent again') })
  .meta({ id: 'ReplayStarted', description: 'On their way' });
