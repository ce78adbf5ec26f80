import { TemporalFailure, patched, proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { AttemptResult, WebhookDeliveryActivities, WebhookRecordActivities } from './activities.js';
import type { WebhookDeliveryInput } from './contract.js';
import { dueAfter, GONE, LEAD_MS } from './retry-schedule.js';

const network = proxyActivities<WebhookDeliveryActivities>({
  // Of one attempt: the exchange itself ends after 10 s; the rest is for looking up what to send and for writing down what came.
  startToCloseTimeout: '45 seconds',
  // Shows that a worker was killed in the middle: the attempt is then made again, under the same number.
  heartbeatTimeout: '6 seconds',
  // The times of the schedule come with the failures. This is for a database or an event store that does not answer.
  retry: { initialInterval: '500 milliseconds', maximumInterval: '10 seconds' },
});

/** Within the workflow's first task: most deliveries are over with that, and have cost the server no other one. */
const atOnce = proxyLocalActivities<WebhookDeliveryActivities>({
  startToCloseTimeout: '45 seconds',
  retry: { maximumAttempts: 1 },
});

/** An attempt that was made is written down, however long that takes. */
const records = proxyLocalActivities<WebhookRecordActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '1 minute' },
});

/**
 * One delivery: an attempt at once, and if that was not the end, an activity that is tried again when the next one is due, which
 * each failure says for itself. Whether there is still something to send is asked before each, so a pause or a deletion needs to
 * reach nobody who waits here. It can begin anywhere in that life.
 */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<void> {
  for (let result = await firstAttempt(input); result.kind !== 'over'; result = await network.attemptDelivery(input)) {
    const { round, ...attempt } = result.attempt;
    const dueAt = dueAfter(input.kind, round, attempt);
    const made = { ...attempt, kind: input.kind, nextAttemptAt: dueAt };
    await records.recordDeliveryAttempt({ ...input, attempt: made, now: Date.now() });
    if (attempt.status === GONE) await records.pauseGoneWebhook({ ...input, sentAt: attempt.at, now: Date.now() });
    if (dueAt === null || attempt.status === GONE) return;
    await sleepUntil(dueAt - LEAD_MS);
  }
}

async function firstAttempt(input: WebhookDeliveryInput): Promise<AttemptResult> {
  if (patched('first-attempt-at-once')) {
    try {
      return await atOnce.attemptDelivery(input);
    } catch (error) {
      // It is to be made later, or something does not answer.
      if (!(error instanceof TemporalFailure)) throw error;
    }
  }
  return network.attemptDelivery(input);
}

async function sleepUntil(time: number): Promise<void> {
  const waitMs = time - Date.now();
  if (waitMs > 0) await sleep(waitMs);
}
