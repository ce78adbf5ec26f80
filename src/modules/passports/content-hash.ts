import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PassportContent } from './events.js';

/** SHA-256 of the content's RFC 8785 bytes, 64 lower-case hex digits. */
export function contentHash(content: PassportContent): string {
  const canonical = canonicalize(content);
  if (canonical === undefined) throw new Error('the content of a passport must be JSON');
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}
