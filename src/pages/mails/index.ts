export type { MailContent } from './blocks.js';
export { renderFactoryRequestMail, renderNoAnswerMail, type FactoryRequestMail } from './request-mails.js';
export { renderSupplierInvitationMail, renderSupplierLinkedMail, type SupplierMail } from './supplier-mails.js';
