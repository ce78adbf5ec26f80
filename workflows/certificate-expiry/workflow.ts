import { condition, continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { CertificateExpiryActivities } from './activities.js';
import { certificateChanged, type CertificateExpiryInput } from './contract.js';

const steps = proxyActivities<CertificateExpiryActivities>({
  // A factory that shares with a thousand brands takes a quarter of a minute.
  startToCloseTimeout: '5 minutes',
  // Nobody else does it: it is tried until it works.
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

/**
 * A longer wait is cut in pieces, each a run of its own: no limit of a timer or of a run stands between us and a certificate that
 * ends in a thousand years, and no run is older than the code that still has to understand it.
 */
const LONGEST_WAIT_MS = 365 * 86_400_000;

/**
 * Waits for the last 30 days of a certificate and has the brands told. It knows no date: whenever it wakes, by time or by a
 * change, it has the facts looked at and hears when to look again.
 */
export async function certificateExpiry(input: CertificateExpiryInput): Promise<void> {
  let hasChanged = false;
  setHandler(certificateChanged, () => {
    hasChanged = true;
  });

  let lookAgainAt: number | null;
  do {
    hasChanged = false;
    ({ lookAgainAt } = await steps.lookAtCertificate({ ...input, now: Date.now() }));
    if (lookAgainAt === null) continue;
    const waitMs = Math.max(lookAgainAt - Date.now(), 1);
    const isWoken = await condition(() => hasChanged, Math.min(waitMs, LONGEST_WAIT_MS));
    const wasLong = !isWoken && waitMs > LONGEST_WAIT_MS;
    // Or it was changed so often that the run has become long. The next one begins with a look, so no change is missed.
    if (wasLong || workflowInfo().continueAsNewSuggested) await continueAsNew<typeof certificateExpiry>(input);
  } while (lookAgainAt !== null || hasChanged);
}
