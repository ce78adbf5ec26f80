import { organizationById } from '../../projections/organizations/queries.js';
import type { Mailer } from '../../src/infrastructure/mailer.js';
import { loadDelivery, type SendingDependencies, standingOf } from '../../src/modules/webhooks/index.js';
import { renderWebhookTroubleMail } from '../../src/pages/mails/index.js';
import { ownerAddress } from '../owner-address.js';
import type { WebhookTroubleInput } from './contract.js';

export type WebhookTroubleActivities = ReturnType<typeof createWebhookTroubleActivities>;

export const createWebhookTroubleActivities = (deps: SendingDependencies & { readonly mailer: Mailer }) => ({
  /** The mail's id holds organization and day: a second one of the same day is never sent. */
  async mailWebhookTrouble({ organizationId, day, webhookId, deliveryId }: WebhookTroubleInput): Promise<void> {
    const [to, brand, { url }, delivery] = await Promise.all([
      ownerAddress(deps.database, organizationId),
      organizationById(deps.database, organizationId),
      standingOf(deps.eventStore, webhookId),
      deliveryId === null ? null : loadDelivery(deps, deliveryId),
    ]);
    const content = renderWebhookTroubleMail({
      brandName: brand?.name ?? '',
      webhookId,
      host: url === '' ? null : new URL(url).host,
      failed: delivery === null ? null : { event: delivery.event, error: delivery.attempts.at(-1)?.error ?? '' },
    });
    await deps.mailer.send({ to, messageId: `${organizationId}.webhook-trouble.${day}`, ...content });
  },
});
