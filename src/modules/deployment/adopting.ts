import { newId } from '../../core/ids.js';
import { inTransaction, type Database } from '../../infrastructure/postgres/database.js';
import { tellStore, type DeploymentDependencies } from './joining.js';

/**
 * Says in both stores that they are about to be one deployment, under an id of its own: whoever goes on with one of them and
 * another partner is refused from then on, as is whoever starts on these before the end. Begun again after a kill, it goes on under
 * the same id.
 */
export async function beginAdoption({ database, eventStore }: DeploymentDependencies): Promise<string> {
  const { rows } = await database.query<{ deploymentId: string; formerId: string | null }>(
    `insert into service.deployment as one (id, adopting_id) values ($1, $1)
     on conflict (is_only) do update set adopting_id = coalesce(one.adopting_id, excluded.adopting_id)
     returning adopting_id as "deploymentId", case when is_agreed then id end as "formerId"`,
    [newId('dep')],
  );
  const [begun] = rows;
  if (begun === undefined) throw new Error('the row of the deployment has gone');
  const { deploymentId, formerId: formerPostgresId } = begun;
  await tellStore(eventStore, { type: 'Adopt', deploymentId, formerPostgresId }, new Date());
  return deploymentId;
}

/**
 * The last step: what Postgres knows of another log, or of a longer one, is forgotten with it. The reactor begins at the first
 * event, as each tells by the log whether something is left to do.
 */
export async function endAdoption(database: Database): Promise<void> {
  await inTransaction(database, async (connection) => {
    await connection.query('delete from service.reactor_checkpoint');
    await connection.query('delete from service.parked_events');
    await connection.query('delete from service.idempotency_keys');
    await connection.query(
      'update service.deployment set id = adopting_id, adopting_id = null, is_agreed = true, log_position = null',
    );
  });
}

/** As they call themselves to Postgres: an API that nobody calls keeps one of these connections. */
const PROGRAMS = ['api', 'api-idempotency', 'projection-wait', 'projector', 'worker'];

/** The service's own programs that run on this Postgres at the moment. */
export async function programsOn(database: Database): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
      where datname = current_database() and application_name = any ($1) order by name`,
    [PROGRAMS],
  );
  return rows.map(({ name }) => name);
}
