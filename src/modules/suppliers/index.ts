export { invitationMailId, type SupplierEvent, type SupplierInvitation } from './events.js';
export type { Supplier } from './decider.js';
export {
  answerInvitation,
  countInvitation,
  findSupplier,
  noticeCertificateExpiry,
  recordIdOf,
  recordOfFactory,
  recordSupplier,
  restoreRecordId,
  type SupplierDependencies,
  supplierOfBrand,
  supplierStatus,
  takeOnSupplier,
} from './handlers.js';
export { factoryOfAccount, type FactoryStanding, unprovenFactory } from './standing.js';
export {
  contactEmailOf,
  contactEmailsOf,
  correspondentAt,
  endInvitationLink,
  factoryAt,
  knownFactoryAt,
  noteLanguage,
  supplierOfLink,
} from './store.js';
