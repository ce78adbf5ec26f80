import { readCheckpoint } from '../../../projections/checkpoint.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';

/** What Postgres says of the deployment that it belongs to. */
export interface PostgresDeployment {
  readonly id: string;
  readonly foundedAt: Date;
  /** The event store has been seen to say the same; false for a first start that is under way or was cut off. */
  readonly isAgreed: boolean;
  /** The id that an adoption, begun and not ended, gives to both. */
  readonly adoptingId: string | null;
  /** Where the deployment's first event stands in the log that is followed; null until a start has looked. */
  readonly logPosition: bigint | null;
}

export async function postgresDeployment(db: Queryable): Promise<PostgresDeployment | null> {
  const { rows } = await db.query<Omit<PostgresDeployment, 'logPosition'> & { logPosition: string | null }>(
    `select id, founded_at as "foundedAt", is_agreed as "isAgreed", adopting_id as "adoptingId",
            log_position::text as "logPosition"
       from service.deployment`,
  );
  const [row] = rows;
  return row === undefined ? null : { ...row, logPosition: row.logPosition === null ? null : BigInt(row.logPosition) };
}

/** Writes down an id for a Postgres that has none. */
export async function proposeId(db: Queryable, id: string): Promise<void> {
  await db.query('insert into service.deployment (id) values ($1) on conflict do nothing', [id]);
}

/** From here on only the log whose first event stands there is followed. */
export async function noteAgreement(db: Queryable, id: string, logPosition: bigint): Promise<void> {
  await db.query('update service.deployment set is_agreed = true, log_position = $2 where id = $1', [
    id,
    logPosition.toString(),
  ]);
}

/** How far followers have come with the log by what Postgres says; null for one that has not begun. */
export async function checkpoints(
  db: Queryable,
): Promise<{ readonly projector: bigint | null; readonly reactor: bigint | null }> {
  const projected = await readCheckpoint(db);
  const { rows } = await db.query<{ reactor: string | null }>(
    'select max(position)::text as reactor from service.reactor_checkpoint',
  );
  const reactor = rows[0]?.reactor ?? null;
  return { projector: projected > 0n ? projected : null, reactor: reactor === null ? null : BigInt(reactor) };
}

/** What is in this Postgres alone, counted. */
export interface Holdings {
  readonly organizations: number;
  readonly accounts: number;
  readonly webhooks: number;
  readonly secrets: number;
}

export async function holdings(db: Queryable): Promise<Holdings> {
  const { rows } = await db.query<Holdings>(
    `select (select count(distinct organization_id) from service.memberships) as organizations,
            (select count(*) from service.accounts) as accounts,
            (select count(*) from service.webhooks) as webhooks,
            (select count(*) from service.webhook_secrets) as secrets`,
  );
  return rows[0] ?? { organizations: 0, accounts: 0, webhooks: 0, secrets: 0 };
}
