import { z } from 'zod';
import { day, httpUrl, id, listOf, pageQuery, timestamp } from '../../http/schemas.js';
import { EVENT_NAMES } from './events.js';

const eventName = z.enum(EVENT_NAMES);
const deliverableName = z.enum([...EVENT_NAMES, 'webhook.test']);

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
  .describe('ISO 8601, or milliseconds since the Unix epoch');

const events = z
  .array(eventName)
  .min(1)
  .max(100)
  .describe('What it is told of; a name that is repeated is stored once');

export const createWebhookBody = z.object({
  url: httpUrl.describe('https, on port 443 or from 1024 on; no private address'),
  events,
});

export const changeWebhookBody = z.object({
  url: createWebhookBody.shape.url.optional(),
  events: events.optional(),
  active: z.boolean().optional().describe('`false` ends what waits; later events are kept for a replay'),
});

export const replayBody = z
  .object({ from: moment, to: moment })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be before "from"' })
  .refine(({ from, to }) => to - from <= REPLAY_MS, {
    path: ['to'],
    message: `must be at most ${REPLAY_DAYS} days after "from"`,
  });

export const webhookParams = z.object({ id: id('whk') });
export const deliveryParams = z.object({ id: id('dlv') });

const state = z.enum(['pending', 'retrying', 'delivered', 'failed', 'cancelled']);

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
  .meta({ id: 'Webhook' });

export type WebhookDetail = z.output<typeof webhookDetail>;

export const webhookWithSecret = webhookDetail
  .extend({ secret: z.string().describe('Shown this once: `whsec_` and 32 bytes in base64') })
  .meta({ id: 'WebhookWithSecret' });

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
        durationMs: z.int(),
        status: z.int().nullable(),
        error: z.string().nullable().describe('In words; null after a 2xx'),
        answer: z.string().nullable().describe('The first KiB of the answer'),
      }),
    ),
  })
  .meta({ id: 'Delivery' });

export type DeliveryDetail = z.output<typeof deliveryDetail>;

export const deliveryList = listOf(deliveryDetail);
export const testStarted = z.object({ deliveryId: z.string() });
export const replayStarted = z.object({ count: z.int().describe('Deliveries that are to be sent again') });
