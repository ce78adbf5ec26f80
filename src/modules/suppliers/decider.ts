import { assertNever } from '../../core/assert-never.js';
import type { Decider } from '../../core/decider.js';
import { notFound } from '../../core/errors.js';
import { appended } from '../../core/growing.js';
import type { SupplierStatus } from '../../core/vocabulary.js';
import type { SupplierEvent, SupplierInvitation } from './events.js';

export type SupplierCommand =
  | { readonly type: 'RecordSupplier'; readonly supplier: Omit<SupplierInvitation, 'callId'> }
  | {
      readonly type: 'InviteSupplier';
      readonly invitation: SupplierInvitation;
      /** The address has an account: nobody has to sign up. */
      readonly hasAccount: boolean;
    }
  /** Somebody else named the address, and the organization took it up: a record that is there keeps its details. */
  | { readonly type: 'TakeOnSupplier'; readonly invitation: SupplierInvitation; readonly hasAccount: boolean }
  | { readonly type: 'ConfirmSupplier'; readonly supplierId: string }
  /** The factory lets the brand see what it keeps: by the link of its invitation, or by the factory's account. */
  | { readonly type: 'GrantSharing'; readonly supplierId: string; readonly via: 'invitation' | 'account' }
  | { readonly type: 'DeclineSupplier'; readonly supplierId: string }
  | {
      readonly type: 'NoticeCertificateExpiry';
      readonly supplierId: string;
      readonly certificate: ExpiringCertificate;
    };

export interface ExpiringCertificate {
  readonly certificateId: string;
  readonly type: string;
  readonly number: string;
  /** `YYYY-MM-DD` */
  readonly validUntil: string;
}

export type SupplierState = { readonly status: 'none' } | Supplier;

export interface Supplier extends Omit<SupplierInvitation, 'callId'> {
  readonly status: SupplierStatus;
  /** The factory has said so itself; an answer to a request says it too, and stands in the batch's stream. */
  readonly isSharingGranted: boolean;
  /** Invitations, by the calls that sent them. */
  readonly invitations: readonly string[];
  /** The ends of certificates that the organization was told of. */
  readonly noticed: readonly string[];
}

export const supplierDecider: Decider<SupplierState, SupplierCommand, SupplierEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

function decide(command: SupplierCommand, state: SupplierState): readonly SupplierEvent[] {
  switch (command.type) {
    case 'RecordSupplier':
      return state.status === 'none' ? [{ type: 'SupplierRecorded', data: command.supplier }] : [];
    case 'InviteSupplier':
      return invite(command, state);
    case 'TakeOnSupplier':
      if (state.status === 'none') return invite(command, state);
      // Who has been asked is not asked once more because somebody named it, least of all who has declined.
      return state.status === 'recorded' ? invite({ ...command, invitation: renewed(command, state) }, state) : [];
    case 'ConfirmSupplier': {
      const { status, supplierId, organizationId } = existing(state, command.supplierId);
      // Who has declined is asked again before being a supplier.
      if (status !== 'invited') return [];
      return [{ type: 'SupplierConfirmed', data: { supplierId, organizationId, via: 'sign_up' } }];
    }
    case 'GrantSharing':
      return grantSharing(command, existing(state, command.supplierId));
    case 'DeclineSupplier': {
      const { status, supplierId, organizationId } = existing(state, command.supplierId);
      return status === 'declined' ? [] : [{ type: 'SupplierDeclined', data: { supplierId, organizationId } }];
    }
    case 'NoticeCertificateExpiry': {
      const { status, supplierId, organizationId, factoryName, noticed } = existing(state, command.supplierId);
      const { certificateId, type, number, validUntil } = command.certificate;
      if (status === 'declined' || noticed.includes(noticeOf(command.certificate))) return [];
      const notice = { supplierId, organizationId, certificateId, factoryName, type, number, validUntil };
      return [{ type: 'CertificateExpiryNoticed', data: notice }];
    }
    default:
      return assertNever(command);
  }
}

function grantSharing(
  { via }: Extract<SupplierCommand, { type: 'GrantSharing' }>,
  { status, supplierId, organizationId, isSharingGranted }: Supplier,
): readonly SupplierEvent[] {
  // Who has declined is asked again before being a supplier.
  if (status === 'declined') return [];
  const record = { supplierId, organizationId };
  const confirmedVia = via === 'invitation' ? 'sign_up' : 'acceptance';
  return [
    ...(status === 'confirmed' ? [] : [{ type: 'SupplierConfirmed', data: { ...record, via: confirmedVia } } as const]),
    ...(isSharingGranted ? [] : [{ type: 'SupplierSharingGranted', data: { ...record, via } } as const]),
  ];
}

type Inviting = { readonly invitation: SupplierInvitation; readonly hasAccount: boolean };

function invite({ invitation, hasAccount }: Inviting, state: SupplierState): readonly SupplierEvent[] {
  const { supplierId, organizationId, callId } = invitation;
  if (state.status !== 'none' && state.invitations.includes(callId)) return [];
  const type = state.status === 'none' ? 'SupplierInvited' : 'SupplierInvitedAgain';
  const invited: SupplierEvent = { type, data: invitation };
  return hasAccount && state.status !== 'confirmed'
    ? [invited, { type: 'SupplierConfirmed', data: { supplierId, organizationId, via: 'account' } }]
    : [invited];
}

/** Invites the supplier under the details that its record has. */
function renewed({ invitation }: Inviting, supplier: Supplier): SupplierInvitation {
  const { supplierId, organizationId, factoryId, factoryName, country, tier, notes } = supplier;
  const { callId } = invitation;
  return { supplierId, organizationId, factoryId, factoryName, country, tier, notes, callId };
}

function evolve(state: SupplierState, event: SupplierEvent): SupplierState {
  switch (event.type) {
    case 'SupplierRecorded':
      return { ...event.data, status: 'recorded', isSharingGranted: false, invitations: [], noticed: [] };
    case 'SupplierInvited': {
      const { callId, ...invitation } = event.data;
      return { ...invitation, status: 'invited', isSharingGranted: false, invitations: [callId], noticed: [] };
    }
    case 'SupplierInvitedAgain': {
      if (state.status === 'none') return state;
      const { callId, ...invitation } = event.data;
      const status = state.status === 'confirmed' ? 'confirmed' : 'invited';
      return { ...state, ...invitation, status, invitations: appended(state.invitations, callId) };
    }
    case 'SupplierConfirmed':
      return state.status === 'none' ? state : { ...state, status: 'confirmed' };
    case 'SupplierSharingGranted':
      return state.status === 'none' ? state : { ...state, isSharingGranted: true };
    case 'SupplierDeclined':
      return state.status === 'none' ? state : { ...state, status: 'declined', isSharingGranted: false };
    case 'CertificateExpiryNoticed':
      return state.status === 'none' ? state : { ...state, noticed: appended(state.noticed, noticeOf(event.data)) };
    default:
      return state;
  }
}

const noticeOf = ({ certificateId, validUntil }: Pick<ExpiringCertificate, 'certificateId' | 'validUntil'>): string =>
  `${certificateId} ${validUntil}`;

/** The supplier, whoever's it is. */
export function existing(state: SupplierState, supplierId: string): Supplier {
  if (state.status === 'none') throw notFound('supplier', supplierId);
  return state;
}

/** The supplier, if it is there for this organization; another organization's is not. */
export function supplierOf(
  state: SupplierState,
  { supplierId, organizationId }: { readonly supplierId: string; readonly organizationId: string },
): Supplier {
  const supplier = existing(state, supplierId);
  if (supplier.organizationId !== organizationId) throw notFound('supplier', supplierId);
  return supplier;
}
