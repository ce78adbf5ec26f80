import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';
import { streamName } from '../../core/streams.js';

/** Stream `supplier-<id>`: one organization's record of a factory. `factoryId` stands for the address, which is not in the log. */
export type SupplierEvent =
  /** Named by an import: nobody has been mailed. */
  | DomainEvent<'SupplierRecorded', Omit<SupplierInvitation, 'callId'>>
  | DomainEvent<'SupplierInvited', SupplierInvitation>
  /** The same address invited again: the record takes the new details and the mail goes out again. */
  | DomainEvent<'SupplierInvitedAgain', SupplierInvitation>
  /** There is an account behind the record, by which the factory sees the brand; the brand sees nothing of the factory for it. */
  | DomainEvent<
      'SupplierConfirmed',
      { supplierId: string; organizationId: string; via: 'account' | 'sign_up' | 'acceptance' }
    >
  /** The factory has said that this brand may see what it keeps: by the brand's invitation, or by its account. */
  | DomainEvent<'SupplierSharingGranted', { supplierId: string; organizationId: string; via: 'invitation' | 'account' }>
  | DomainEvent<'SupplierDeclined', { supplierId: string; organizationId: string }>
  /** One of the factory's certificates is in its last 30 days: told once for each date that it was to end. */
  | DomainEvent<'CertificateExpiryNoticed', CertificateNotice>;

export type CertificateNotice = {
  readonly supplierId: string;
  readonly organizationId: string;
  readonly certificateId: string;
  readonly factoryName: string;
  readonly type: string;
  readonly number: string;
  /** `YYYY-MM-DD` */
  readonly validUntil: string;
};

export type SupplierInvitation = {
  readonly supplierId: string;
  readonly organizationId: string;
  readonly factoryId: string;
  readonly factoryName: string;
  readonly country: string | null;
  readonly tier: number;
  readonly notes: string | null;
  /** The call that invited: the same call sent again is recognised by it. */
  readonly callId: string;
};

const notes = ({ organizationId, supplierId }: Omit<SupplierInvitation, 'callId'>) => [organizationId, supplierId];

export const SUPPLIER_TEXTS = textsOf<SupplierEvent>()
  .private({ SupplierRecorded: { notes }, SupplierInvited: { notes }, SupplierInvitedAgain: { notes } })
  .open('factoryName', 'country', 'type', 'number', 'validUntil');
export type InvitationRef = Pick<SupplierInvitation, 'supplierId' | 'callId'>;

/** The Message-ID of an invitation's mail. */
export const invitationMailId = ({ supplierId, callId }: InvitationRef): string => `${supplierId}.invitation.${callId}`;

export const supplierStream = (supplierId: string): string => streamName('supplier', supplierId);
