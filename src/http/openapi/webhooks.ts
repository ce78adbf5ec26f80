import type { z } from 'zod';

/** A call that this service makes to a receiver. */
export interface WebhookCall {
  readonly event: string;
  readonly summary: string;
  /** Named: receivers know it by its `id`. */
  readonly body: z.ZodType;
}

const HEADERS: readonly { readonly name: string; readonly description: string; readonly optional?: true }[] = [
  {
    name: 'X-Service-Signature',
    description: "HMAC-SHA256 of the raw body in lower-case hex, keyed with the webhook's whole `secret`",
  },
  {
    name: 'X-Service-Signature-Next',
    description: 'For 24 hours after a rotation: the same with the new secret',
    optional: true,
  },
  { name: 'X-Service-Event', description: "The event's name" },
  { name: 'X-Service-Delivery', description: 'Id of the delivery, the same in every attempt: skip one that you know' },
  { name: 'webhook-id', description: 'The same id, as Standard Webhooks names it' },
  { name: 'webhook-timestamp', description: "The attempt's time in seconds since the Unix epoch" },
  {
    name: 'webhook-signature',
    description: '`v1,` and the base64 of the Standard Webhooks signature; two of them, by a blank, during a rotation',
  },
];

/** The `webhooks` section of the OpenAPI document. */
export const webhookOperations = (calls: readonly WebhookCall[]): Record<string, object> =>
  Object.fromEntries(
    calls.map(({ event, summary, body }) => [
      event,
      {
        post: {
          summary,
          operationId: event,
          tags: ['Webhooks'],
          security: [],
          parameters: HEADERS.map(({ name, description, optional }) => ({
            ...{ name, in: 'header', description, required: optional !== true },
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: `#/components/schemas/${body.meta()?.id}Input` } } },
          },
          responses: {
            '2XX': { description: 'Delivered, when it has ended within 10 seconds' },
            '410': { description: 'Not wanted any more: the webhook is paused' },
            default: { description: 'Failed: tried again after 1, 5 and 30 minutes. Redirects are not followed' },
          },
        },
      },
    ]),
  );
