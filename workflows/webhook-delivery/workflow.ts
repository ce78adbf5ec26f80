import { proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import { assertNever } from '../../src/core/assert-never.js';
import type { AttemptResult, WebhookDeliveryActivities, WebhookRecordActivities } from './activities.js';
import type { WebhookDeliveryInput } from './contract.js';
import { LEAD_MS, nextAttemptAt } from './retry-schedule.js';

const network = proxyActivities<WebhookDeliveryActivities>({
  // The exchange itself ends after 10 s; the rest is for looking up what to send.
  startToCloseTimeout: '30 seconds',
  // Shows that a worker was killed in the middle: the attempt is then made again, under the same number.
  heartbeatTimeout: '6 seconds',
  // How an attempt goes is a result. What is tried again here is a database or an event store that does not answer.
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds' },
});

/** The attempt was made and is written down, however long that takes. */
const records = proxyLocalActivities<WebhookRecordActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '1 minute' },
});

const GONE = 410;

/**
 * One delivery: an attempt, and after a failure the next one when its time has come. Whether there is still something to send
 * is asked before each, so a pause or a deletion needs to reach nobody who waits here. It can begin anywhere in that life.
 */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<void> {
  const { kind } = input;
  let dueAt = null as number | null;
  for (;;) {
    if (dueAt !== null) await sleepUntil(dueAt - LEAD_MS);
    const result: AttemptResult = await network.attemptDelivery({ ...input, dueAt });
    switch (result.kind) {
      case 'over':
        return;
      case 'not_yet':
        dueAt = result.dueAt;
        break;
      case 'busy':
        // The endpoint has as many attempts in flight as it may have. Nothing waits for it but this timer.
        await sleep(result.waitMs);
        break;
      case 'made': {
        const { round, ...attempt } = result.attempt;
        const isRetried = kind === 'scheduled' && attempt.error !== null;
        dueAt = isRetried ? nextAttemptAt(round, attempt.at + attempt.durationMs) : null;
        const made = { ...attempt, kind, nextAttemptAt: dueAt };
        await records.recordDeliveryAttempt({ ...input, attempt: made, now: Date.now() });
        if (attempt.status === GONE) await records.pauseGoneWebhook({ ...input, now: Date.now() });
        if (dueAt === null || attempt.status === GONE) return;
        break;
      }
      default:
        assertNever(result);
    }
  }
}

async function sleepUntil(time: number): Promise<void> {
  const waitMs = time - Date.now();
  if (waitMs > 0) await sleep(waitMs);
}
