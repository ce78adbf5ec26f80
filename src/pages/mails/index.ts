export { renderAccountMail } from './account-mails.js';
export { renderMemberMail } from './member-mails.js';
export { mailLocale } from './language.js';
export { renderNoAnswerMail } from './no-answer-mail.js';
export { renderFactoryRequestMail, type FactoryRequestMail } from './request-mails.js';
export { renderSupplierInvitationMail, renderSupplierLinkedMail } from './supplier-mails.js';
export { renderWebhookTroubleMail } from './webhook-mails.js';
