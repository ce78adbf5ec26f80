export { lastOwner } from './handlers.js';
export { memberMails } from './mails.js';
export { deleteMember, findMember, hasOtherOwner, isMember, lockMembers, purgeInvitations } from './store.js';
