export { renderAccountMail } from './account-mails.js';
export { renderMemberMail } from './member-mails.js';
export { renderFactoryRequestMail, renderNoAnswerMail, type FactoryRequestMail } from './request-mails.js';
export { renderSupplierInvitationMail, renderSupplierLinkedMail } from './supplier-mails.js';
export { renderWebhookTroubleMail } from './webhook-mails.js';
