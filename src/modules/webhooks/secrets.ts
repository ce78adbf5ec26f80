import { randomBytes } from 'node:crypto';
import { createSealer, type Sealer } from '../../infrastructure/encryption.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';

/** For how long the secret before a rotation signs beside the new one. */
export const OVERLAP_MS = 24 * 3_600_000;

/** What an attempt signs with. */
export interface SigningSecrets {
  /** Of the digest in `X-Service-Signature`. */
  readonly secret: string;
  /** For a day after a rotation: the secret that `secret` gives way to. */
  readonly next: string | null;
}

export interface SecretDependencies {
  readonly database: Queryable;
  /** Of `secretSealer`. */
  readonly sealer: Sealer;
}

export const secretSealer = (encryptionKey: Uint8Array): Sealer => createSealer(encryptionKey, 'webhooks/secrets');

interface Row {
  readonly current: Buffer;
  readonly previous: Buffer | null;
  readonly rotated_at: number | null;
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

/** A new secret; the same `rotationId` again answers the one that it made. */
export async function rotate(
  { database, sealer }: SecretDependencies,
  { webhookId, rotationId, now }: { webhookId: string; rotationId: string; now: number },
): Promise<{ readonly secret: string; readonly rotatedAt: number } | null> {
  await database.query(
    `update service.webhook_secrets set previous = current, current = $2, rotated_at = $3, rotation_id = $4
      where webhook_id = $1 and rotation_id is distinct from $4`,
    [webhookId, sealer.seal(webhookId, newSecret()), now, rotationId],
  );
  const row = await secretRow(database, webhookId);
  return row === null ? null : { secret: sealer.open(webhookId, row.current), rotatedAt: row.rotated_at ?? now };
}

/** Null when the webhook has been deleted, and its secret with it. */
export async function secretsOf(
  { database, sealer }: SecretDependencies,
  webhookId: string,
  now: number,
): Promise<SigningSecrets | null> {
  const row = await secretRow(database, webhookId);
  if (row === null) return null;
  const current = sealer.open(webhookId, row.current);
  return row.previous === null || row.rotated_at === null || now >= row.rotated_at + OVERLAP_MS
    ? { secret: current, next: null }
    : { secret: sealer.open(webhookId, row.previous), next: current };
}

async function secretRow(database: Queryable, webhookId: string): Promise<Row | null> {
  const { rows } = await database.query<Row>(
    'select current, previous, rotated_at from service.webhook_secrets where webhook_id = $1',
    [webhookId],
  );
  return rows[0] ?? null;
}
