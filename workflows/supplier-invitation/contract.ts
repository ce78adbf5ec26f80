import { TASK_QUEUE } from '../task-queues.js';

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
