import { proxyActivities } from '@temporalio/workflow';
import type { CertificateLinkActivities } from './activities.js';
import type { CertificateLinkInput } from './contract.js';

const steps = proxyActivities<CertificateLinkActivities>({
  // Two short reads, and an append for each certificate that ends soon.
  startToCloseTimeout: '1 minute',
  // Nobody else does it: it is tried until it works.
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

export async function certificateLink(input: CertificateLinkInput): Promise<void> {
  await steps.tellOfExpiringCertificates({ ...input, now: Date.now() });
}
