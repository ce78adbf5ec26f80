import { randomBytes } from 'node:crypto';
import { Refusal } from '../../core/errors.js';
import { createSealer, type Sealer } from '../../infrastructure/encryption.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';

/** For how long a secret signs beside those that came after it. */
export const OVERLAP_MS = 24 * 3_600_000;

/** Each of them signs for a day in the headers of every attempt. */
const MOST_RETIRING = 5;

/** What an attempt signs with. */
export interface SigningSecrets {
  /** Of the digest in `X-Service-Signature`: the oldest whose day has not ended. */
  readonly secret: string;
  /** For a day after a rotation: the newest one. */
  readonly next: string | null;
  /** Rotated away too within the day. */
  readonly between: readonly string[];
}

export interface SecretDependencies {
  readonly database: Queryable;
  /** Of `secretSealer`. */
  readonly sealer: Sealer;
}

export const secretSealer = (encryptionKey: Uint8Array): Sealer => createSealer(encryptionKey, 'webhooks/secrets');

interface Row {
  readonly current: Buffer;
  readonly rotated_at: number | null;
  readonly rotation_id: string | null;
}

/** 32 random bytes in the form of Standard Webhooks. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The webhook's first secret; asked again for the same webhook, the same. */
export async function firstSecret({ database, sealer }: SecretDependencies, webhookId: string): Promise<string> {
  await database.query(
    'insert into service.webhook_secrets (webhook_id, current) values ($1, $2) on conflict do nothing',
    [webhookId, sealer.seal(webhookId, newSecret())],
  );
  const row = await secretRow(database, webhookId);
  if (row === null) throw new Error(`the secret of webhook ${webhookId} has gone`);
  return sealer.open(webhookId, row.current);
}

/**
 * A new secret; the same `rotationId` again answers the one that it made. Every earlier one keeps the day that it has to sign, so a
 * webhook is rotated five times a day at most.
 */
export async function rotate(
  { database, sealer }: SecretDependencies,
  { webhookId, rotationId, now }: { webhookId: string; rotationId: string; now: number },
): Promise<{ readonly secret: string; readonly rotatedAt: number } | null> {
  await database.query('delete from service.webhook_retiring_secrets where webhook_id = $1 and signs_until <= $2', [
    webhookId,
    now,
  ]);
  const { rowCount } = await database.query(
    `with old as (
       select current from service.webhook_secrets
        where webhook_id = $1 and rotation_id is distinct from $4
          and (select count(*) from service.webhook_retiring_secrets where webhook_id = $1) < $6
          for update
     ), rotated as (
       update service.webhook_secrets set current = $2, rotated_at = $3, rotation_id = $4
        where webhook_id = $1 and exists (select 1 from old)
     )
     insert into service.webhook_retiring_secrets (webhook_id, secret, signs_until) select $1, current, $5 from old`,
    [webhookId, sealer.seal(webhookId, newSecret()), now, rotationId, now + OVERLAP_MS, MOST_RETIRING],
  );
  const row =
    (await secretRow(database, webhookId)) ?? (await replaceLost({ database, sealer }, { webhookId, rotationId, now }));
  if (row === null) return null;
  if (rowCount === 0 && row.rotation_id !== rotationId) await refuseRotation(database, webhookId, now);
  return { secret: sealer.open(webhookId, row.current), rotatedAt: row.rotated_at ?? now };
}

/** A secret that was lost has nothing to overlap with. Null when the webhook is being deleted: its place goes first. */
async function replaceLost(
  { database, sealer }: SecretDependencies,
  { webhookId, rotationId, now }: { webhookId: string; rotationId: string; now: number },
): Promise<Row | null> {
  await database.query(
    `insert into service.webhook_secrets (webhook_id, current, rotated_at, rotation_id)
     select id, $2, $3, $4 from service.webhooks where id = $1 for share
     on conflict do nothing`,
    [webhookId, sealer.seal(webhookId, newSecret()), now, rotationId],
  );
  return secretRow(database, webhookId);
}

async function refuseRotation(database: Queryable, webhookId: string, now: number): Promise<never> {
  const { rows } = await database.query<{ until: number | null }>(
    'select min(signs_until) as until from service.webhook_retiring_secrets where webhook_id = $1',
    [webhookId],
  );
  throw new Refusal(
    'rate_limited',
    `A secret is rotated ${MOST_RETIRING} times in 24 hours at most, as each old one signs for that long.`,
    { extra: { retryAfterS: Math.max(1, Math.ceil(((rows[0]?.until ?? now) - now) / 1_000)) } },
  );
}

/** Null when it is not here: lost with a database, or on its way out with its webhook. Which of them says the webhook's stream. */
export async function secretsOf(
  { database, sealer }: SecretDependencies,
  webhookId: string,
  now: number,
): Promise<SigningSecrets | null> {
  // In one statement: a rotation between two would hide the secret that it takes away.
  const { rows } = await database.query<{ current: Buffer; retiring: Buffer[] }>(
    `select current, array(select secret from service.webhook_retiring_secrets
                            where webhook_id = $1 and signs_until > $2 order by id) as retiring
       from service.webhook_secrets where webhook_id = $1`,
    [webhookId, now],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const current = sealer.open(webhookId, row.current);
  const [oldest, ...between] = row.retiring.map((secret) => sealer.open(webhookId, secret));
  return oldest === undefined
    ? { secret: current, next: null, between: [] }
    : { secret: oldest, next: current, between };
}

async function secretRow(database: Queryable, webhookId: string): Promise<Row | null> {
  const { rows } = await database.query<Row>(
    'select current, rotated_at, rotation_id from service.webhook_secrets where webhook_id = $1',
    [webhookId],
  );
  return rows[0] ?? null;
}
