import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

/** One of the keys that a text hangs on. */
export interface TextKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

const PREFIX = 'sealed:1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * `sealed:1:<ids of the keys>:<nonce, tag and AES-256-GCM ciphertext>`. The nonce follows from place, text and keys (as in SIV
 * constructions), so that a call that is sent again seals to the same bytes; at two places the same text looks different.
 */
export function sealText(text: string, keys: readonly TextKey[], place: string): string {
  const { encryption, nonces } = derived(keys);
  const nonce = createHmac('sha256', nonces)
    .update(JSON.stringify([place, text]))
    .digest()
    .subarray(0, NONCE_BYTES);
  const head = headOf(keys.map(({ id }) => id));
  const cipher = createCipheriv('aes-256-gcm', encryption, nonce).setAAD(Buffer.from(head));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${head}${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** The ids of the keys that open it, in their order; null for a text that is not sealed. */
export function keyIdsOf(text: string): readonly string[] | null {
  if (!text.startsWith(PREFIX)) return null;
  return text.slice(PREFIX.length, text.lastIndexOf(':')).split('+');
}

/** Throws when the text was changed, or the keys are not its own. */
export function openText(sealed: string, keys: readonly TextKey[]): string {
  const head = headOf(keys.map(({ id }) => id));
  const bytes = Buffer.from(sealed.slice(head.length), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', derived(keys).encryption, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(head)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]).toString('utf8');
}

const headOf = (ids: readonly string[]): string => `${PREFIX}${ids.join('+')}:`;

/** From all keys together: without any one of them there is none. */
function derived(keys: readonly TextKey[]): { readonly encryption: Buffer; readonly nonces: Buffer } {
  const all = Buffer.concat(keys.map(({ bytes }) => bytes));
  const both = Buffer.from(hkdfSync('sha256', all, '', 'private texts', 64));
  return { encryption: both.subarray(0, 32), nonces: both.subarray(32) };
}
