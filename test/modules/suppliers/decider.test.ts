import { describe, test } from 'vitest';
import { supplierDecider } from '../../../src/modules/suppliers/decider.js';
import type { SupplierEvent, SupplierInvitation } from '../../../src/modules/suppliers/events.js';
import { given } from '../../support/given.js';

const supplierId = 'sup_1';
const organizationId = 'org_1';

const invitation = (callId: string, changes: Partial<SupplierInvitation> = {}): SupplierInvitation => ({
  ...{ supplierId, organizationId, factoryId: 'fac_1', factoryName: 'Fiação Lda', country: 'PT', tier: 1, notes: null },
  callId,
  ...changes,
});
const invited: SupplierEvent = { type: 'SupplierInvited', data: invitation('call_1') };
const invitedAgain: SupplierEvent = { type: 'SupplierInvitedAgain', data: invitation('call_2', { tier: 2 }) };
const confirmed = (via: 'account' | 'sign_up' | 'acceptance'): SupplierEvent => ({
  type: 'SupplierConfirmed',
  data: { supplierId, organizationId, via },
});
const declined: SupplierEvent = { type: 'SupplierDeclined', data: { supplierId, organizationId } };

const granted = (via: 'invitation' | 'account'): SupplierEvent => ({
  type: 'SupplierSharingGranted',
  data: { supplierId, organizationId, via },
});

const supplier = (...events: SupplierEvent[]) => given(supplierDecider, events);

describe('InviteSupplier', () => {
  const first = { type: 'InviteSupplier', invitation: invitation('call_1'), hasAccount: false } as const;
  const again = { type: 'InviteSupplier', invitation: invitation('call_2', { tier: 2 }), hasAccount: false } as const;

  test('makes the record', () => supplier().when(first).then(invited));
  test('confirms an address with an account at once', () =>
    supplier()
      .when({ ...first, hasAccount: true })
      .then(invited, confirmed('account')));
  test('updates the one record when the address is invited again', () =>
    supplier(invited).when(again).then(invitedAgain));
  test('leaves a confirmed supplier confirmed', () =>
    supplier(invited, confirmed('sign_up'))
      .when({ ...again, hasAccount: true })
      .then(invitedAgain));
  test('asks a declined supplier again', () => supplier(invited, declined).when(again).then(invitedAgain));
  test('confirms a declined supplier that has an account', () =>
    supplier(invited, declined)
      .when({ ...again, hasAccount: true })
      .then(invitedAgain, confirmed('account')));
  test('changes nothing when the same call comes twice', () => {
    supplier(invited).when(first).thenNothing();
    supplier(invited, invitedAgain).when(first).thenNothing();
    supplier(invited, invitedAgain).when(again).thenNothing();
  });
});

describe('TakeOnSupplier', () => {
  const details = invitation('pro_1', { factoryName: 'As somebody else calls it', tier: 3, country: null });
  const takeOn = { type: 'TakeOnSupplier', invitation: details, hasAccount: false } as const;
  const { callId: _callId, ...named } = invitation('none');
  const recorded: SupplierEvent = { type: 'SupplierRecorded', data: named };
  const asRecorded: SupplierEvent = { type: 'SupplierInvitedAgain', data: invitation('pro_1') };

  test('makes the record and invites it', () =>
    supplier().when(takeOn).then({ type: 'SupplierInvited', data: details }));
  test('confirms an address with an account at once', () =>
    supplier()
      .when({ ...takeOn, hasAccount: true })
      .then({ type: 'SupplierInvited', data: details }, confirmed('account')));
  test('invites one that an import has named, under its own details', () =>
    supplier(recorded).when(takeOn).then(asRecorded));
  test('leaves one alone that has been asked, whatever it said', () => {
    supplier(invited).when(takeOn).thenNothing();
    supplier(invited, confirmed('sign_up')).when(takeOn).thenNothing();
    supplier(invited, declined).when(takeOn).thenNothing();
    supplier(recorded, asRecorded, declined).when(takeOn).thenNothing();
  });
});

describe('ConfirmSupplier', () => {
  const confirm = { type: 'ConfirmSupplier', supplierId } as const;

  test('confirms an invited supplier', () => supplier(invited).when(confirm).then(confirmed('sign_up')));
  test('changes nothing for a confirmed one', () =>
    supplier(invited, confirmed('sign_up')).when(confirm).thenNothing());
  test('changes nothing for one that has declined', () => supplier(invited, declined).when(confirm).thenNothing());
  test('confirms one that was invited again after it had declined', () =>
    supplier(invited, declined, invitedAgain).when(confirm).then(confirmed('sign_up')));
  test('refuses an unknown supplier', () => {
    supplier().when(confirm).thenRefuses('not_found', /sup_1/);
  });
});

describe('GrantSharing', () => {
  const grant = (via: 'invitation' | 'account') => ({ type: 'GrantSharing', supplierId, via }) as const;

  test('shares with the brand', () =>
    supplier(invited, confirmed('account')).when(grant('account')).then(granted('account')));
  test('confirms a record on the way', () => {
    supplier(invited).when(grant('invitation')).then(confirmed('sign_up'), granted('invitation'));
    supplier(invited).when(grant('account')).then(confirmed('acceptance'), granted('account'));
  });
  test('changes nothing when it is so already, also when the brand has invited again', () =>
    supplier(invited, confirmed('account'), granted('account'), invitedAgain).when(grant('account')).thenNothing());
  test('changes nothing for one that has declined', () =>
    supplier(invited, confirmed('account'), declined).when(grant('account')).thenNothing());
  test('is asked for anew after the factory has declined', () =>
    supplier(invited, confirmed('account'), granted('account'), declined, invitedAgain, confirmed('account'))
      .when(grant('account'))
      .then(granted('account')));
  test('refuses an unknown supplier', () => {
    supplier().when(grant('account')).thenRefuses('not_found', /sup_1/);
  });
});

describe('DeclineSupplier', () => {
  const decline = { type: 'DeclineSupplier', supplierId } as const;

  test('declines an invitation', () => supplier(invited).when(decline).then(declined));
  test('ends a confirmed relation', () => supplier(invited, confirmed('account')).when(decline).then(declined));
  test('changes nothing when it has declined', () => supplier(invited, declined).when(decline).thenNothing());
  test('refuses an unknown supplier', () => {
    supplier().when(decline).thenRefuses('not_found');
  });
});

describe('NoticeCertificateExpiry', () => {
  const certificate = { certificateId: 'cer_1', type: 'GOTS', number: 'CU 1', validUntil: '2026-12-31' };
  const notice = { type: 'NoticeCertificateExpiry', supplierId, certificate } as const;
  const noticed = (validUntil = certificate.validUntil): SupplierEvent => ({
    type: 'CertificateExpiryNoticed',
    data: { supplierId, organizationId, factoryName: 'Fiação Lda', ...certificate, validUntil },
  });

  test('tells the organization', () => supplier(invited).when(notice).then(noticed()));
  test('tells once of a date, whatever came between', () => {
    supplier(invited, noticed()).when(notice).thenNothing();
    supplier(invited, noticed(), noticed('2027-12-31'), invitedAgain).when(notice).thenNothing();
  });
  test('tells again of another date', () => supplier(invited, noticed('2026-06-30')).when(notice).then(noticed()));
  test('tells nobody whom the factory has declined', () => supplier(invited, declined).when(notice).thenNothing());
  test('refuses an unknown supplier', () => {
    supplier().when(notice).thenRefuses('not_found');
  });
});
