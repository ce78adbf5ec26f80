import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { Refusal } from '../../core/errors.js';
import { appended } from '../../core/growing.js';
import type { DeliveryState as DeliveryStatus } from '../../core/vocabulary.js';
import type { CancelReason, DeliveryAttempted, DeliveryCreated, DeliveryEvent } from './events.js';

export type DeliveryCommand =
  | { readonly type: 'CreateDelivery'; readonly delivery: DeliveryCreated }
  | { readonly type: 'AskRedelivery'; readonly redeliveryId: string; readonly askedAt: number }
  /** `redeliveryId`: of the redelivery that made it; null for the schedule. */
  | { readonly type: 'RecordAttempt'; readonly attempt: Attempt; readonly redeliveryId: string | null }
  /** Ends what has waited since `until` or longer. */
  | { readonly type: 'CancelDelivery'; readonly reason: CancelReason; readonly until: number; readonly at: number };

/** How an attempt went; it has succeeded when `error` is null. */
export type Attempt = Omit<DeliveryAttempted, 'deliveryId' | 'webhookId'>;

export type DeliveryState = { readonly status: 'none' } | Delivery;

export interface Delivery extends DeliveryCreated {
  readonly status: DeliveryStatus;
  readonly attempts: readonly Attempt[];
  readonly nextAttemptAt: number | null;
  readonly redeliveries: readonly string[];
}

export const deliveryDecider: Decider<DeliveryState, DeliveryCommand, DeliveryEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

/** Attempts are still to come. */
export const isUnderWay = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'pending' || status === 'retrying';

/** Since when the attempts that are still to come are asked for. A redelivery makes one, so what is `retrying` is in its schedule. */
export const waitsSince = ({
  status,
  createdAt,
  nextAttemptAt,
}: Pick<Delivery, 'status' | 'createdAt' | 'nextAttemptAt'>): number =>
  status === 'pending' ? (nextAttemptAt ?? createdAt) : createdAt;

function decide(command: DeliveryCommand, state: DeliveryState): readonly DeliveryEvent[] {
  if (command.type === 'CreateDelivery') {
    return state.status === 'none' ? [{ type: 'DeliveryCreated', data: command.delivery }] : [];
  }
  if (state.status === 'none') throw new Refusal('not_found', 'There is no such delivery.');
  const { deliveryId, webhookId } = state;
  switch (command.type) {
    case 'AskRedelivery': {
      const { redeliveryId, askedAt } = command;
      if (state.redeliveries.includes(redeliveryId)) return [];
      if (isUnderWay(state)) {
        throw new Refusal('delivery_under_way', `The delivery "${deliveryId}" is in state "${state.status}".`, {
          extra: { state: state.status },
        });
      }
      return [{ type: 'RedeliveryAsked', data: { deliveryId, webhookId, redeliveryId, askedAt } }];
    }
    case 'RecordAttempt': {
      const said = storable(command.attempt);
      if (isKnown(said, state)) return [];
      const isTaken = state.attempts.some((made) => made.attempt === said.attempt);
      const attempt = isTaken ? { ...said, attempt: state.attempts.length + 1 } : said;
      const endedAt = attempt.at + attempt.durationMs;
      // What was cancelled, or asked for anew, while the attempt ran goes no further by it; but the attempt was made.
      const goesOn = isUnderWay(state) && (state.redeliveries.at(-1) ?? null) === command.redeliveryId;
      const nextAttemptAt = attempt.error !== null && goesOn ? attempt.nextAttemptAt : null;
      const made: DeliveryEvent = {
        type: 'DeliveryAttempted',
        data: { deliveryId, webhookId, ...attempt, nextAttemptAt },
      };
      if (attempt.error === null) {
        return [made, { type: 'DeliverySucceeded', data: { deliveryId, webhookId, at: endedAt } }];
      }
      return nextAttemptAt === null && goesOn
        ? [made, { type: 'DeliveryFailed', data: { deliveryId, webhookId, at: endedAt } }]
        : [made];
    }
    case 'CancelDelivery': {
      const { reason, until, at } = command;
      if (!isUnderWay(state) || waitsSince(state) > until) return [];
      return [{ type: 'DeliveryCancelled', data: { deliveryId, webhookId, at, reason } }];
    }
    default:
      return assertNever(command);
  }
}

function evolve(state: DeliveryState, event: DeliveryEvent): DeliveryState {
  if (event.type === 'DeliveryCreated') {
    const status = event.data.held ? 'cancelled' : 'pending';
    const nextAttemptAt = event.data.held ? null : event.data.createdAt;
    return { ...event.data, status, attempts: [], nextAttemptAt, redeliveries: [] };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'RedeliveryAsked': {
      const { redeliveryId, askedAt } = event.data;
      const redeliveries = appended(state.redeliveries, redeliveryId);
      return { ...state, status: 'pending', nextAttemptAt: askedAt, redeliveries };
    }
    case 'DeliveryAttempted': {
      const { deliveryId: _d, webhookId: _w, ...attempt } = event.data;
      const attempts = appended(state.attempts, attempt);
      const { nextAttemptAt } = attempt;
      // What comes of the delivery then is another event, or what was asked for meanwhile.
      return nextAttemptAt === null
        ? { ...state, attempts }
        : { ...state, status: 'retrying', nextAttemptAt, attempts };
    }
    case 'DeliverySucceeded':
      return { ...state, status: 'delivered', nextAttemptAt: null };
    case 'DeliveryFailed':
      return { ...state, status: 'failed', nextAttemptAt: null };
    case 'DeliveryCancelled':
      return { ...state, status: 'cancelled', nextAttemptAt: null };
    default:
      return state;
  }
}

/**
 * Told twice, or made twice under one number by a worker that was taken for dead. A redelivery may have the number of an attempt
 * that was in flight when it was asked for. That the receiver has taken it is news even then: nobody would try again.
 */
const isKnown = (said: Attempt, { attempts }: Delivery): boolean =>
  attempts.some(
    ({ kind, at, attempt, error }) =>
      kind === said.kind &&
      (at === said.at ||
        (kind !== 'redelivery' && attempt === said.attempt && !(error !== null && said.error === null))),
  );

/** No store keeps NUL or half of a pair; an answer may hold both. */
const storable = (attempt: Attempt): Attempt => ({
  ...attempt,
  error: attempt.error === null ? null : clean(attempt.error),
  answer: attempt.answer === null ? null : clean(attempt.answer),
});

const clean = (text: string): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed();
