import { z } from 'zod';
import { quantity, tier } from '../../http/schemas.js';
import type { WebhookData } from './bodies.js';
import type { DeliverableName } from './events.js';

/** What a receiver is told, for those who write one. */
interface DescribedBody<Name extends DeliverableName> {
  /** When it is sent. */
  readonly summary: string;
  readonly data: z.ZodObject & z.ZodType<WebhookData[Name]>;
}

const batch = {
  batchId: z.string(),
  productId: z.string(),
  productName: z.string().describe('As it was when the batch was created'),
  productSku: z.string().nullable(),
  factoryId: z.string().nullable().describe('The supplier who makes it; null for a preliminary passport'),
  factoryName: z.string().nullable(),
  poReference: z.string().nullable(),
  quantity,
  unit: z.string(),
  state: z.enum(['draft', 'submitted', 'published']).describe('As it was when this happened'),
};

const BODIES: { readonly [Name in DeliverableName]: DescribedBody<Name> } = {
  'batch.created': {
    summary: 'A batch has been created. That of a preliminary passport is `published` from the start.',
    data: z.object(batch),
  },
  'batch.submitted': {
    summary: "The Tier 1 factory has submitted a batch's data; after changes were requested, once more.",
    data: z.object({
      ...batch,
      climateChangePerUnit: z.number().nullable().describe('kg CO2e of one unit; null without a score'),
    }),
  },
  'dpp.published': {
    summary: 'A passport has been published, or published again with a new version.',
    data: z.object({
      dppId: z.string(),
      batchId: z.string(),
      productName: z.string(),
      qrUrl: z.string().describe('Address of the public page, as the QR code holds it'),
    }),
  },
  'request.sent': {
    summary: 'The first mail of a request has been accepted by the mail server: once for each supplier asked.',
    data: z.object({
      requestId: z.string(),
      batchId: z.string(),
      supplierId: z.string(),
      factoryName: z.string(),
      tier,
    }),
  },
  'certificate.expiring': {
    summary: "A supplier's certificate is valid for 30 days or less: once for each certificate and date.",
    data: z.object({
      certificateId: z.string(),
      supplierId: z.string(),
      factoryName: z.string(),
      type: z.string(),
      number: z.string(),
      validUntil: z.iso.date().describe('The last day on which it is valid'),
    }),
  },
  'webhook.test': {
    summary: 'Sent on demand by `POST /brand/webhooks/{id}/test`; nobody subscribes to it.',
    data: z.object({ webhookId: z.string() }),
  },
};

/** `batch.created` -> `BatchCreatedEvent` */
const nameOf = (event: string): string =>
  `${event.replaceAll(/(?:^|\.)(.)/g, (_whole, letter: string) => letter.toUpperCase())}Event`;

/** Every body that a receiver may be sent, by the event's name. */
export const WEBHOOK_BODIES = Object.entries(BODIES).map(([event, { summary, data }]) => ({
  event,
  summary,
  body: z
    .object({
      event: z.literal(event),
      timestamp: z.iso.datetime().describe('When it happened: ISO 8601, UTC'),
      data,
    })
    .meta({ id: nameOf(event), description: summary }),
}));
