export { countSignIn, forgetAttempt } from './attempts.js';
export { accountOfProvenAddress, askForLink } from './handlers.js';
export { linkMails } from './link-mails.js';
export { passwordMatches } from './passwords.js';
export { type Account, accountByEmail, accountById, emailOfAccount, purgeAccountTraces } from './store.js';
