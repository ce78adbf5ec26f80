import type { RetryPolicy } from '@temporalio/common';
import { proxyActivities } from '@temporalio/workflow';
import type { OneStepActivities } from './activities.js';
import {
  INVITATION_TRIED_FOR_MS,
  TROUBLE_TOLD_FOR_MS,
  type CertificateIntakeInput,
  type CertificateLinkInput,
  type ProposalAcceptanceInput,
  type SupplierInvitationInput,
  type WebhookTroubleInput,
} from './contract.js';

/*
 * Each carries out its one step, and hands it the workflow's time: the same when the step is tried again, so the same bytes are
 * appended. Nobody else does it, so it is tried until it works.
 */

const records = proxyActivities<OneStepActivities>({
  // A few short reads and appends.
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});

const intake = proxyActivities<OneStepActivities>({
  // Two short reads and an append.
  startToCloseTimeout: '30 seconds',
  // Shows that a worker was killed in the middle.
  heartbeatTimeout: '6 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '5 minutes' },
});

/** Certificates that came with a factory's data become the factory's. */
export async function certificateIntake(input: CertificateIntakeInput): Promise<void> {
  await intake.takeInCertificates({ ...input, now: Date.now() });
}

/** Tells a brand that a factory begins to share with of the certificates that end soon. */
export async function certificateLink(input: CertificateLinkInput): Promise<void> {
  await records.tellOfExpiringCertificates({ ...input, now: Date.now() });
}

/** Does what the call that accepted did, or what is left of it where that was interrupted. */
export async function proposalAcceptance(input: ProposalAcceptanceInput): Promise<void> {
  await records.carryOutAcceptance({ ...input, now: Date.now() });
}

/** A refused address stays refused: the workflow ends as failed, and its reason is seen there. */
const mailRetry: RetryPolicy = {
  initialInterval: '1 second',
  maximumInterval: '10 minutes',
  nonRetryableErrorTypes: ['MailRefused'],
};
/** One SMTP exchange has limits of its own below this. */
const MAIL_TIME = '1 minute';

const invitations = proxyActivities<OneStepActivities>({
  startToCloseTimeout: MAIL_TIME,
  scheduleToCloseTimeout: INVITATION_TRIED_FOR_MS,
  retry: mailRetry,
});

/** Mails one invitation: to sign up, or, where the address has an account, to say that it was linked. */
export async function supplierInvitation(input: SupplierInvitationInput): Promise<'mailed' | 'not_needed'> {
  return invitations.mailInvitation(input);
}

const troubles = proxyActivities<OneStepActivities>({
  startToCloseTimeout: MAIL_TIME,
  scheduleToCloseTimeout: TROUBLE_TOLD_FOR_MS,
  retry: mailRetry,
});

/** Tells the owner of the day's first failed delivery, or of a receiver that wants no more. */
export async function webhookTrouble(input: WebhookTroubleInput): Promise<void> {
  await troubles.mailWebhookTrouble(input);
}
