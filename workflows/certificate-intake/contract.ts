import { TASK_QUEUE } from '../task-queues.js';

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
