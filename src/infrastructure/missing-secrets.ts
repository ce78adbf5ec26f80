import type { Logger } from './logger.js';
import type { Queryable } from './postgres/database.js';

/** Webhooks that nothing can be sent to until their secrets are back, by a restored backup or a rotation. */
export async function countMissingSecrets(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) as count from service.webhooks w
      where created_at < now() - interval '30 seconds'
        and not exists (select from service.webhook_secrets where webhook_id = w.id)`,
  );
  return rows[0]?.count ?? 0;
}

/** Says at once that a webhook has lost its secret, and that it is back; in between rarely, however many deliveries wait. */
export interface SecretAlarm {
  missing(webhookId: string): void;
  found(webhookId: string): void;
}

const SAID_AGAIN_AFTER_MS = 10 * 60_000;

export function createSecretAlarm({ logger, clock }: { logger: Logger; clock: () => number }): SecretAlarm {
  const saidAt = new Map<string, number>();
  return {
    missing(webhookId) {
      const now = clock();
      if (now - (saidAt.get(webhookId) ?? -Infinity) < SAID_AGAIN_AFTER_MS) return;
      saidAt.set(webhookId, now);
      logger.error({ webhookId }, 'the secret of a webhook is missing: its deliveries wait for a backup or a rotation');
    },
    found(webhookId) {
      if (saidAt.delete(webhookId)) logger.info({ webhookId }, 'the secret of a webhook is back');
    },
  };
}
