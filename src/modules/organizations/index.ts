export { type OrganizationEvent, organizationStream } from './events.js';
export { changePlan } from './handlers.js';
export { countMails, countMailsNow, purgeMailCounts, type ThirdPartyMail } from './mail-limits.js';
