import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from './json.js';

/** What the hash of one event covers; `metadata` is the whole stored object without its own `hash`. */
export interface ChainLink {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
  readonly previousHash: string | null;
}

/** SHA-256 over the RFC 8785 form of exactly these seven keys, as 64 lower-case hex digits. */
export function linkHash({ stream, revision, id, type, data, metadata, previousHash }: ChainLink): string {
  const canonical = canonicalize({ stream, revision, id, type, data, metadata, previousHash });
  if (canonical === undefined) throw new Error('an event must be JSON');
  return createHash('sha256').update(canonical, 'utf8').digest('hex');
}
