import type { Recorded } from '../src/core/events.js';
import { commandContext, type CommandContext } from '../src/core/context.js';
import { deterministicUuid } from '../src/core/ids.js';
import type { WorkflowContract } from '../src/infrastructure/temporal/gateway.js';
import type { OrganizationEvent } from '../src/modules/organizations/index.js';
import {
  createDelivery,
  createEventsOf,
  type DeliveryEvent,
  factOf,
  hasWebhooks,
  isUnderWay,
  loadDelivery,
  matchingWebhooks,
  type SendingDependencies,
  SOURCE_EVENT_TYPES,
  type WebhookEvent,
  webhooksOf,
} from '../src/modules/webhooks/index.js';
import type { Reaction, Reactions } from './reactor.js';
import { WEBHOOK_DELIVERY, webhookDeliveryId, webhookRedeliveryId } from './webhook-delivery/contract.js';
import { WEBHOOK_ENDING, webhookEndingId, type WebhookEndingInput } from './webhook-ending/contract.js';
import { WEBHOOK_REPLAY, webhookReplayId, type WebhookReplayInput } from './webhook-replay/contract.js';
import { TROUBLE_TOLD_FOR_MS, WEBHOOK_TROUBLE, webhookTroubleId } from './one-step/contract.js';

export interface WebhookReactionDependencies extends SendingDependencies {
  readonly clock: () => number;
}

/** Longer than the schedule of a delivery lasts. */
const OLD_AFTER_MS = 3_600_000;

type DataOf<Type extends string> = Extract<DeliveryEvent | WebhookEvent, { type: Type }>['data'];
type PlanChange = Extract<OrganizationEvent, { type: 'OrganizationPlanChanged' }>['data'];

/**
 * An event that receivers are told of leads to a delivery for each webhook that wants it; the delivery's own first event, to
 * the workflow that sends it.
 */
export const createWebhookReactions = (deps: WebhookReactionDependencies): Reactions => ({
  ...makingDeliveries(deps),
  DeliveryCreated: async ({ data, metadata }) => {
    const { deliveryId, webhookId, organizationId, sourceEventId, event, held } = data as DataOf<'DeliveryCreated'>;
    if (held) return [];
    // The log is read again from long ago: most of them are over, and need no workflow to find that out.
    const isOld = deps.clock() - metadata.recordedAt > OLD_AFTER_MS;
    if (isOld && !isUnderWay(await loadDelivery(deps, deliveryId))) return [];
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
  WebhookReplayAsked: ({ data, stream, revision }) => {
    const { askedAt: _askedAt, ...asked } = data as DataOf<'WebhookReplayAsked'>;
    const input: WebhookReplayInput = { ...asked, place: { stream, revision }, after: null };
    return start(WEBHOOK_REPLAY, webhookReplayId(asked), input);
  },
  DeliveryFailed: async ({ data, metadata }) => {
    const { deliveryId, webhookId } = data as DataOf<'DeliveryFailed'>;
    const { attempts, organizationId } = await loadDelivery(deps, deliveryId);
    // Who asks for a test or a redelivery looks at what becomes of it.
    if (attempts.at(-1)?.kind !== 'scheduled') return [];
    return trouble(deps, { organizationId, webhookId, deliveryId }, metadata.recordedAt);
  },
  WebhookPaused: (event) => {
    const { webhookId } = event.data as DataOf<'WebhookPaused'>;
    const { organizationId, recordedAt } = event.metadata;
    const told =
      organizationId === null ? [] : trouble(deps, { organizationId, webhookId, deliveryId: null }, recordedAt);
    return [...endWaiting(event, webhookId), ...told];
  },
  WebhookChanged: (event) => {
    const { webhookId, changes } = event.data as DataOf<'WebhookChanged'>;
    return changes.active === false ? endWaiting(event, webhookId) : [];
  },
  WebhookDeleted: (event) => endWaiting(event, (event.data as DataOf<'WebhookDeleted'>).webhookId),
  OrganizationPlanChanged: async (event) => {
    const { organizationId, plan } = event.data as PlanChange;
    if (plan !== 'free') return [];
    const webhooks = await webhooksOf(deps.database, organizationId);
    return webhooks.flatMap((webhookId) => endWaiting(event, webhookId));
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
function makingDeliveries(deps: WebhookReactionDependencies): Reactions {
  const eventsOf = createEventsOf(deps.eventStore);
  const make = async (event: Recorded): Promise<readonly []> => {
    const { organizationId } = event.metadata;
    if (organizationId === null || !(await hasWebhooks(deps, organizationId))) return [];
    const fact = await factOf(deps.eventStore, event);
    if (fact === null) return [];
    const webhooks = await matchingWebhooks({ ...deps, eventsOf }, fact, event.position);
    await Promise.all(
      webhooks.map(({ webhookId, held }) => {
        const context = contextAfter(event, deps.clock(), fact.organizationId, webhookId);
        return createDelivery(deps, context, { ...fact, webhookId, held });
      }),
    );
    return [];
  };
  return Object.fromEntries(SOURCE_EVENT_TYPES.map((type) => [type, make]));
}

function endWaiting({ id: eventId, stream, revision }: Recorded, webhookId: string): readonly Reaction[] {
  const input: WebhookEndingInput = { webhookId, eventId, place: { stream, revision }, after: null };
  return start(WEBHOOK_ENDING, webhookEndingId(input), input);
}

function trouble(
  { clock }: Pick<WebhookReactionDependencies, 'clock'>,
  about: { organizationId: string; webhookId: string; deliveryId: string | null },
  recordedAt: number,
): readonly Reaction[] {
  if (clock() - recordedAt >= TROUBLE_TOLD_FOR_MS) return [];
  const input = { ...about, day: new Date(recordedAt).toISOString().slice(0, 10) };
  return start(WEBHOOK_TROUBLE, webhookTroubleId(input), input);
}

const start = (workflow: WorkflowContract, workflowId: string, input: object): readonly Reaction[] => [
  { kind: 'start', workflow, workflowId, input },
];
