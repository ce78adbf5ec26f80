import { TASK_QUEUE } from '../task-queues.js';

/** A brand that a factory begins to share with is told of the certificates that are in their last 30 days. */
export const CERTIFICATE_LINK = { type: 'certificateLink', taskQueue: TASK_QUEUE } as const;

/** One for each event by which a factory shares with a brand. */
export const certificateLinkId = ({ eventId }: CertificateLinkInput): string => `certificate-link/${eventId}`;

export interface CertificateLinkInput {
  readonly supplierId: string;
  readonly eventId: string;
  readonly correlationId: string;
}
