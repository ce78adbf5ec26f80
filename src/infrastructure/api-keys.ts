import { createHash, randomBytes } from 'node:crypto';
import type { Plan } from '../core/vocabulary.js';
import { SHARED_QUERY, type Queryable } from './postgres/database.js';

const PREFIX = 'pps_';

/** 256 random bits, with a prefix by which scanners of public code find one that was leaked. */
export const newApiKey = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const looksLikeApiKey = (token: string): boolean => token.startsWith(PREFIX);

/** What is stored of a key, and what it is looked up by. */
export const apiKeyHash = (key: string): Buffer => createHash('sha256').update(key).digest();

export interface KeyStanding {
  readonly id: string;
  readonly organizationId: string;
  readonly scopes: readonly string[];
  readonly plan: Plan;
}

const STANDING = {
  ...SHARED_QUERY,
  name: 'standing-of-api-key',
  text: `select k.id, k.organization_id as "organizationId", k.scopes, coalesce(o.plan, 'free') as plan,
                k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as "isDue"
           from service.api_keys k left join read.organizations o on o.id = k.organization_id
          where k.key_hash = $1`,
};

/** Null for a key that never was, or was revoked. Notes its use, at most once a minute for all processes together. */
export async function standingOfKey(db: Queryable, key: string): Promise<KeyStanding | null> {
  const { rows } = await db.query<KeyStanding & { isDue: boolean }>({ ...STANDING, values: [apiKeyHash(key)] });
  const found = rows[0];
  if (found === undefined) return null;
  const { isDue, ...standing } = found;
  if (isDue) {
    await db.query(
      `update service.api_keys set last_used_at = now()
        where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
      [standing.id],
    );
  }
  return standing;
}
