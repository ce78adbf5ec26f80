import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from './postgres/database.js';

const PREFIX = 'pps_';

/** 256 random bits, with a prefix by which scanners of public code find one that was leaked. */
export const newApiKey = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const looksLikeApiKey = (token: string): boolean => token.startsWith(PREFIX);

/** What is stored of a key, and what it is looked up by. */
export const apiKeyHash = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Notes that a key was used, at most once a minute for all processes together. */
export async function noteUse(db: Queryable, keyId: string): Promise<void> {
  await db.query(
    `update service.api_keys set last_used_at = now()
      where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}
