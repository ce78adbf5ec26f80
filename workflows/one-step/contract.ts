import { TASK_QUEUE } from '../task-queues.js';

/* Workflows of one activity: what an event leads to by itself, in one step that is tried until it works. */

/** Certificates that came with a batch's data become certificates of the factory. */
export const CERTIFICATE_INTAKE = { type: 'certificateIntake', taskQueue: TASK_QUEUE } as const;

/** One for each submission that names certificates. */
export const certificateIntakeId = ({ eventId }: CertificateIntakeInput): string => `certificate-intake/${eventId}`;

/** Where the submission stands in the log. */
export interface CertificateIntakeInput {
  readonly batchId: string;
  readonly revision: number;
  readonly eventId: string;
  readonly correlationId: string;
}

/** A brand that a factory begins to share with is told of the certificates that are in their last 30 days. */
export const CERTIFICATE_LINK = { type: 'certificateLink', taskQueue: TASK_QUEUE } as const;

/** One for each event by which a factory shares with a brand. */
export const certificateLinkId = ({ eventId }: CertificateLinkInput): string => `certificate-link/${eventId}`;

export interface CertificateLinkInput {
  readonly supplierId: string;
  readonly eventId: string;
  readonly correlationId: string;
}

/** What an accepted proposal leads to: its supplier is invited and becomes one of the material's. */
export const PROPOSAL_ACCEPTANCE = { type: 'proposalAcceptance', taskQueue: TASK_QUEUE } as const;

/** A proposal is accepted once. */
export const proposalAcceptanceId = ({ proposalId }: ProposalAcceptanceInput): string =>
  `proposal-acceptance/${proposalId}`;

export interface ProposalAcceptanceInput {
  readonly proposalId: string;
  readonly organizationId: string;
  /** The event that accepted. */
  readonly eventId: string;
  readonly correlationId: string;
}

/** The mail of one invitation. */
export const SUPPLIER_INVITATION = { type: 'supplierInvitation', taskQueue: TASK_QUEUE } as const;

/** A mail server that is down for a weekend delays an invitation; it does not lose it. One that is older is mailed no more. */
export const INVITATION_TRIED_FOR_MS = 7 * 24 * 3_600_000;

/** One for each event that invites: the same address invited again is mailed again. */
export const supplierInvitationId = ({
  supplierId,
  eventId,
}: Pick<SupplierInvitationInput, 'supplierId' | 'eventId'>): string => `supplier-invitation/${supplierId}/${eventId}`;

export interface SupplierInvitationInput {
  readonly supplierId: string;
  /** The event that invited. */
  readonly eventId: string;
  /** The call that it came from, by which its mail is known. */
  readonly callId: string;
}

/** The mail that tells an organization of webhooks that do not work. */
export const WEBHOOK_TROUBLE = { type: 'webhookTrouble', taskQueue: TASK_QUEUE } as const;

/** What is older is told by the next mail. */
export const TROUBLE_TOLD_FOR_MS = 24 * 3_600_000;

/** One for an organization and day (UTC), whatever else goes wrong on it. */
export const webhookTroubleId = ({ organizationId, day }: WebhookTroubleInput): string =>
  `webhook-trouble/${organizationId}/${day}`;

export interface WebhookTroubleInput {
  readonly organizationId: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly webhookId: string;
  /** The delivery that has failed; null when the receiver has answered 410. */
  readonly deliveryId: string | null;
}
