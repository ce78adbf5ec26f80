import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Texts that rest encrypted. What is sealed at one place does not open at another. */
export interface Sealer {
  seal(place: string, text: string): Buffer;
  /** Throws when the bytes were changed, moved from another place or sealed by another key. */
  open(place: string, sealed: Buffer): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM, nonce and tag in front, under a key derived from the service's for this one purpose. */
export function createSealer(encryptionKey: Uint8Array, purpose: string): Sealer {
  const key = deriveKey(encryptionKey, purpose);
  return {
    seal: (place, text) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open: (place, sealed) => {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
      const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    },
  };
}

/** 32 bytes that serve `purpose` alone. */
export const deriveKey = (encryptionKey: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', encryptionKey, '', purpose, 32));
