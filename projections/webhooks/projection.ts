import type { WebhookEvent } from '../../src/modules/webhooks/events.js';
import { insert, patch, projection, remove, table } from '../projection.js';

export const webhooks = table({
  name: 'webhooks',
  key: ['id'],
  columns: {
    id: 'text',
    organization_id: 'text',
    url: 'text',
    events: 'text',
    active: 'boolean',
    gone: 'boolean',
    created_at: 'bigint',
  },
});

export const webhooksProjection = projection<WebhookEvent>({
  WebhookCreated: ({ data, metadata }) => [
    insert(webhooks, {
      id: data.webhookId,
      organization_id: data.organizationId,
      url: data.url,
      events: data.events.join(' '),
      active: true,
      gone: false,
      created_at: metadata.recordedAt,
    }),
  ],
  WebhookChanged: ({ data: { webhookId, changes } }) => [
    patch(
      webhooks,
      { id: webhookId },
      {
        ...(changes.url === undefined ? {} : { url: changes.url }),
        ...(changes.events === undefined ? {} : { events: changes.events.join(' ') }),
        ...(changes.active === undefined ? {} : { active: changes.active, gone: false }),
      },
    ),
  ],
  WebhookPaused: ({ data }) => [patch(webhooks, { id: data.webhookId }, { active: false, gone: true })],
  WebhookDeleted: ({ data }) => [remove(webhooks, { id: data.webhookId })],
});
