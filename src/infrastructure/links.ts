import { createHash, createHmac } from 'node:crypto';

/*
 * Tokens of mailed links. They are derived, so the same link can be mailed again without being stored; what is stored is
 * their hash.
 */

/** The token of a factory's link: 32 bytes that only the holder of the key can make. */
export const factoryLinkToken = (linkKey: Buffer, requestId: string): string => derive(linkKey, requestId);

/** The token of a supplier's invitation. */
export const invitationToken = (linkKey: Buffer, supplierId: string): string => derive(linkKey, supplierId);

/** The token of a link that signs an account in or proves its address. */
export const accountLinkToken = (linkKey: Buffer, linkId: string): string => derive(linkKey, `account-link/${linkId}`);

/** The token of an invitation into an organization. */
export const memberInvitationToken = (linkKey: Buffer, invitationId: string): string =>
  derive(linkKey, `member-invitation/${invitationId}`);

/** What mails to an address are counted under: the address cannot be read from it, nor tried out without the key. */
export const recipientHash = (linkKey: Buffer, email: string): Buffer =>
  createHmac('sha256', linkKey).update(`mail-recipient/${email}`).digest();

/** What is stored of a token, and what it is looked up by. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

const derive = (linkKey: Buffer, id: string): string => createHmac('sha256', linkKey).update(id).digest('base64url');
