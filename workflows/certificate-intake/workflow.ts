import { proxyActivities } from '@temporalio/workflow';
import type { CertificateIntakeActivities } from './activities.js';
import type { CertificateIntakeInput } from './contract.js';

const steps = proxyActivities<CertificateIntakeActivities>({
  // Two short reads and an append.
  startToCloseTimeout: '30 seconds',
  // Shows that a worker was killed in the middle.
  heartbeatTimeout: '6 seconds',
  // Nobody else does it: it is tried until it works.
  retry: { initialInterval: '500 milliseconds', maximumInterval: '5 minutes' },
});

export async function certificateIntake(input: CertificateIntakeInput): Promise<void> {
  await steps.takeInCertificates({ ...input, now: Date.now() });
}
