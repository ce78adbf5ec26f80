import type { Recorded } from '../src/core/events.js';
import { commandContext, type CommandContext } from '../src/core/context.js';
import { deterministicUuid } from '../src/core/ids.js';
import type { WorkflowContract } from '../src/infrastructure/temporal/gateway.js';
import type { OrganizationEvent } from '../src/modules/organizations/events.js';
import type { DeliveryEvent, WebhookEvent } from '../src/modules/webhooks/events.js';
import { factOf, SOURCE_EVENT_TYPES } from '../src/modules/webhooks/facts.js';
import {
  createDelivery,
  endWhatPlanStops,
  hasWebhooks,
  loadDelivery,
  matchingWebhooks,
  type SendingDependencies,
} from '../src/modules/webhooks/sending.js';
import type { Reaction, Reactions } from './reactor.js';
import { WEBHOOK_DELIVERY, webhookDeliveryId, webhookRedeliveryId } from './webhook-delivery/contract.js';
import { WEBHOOK_REPLAY, webhookReplayId, type WebhookReplayInput } from './webhook-replay/contract.js';
import { WEBHOOK_TROUBLE, webhookTroubleId } from './webhook-trouble/contract.js';

export interface WebhookReactionDependencies extends SendingDependencies {
  readonly clock: () => number;
}

type DataOf<Type extends string> = Extract<DeliveryEvent | WebhookEvent, { type: Type }>['data'];

/**
 * An event that receivers are told of leads to a delivery for each webhook that wants it; the delivery's own first event, to
 * the workflow that sends it.
 */
export const createWebhookReactions = (deps: WebhookReactionDependencies): Reactions => ({
  ...Object.fromEntries(SOURCE_EVENT_TYPES.map((type) => [type, (event: Recorded) => makeDeliveries(deps, event)])),
  DeliveryCreated: ({ data }) => {
    const { deliveryId, webhookId, organizationId, sourceEventId, event, held } = data as DataOf<'DeliveryCreated'>;
    if (held) return [];
    const kind = event === 'webhook.test' ? ('test' as const) : ('scheduled' as const);
    const input = { deliveryId, webhookId, organizationId, kind, redeliveryId: null };
    return start(WEBHOOK_DELIVERY, webhookDeliveryId({ webhookId, sourceEventId }), input);
  },
  RedeliveryAsked: ({ data, metadata }) => {
    const { deliveryId, webhookId, redeliveryId } = data as DataOf<'RedeliveryAsked'>;
    const organizationId = metadata.organizationId ?? '';
    const input = { deliveryId, webhookId, organizationId, kind: 'redelivery' as const, redeliveryId };
    return start(WEBHOOK_DELIVERY, webhookRedeliveryId(input), input);
  },
  WebhookReplayAsked: ({ data, position }) => {
    const { askedAt: _askedAt, ...asked } = data as DataOf<'WebhookReplayAsked'>;
    const input: WebhookReplayInput = { ...asked, position: position.toString(), after: null };
    return start(WEBHOOK_REPLAY, webhookReplayId(asked), input);
  },
  DeliveryFailed: async ({ data, metadata }) => {
    const { deliveryId, webhookId } = data as DataOf<'DeliveryFailed'>;
    const { attempts, organizationId } = await loadDelivery(deps, deliveryId);
    // Who asks for a test or a redelivery looks at what becomes of it.
    if (attempts.at(-1)?.kind !== 'scheduled') return [];
    return trouble({ organizationId, webhookId, deliveryId }, metadata.recordedAt);
  },
  WebhookPaused: ({ data, metadata: { organizationId, recordedAt } }) => {
    const { webhookId } = data as DataOf<'WebhookPaused'>;
    return organizationId === null ? [] : trouble({ organizationId, webhookId, deliveryId: null }, recordedAt);
  },
  OrganizationPlanChanged: async (event) => {
    const { organizationId, plan } = event.data as Extract<
      OrganizationEvent,
      { type: 'OrganizationPlanChanged' }
    >['data'];
    if (plan === 'free')
      await endWhatPlanStops(deps, contextAfter(event, deps.clock(), organizationId), organizationId);
    return [];
  },
});

/** Of what an event leads to by itself, made the same when it is met again. */
const contextAfter = (event: Recorded, now: number, organizationId: string, about = organizationId): CommandContext =>
  commandContext({
    organizationId,
    actor: { type: 'system', id: null },
    correlationId: event.metadata.correlationId,
    causationId: event.id,
    now,
    seed: deterministicUuid(about, event.id),
  });

/** Made again after a crash, they are the same ones. */
async function makeDeliveries(deps: WebhookReactionDependencies, event: Recorded): Promise<readonly []> {
  const { organizationId } = event.metadata;
  if (organizationId === null || !(await hasWebhooks(deps, organizationId))) return [];
  const fact = await factOf(deps.eventStore, event);
  if (fact === null) return [];
  const webhooks = await matchingWebhooks(deps, fact, event.position);
  await Promise.all(
    webhooks.map(({ webhookId, held }) => {
      const context = contextAfter(event, deps.clock(), fact.organizationId, webhookId);
      return createDelivery(deps, context, { ...fact, webhookId, held });
    }),
  );
  return [];
}

function trouble(
  about: { organizationId: string; webhookId: string; deliveryId: string | null },
  recordedAt: number,
): readonly Reaction[] {
  const input = { ...about, day: new Date(recordedAt).toISOString().slice(0, 10) };
  return start(WEBHOOK_TROUBLE, webhookTroubleId(input), input);
}

const start = (workflow: WorkflowContract, workflowId: string, input: object): readonly Reaction[] => [
  { kind: 'start', workflow, workflowId, input },
];
