import { proxyActivities } from '@temporalio/workflow';
import type { SupplierInvitationActivities } from './activities.js';
import { INVITATION_TRIED_FOR_MS, type SupplierInvitationInput } from './contract.js';

const post = proxyActivities<SupplierInvitationActivities>({
  // One SMTP exchange has limits of its own below this.
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: INVITATION_TRIED_FOR_MS,
  // A refused address stays refused: the workflow ends as failed, and its reason is seen there.
  retry: { initialInterval: '1 second', maximumInterval: '10 minutes', nonRetryableErrorTypes: ['MailRefused'] },
});

/** Mails one invitation: to sign up, or, where the address has an account, to say that it was linked. */
export async function supplierInvitation(input: SupplierInvitationInput): Promise<'mailed' | 'not_needed'> {
  return post.mailInvitation(input);
}
