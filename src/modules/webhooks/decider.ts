import { isDeepStrictEqual } from 'node:util';
import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { notFound, Refusal } from '../../core/errors.js';
import { appended } from '../../core/growing.js';
import type { EventName, WebhookChanges, WebhookEvent } from './events.js';

export type WebhookCommand =
  | {
      readonly type: 'CreateWebhook';
      readonly webhookId: string;
      readonly organizationId: string;
      readonly url: string;
      readonly events: readonly EventName[];
    }
  /** What the caller sent; what is so already changes nothing. */
  | ({ readonly type: 'ChangeWebhook'; readonly changes: WebhookChanges } & WebhookRef)
  | ({ readonly type: 'RotateSecret'; readonly rotatedAt: number } & WebhookRef)
  | {
      readonly type: 'AskReplay';
      readonly webhookId: string;
      readonly organizationId: string;
      readonly replayId: string;
      readonly from: number;
      readonly to: number;
      readonly askedAt: number;
    }
  /** The receiver answered 410 to what was sent at `sentAt`; the webhook was last changed at `changedAt`. */
  | { readonly type: 'PauseGone'; readonly webhookId: string; readonly sentAt: number; readonly changedAt: number }
  | ({ readonly type: 'DeleteWebhook' } & WebhookRef);

export interface WebhookRef {
  readonly webhookId: string;
  readonly organizationId: string;
}

export type WebhookState =
  | { readonly status: 'none' }
  | {
      readonly status: 'kept';
      readonly webhookId: string;
      readonly organizationId: string;
      readonly url: string;
      readonly events: readonly EventName[];
      readonly active: boolean;
      /** Inactive since the receiver answered 410. */
      readonly gone: boolean;
      readonly secretRotatedAt: number | null;
      readonly replays: readonly string[];
    }
  | { readonly status: 'deleted'; readonly webhookId: string; readonly organizationId: string };

export type KeptWebhook = Extract<WebhookState, { status: 'kept' }>;

export const webhookDecider: Decider<WebhookState, WebhookCommand, WebhookEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

function decide(command: WebhookCommand, state: WebhookState): readonly WebhookEvent[] {
  switch (command.type) {
    case 'CreateWebhook': {
      if (state.status !== 'none') return [];
      const { webhookId, organizationId, url, events } = command;
      return [{ type: 'WebhookCreated', data: { webhookId, organizationId, url, events: [...new Set(events)] } }];
    }
    case 'ChangeWebhook': {
      const { webhookId } = command;
      const changes = changesTo(keptWebhook(state, command), command.changes);
      return Object.keys(changes).length === 0 ? [] : [{ type: 'WebhookChanged', data: { webhookId, changes } }];
    }
    case 'RotateSecret': {
      const { secretRotatedAt } = keptWebhook(state, command);
      const { webhookId, rotatedAt } = command;
      return secretRotatedAt === rotatedAt ? [] : [{ type: 'WebhookSecretRotated', data: { webhookId, rotatedAt } }];
    }
    case 'AskReplay': {
      const webhook = keptWebhook(state, command);
      const { webhookId, organizationId, replayId, from, to, askedAt } = command;
      if (webhook.replays.includes(replayId)) return [];
      if (!webhook.active) throw paused(webhookId);
      return [{ type: 'WebhookReplayAsked', data: { webhookId, organizationId, replayId, from, to, askedAt } }];
    }
    case 'PauseGone': {
      if (state.status !== 'kept' || !state.active) return [];
      // It may have a new address by now, or somebody has just made it work again: the next answer tells.
      if (command.changedAt > command.sentAt) return [];
      return [{ type: 'WebhookPaused', data: { webhookId: command.webhookId, reason: 'gone' } }];
    }
    case 'DeleteWebhook': {
      const { webhookId, organizationId } = command;
      if (state.status === 'deleted' && state.organizationId === organizationId) return [];
      keptWebhook(state, command);
      return [{ type: 'WebhookDeleted', data: { webhookId, organizationId } }];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: WebhookState, event: WebhookEvent): WebhookState {
  if (event.type === 'WebhookCreated') {
    return { status: 'kept', active: true, gone: false, secretRotatedAt: null, replays: [], ...event.data };
  }
  if (state.status !== 'kept') return state;
  switch (event.type) {
    case 'WebhookChanged': {
      const { changes } = event.data;
      return { ...state, ...changes, gone: changes.active === undefined ? state.gone : false };
    }
    case 'WebhookSecretRotated':
      return { ...state, secretRotatedAt: event.data.rotatedAt };
    case 'WebhookPaused':
      return { ...state, active: false, gone: true };
    case 'WebhookReplayAsked':
      return { ...state, replays: appended(state.replays, event.data.replayId) };
    case 'WebhookDeleted':
      return { status: 'deleted', webhookId: state.webhookId, organizationId: state.organizationId };
    default:
      return state;
  }
}

/** Throws not found unless the webhook is the organization's and not deleted. */
export function keptWebhook(state: WebhookState, { webhookId, organizationId }: WebhookRef): KeptWebhook {
  if (state.status !== 'kept' || state.organizationId !== organizationId) throw notFound('webhook', webhookId);
  return state;
}

export const paused = (webhookId: string): Refusal =>
  new Refusal('webhook_paused', `The webhook "${webhookId}" is paused; set "active" to true first.`);

function changesTo(webhook: KeptWebhook, { url, events, active }: WebhookChanges): WebhookChanges {
  const names = events === undefined ? undefined : [...new Set(events)];
  return {
    ...(url === undefined || url === webhook.url ? {} : { url }),
    ...(names === undefined || isDeepStrictEqual(names.toSorted(), webhook.events.toSorted()) ? {} : { events: names }),
    ...(active === undefined || active === webhook.active ? {} : { active }),
  };
}
