import { defineSignal } from '@temporalio/workflow';
import { TASK_QUEUE } from '../task-queues.js';

/** The brands that a factory shares with are told of the end of its certificate, 30 days before. */
export const CERTIFICATE_EXPIRY = { type: 'certificateExpiry', taskQueue: TASK_QUEUE } as const;

/** One for each certificate. */
export const certificateExpiryId = (certificateId: string): string => `certificate-expiry/${certificateId}`;

export interface CertificateExpiryInput {
  readonly factoryId: string;
  readonly certificateId: string;
}

/** The certificate is new, has other dates, or is gone: what it is now stands in the factory's stream. */
export const certificateChanged = defineSignal('certificateChanged');
