import { assertNever } from '../../core/assert-never.js';
import type { DeploymentDependencies, StoreDeployment } from './joining.js';
import { holdings, type PostgresDeployment } from './store.js';

/** Why event store and Postgres are not those of one deployment. */
export type Conflict =
  /** Null: the store has never belonged to one. */
  | { readonly kind: 'two_ids'; readonly store: StoreDeployment | null; readonly postgres: PostgresDeployment | null }
  /** Postgres has followed the log further than the log goes. */
  | {
      readonly kind: 'store_is_older';
      readonly store: StoreDeployment;
      readonly postgres: PostgresDeployment;
      readonly furthest: bigint;
      readonly end: bigint | null;
    }
  /** The log that Postgres follows stands in another store too, moved there or copied. */
  | { readonly kind: 'copy'; readonly store: StoreDeployment; readonly postgres: PostgresDeployment }
  /** An adoption was begun and not ended. */
  | { readonly kind: 'adopting'; readonly store: StoreDeployment | null; readonly postgres: PostgresDeployment };

const WHAT_TO_DO =
  'Set EVENTSTORE_URL and DATABASE_URL to those of one deployment; after a restore, "npm run cli -- adopt" says what it will do, asks, and makes them one.';

/** In one line: what each is, and what to do. */
export async function describeConflict(deps: DeploymentDependencies, conflict: Conflict): Promise<string> {
  const [store, postgres] = await Promise.all([
    describeStore(deps, conflict.store),
    describePostgres(deps, conflict.postgres),
  ]);
  switch (conflict.kind) {
    case 'two_ids':
      return `Two deployments: the event store ${store}; Postgres ${postgres}. ${WHAT_TO_DO}`;
    case 'store_is_older':
      return (
        `The event store is older than Postgres, which has followed it up to ${conflict.furthest}, and it ends at ` +
        `${conflict.end ?? 'its beginning'}: it ${store}; Postgres ${postgres}. ${WHAT_TO_DO}`
      );
    case 'copy':
      return (
        'The event store holds a copy of the log that Postgres follows: the log has moved away from it, or has not come there whole. ' +
        'Set EVENTSTORE_URL to the store that is in use, or run "move-store" to its end; after a restore, "npm run cli -- adopt".'
      );
    case 'adopting':
      return `An adoption was begun and not ended: run "npm run cli -- adopt" again. The event store ${store}; Postgres ${postgres}.`;
    default:
      return assertNever(conflict);
  }
}

/** As the end of a sentence that begins with the event store. */
export async function describeStore(
  { eventStore }: Pick<DeploymentDependencies, 'eventStore'>,
  store: StoreDeployment | null,
): Promise<string> {
  const events = await countEvents(eventStore);
  if (store === null) return events === '0' ? 'is empty' : `belongs to none (${events} events)`;
  return `belongs to ${store.deploymentId} (founded ${onDay(store.foundedAt)}, ${events} events)`;
}

/** As the end of a sentence that begins with Postgres. */
export async function describePostgres(
  { database }: Pick<DeploymentDependencies, 'database'>,
  postgres: PostgresDeployment | null,
): Promise<string> {
  const { organizations, accounts, webhooks } = await holdings(database);
  const held = `${organizations} organizations, ${accounts} accounts, ${webhooks} webhooks`;
  return postgres?.isAgreed === true
    ? `belongs to ${postgres.id} (founded ${onDay(postgres.foundedAt)}, ${held})`
    : `has not had an event store yet (${held})`;
}

const onDay = (date: Date): string => date.toISOString().slice(0, 10);

const MOST_COUNTED = 10_000;

async function countEvents(eventStore: DeploymentDependencies['eventStore']): Promise<string> {
  let events = 0;
  for await (const _event of eventStore.readAll({ after: null, limit: MOST_COUNTED + 1 })) events += 1;
  return events > MOST_COUNTED ? `more than ${MOST_COUNTED}` : String(events);
}
