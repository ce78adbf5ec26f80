import { setTimeout as sleep } from 'node:timers/promises';
import { commandContext } from '../../core/context.js';
import { deterministicUuid, newId } from '../../core/ids.js';
import { execute, load } from '../../infrastructure/command-handler.js';
import type { EventLog } from '../../infrastructure/event-store/port.js';
import type { Logger } from '../../infrastructure/logger.js';
import { createOutageLog } from '../../infrastructure/outage-log.js';
import { isOutage } from '../../infrastructure/outage.js';
import type { Queryable } from '../../infrastructure/postgres/database.js';
import { describeConflict, type Conflict } from './conflicts.js';
import { deploymentDecider, type DeploymentCommand } from './decider.js';
import { DEPLOYMENT_STREAM } from './events.js';
import { checkpoints, noteAgreement, postgresDeployment, proposeId } from './store.js';

export interface DeploymentDependencies {
  readonly database: Queryable;
  readonly eventStore: Pick<EventLog, 'append' | 'readStream' | 'readAll' | 'lastPosition'>;
}

/** The deployment that event store and Postgres both belong to. */
export interface Deployment {
  readonly deploymentId: string;
  /** Of the log since its first event, whoever has adopted it: the workflows that it leads to belong to it. */
  readonly logId: string;
}

/** What the event store says of the deployment that it belongs to. */
export interface StoreDeployment extends Deployment {
  /** Of its first event, which tells the log from a copy of it. */
  readonly position: bigint;
  readonly foundedAt: Date;
}

/** Event store and Postgres do not belong together; the message is one line for the operator. */
export class DeploymentRefused extends Error {
  override readonly name = 'DeploymentRefused';
  readonly conflict: Conflict;
  constructor(conflict: Conflict, message: string) {
    super(message);
    this.conflict = conflict;
  }
}

/** At the start of a program: waits for servers that are away, and ends the process where two deployments meet. */
export async function joinAtStart(deps: DeploymentDependencies & { readonly logger: Logger }): Promise<Deployment> {
  const waiting = createOutageLog(
    deps.logger,
    'waiting for event store and database, to see that they belong together',
  );
  for (;;) {
    try {
      return await joinDeployment(deps);
    } catch (error) {
      if (error instanceof DeploymentRefused) {
        deps.logger.fatal(error.message);
        process.exit(1);
      }
      if (!isOutage(error)) throw error;
      waiting.failed(error);
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

const LOOK_AGAIN_MS = 500;

/**
 * Throws `DeploymentRefused` unless event store and Postgres belong to one deployment, and founds it where neither has one. What is
 * refused is looked at twice: others may found or adopt it between a look at the one and a look at the other.
 */
export async function joinDeployment(deps: DeploymentDependencies): Promise<Deployment> {
  const joined = await tryToJoin(deps);
  if ('deploymentId' in joined) return joined;
  const again = await tryToJoin(deps);
  if ('deploymentId' in again) return again;
  throw new DeploymentRefused(again, await describeConflict(deps, again));
}

async function tryToJoin(deps: DeploymentDependencies): Promise<Deployment | Conflict> {
  const { database, eventStore } = deps;
  const store = (await storeDeployment(eventStore)) ?? (await found(deps));
  const postgres = await postgresDeployment(database);
  if (postgres !== null && postgres.adoptingId !== null) return { kind: 'adopting', store, postgres };
  if (store === null || postgres?.id !== store.deploymentId) return { kind: 'two_ids', store, postgres };
  const { logPosition } = postgres;
  if (logPosition !== null && logPosition !== store.position) return { kind: 'copy', store, postgres };
  const furthest = await furthestCheckpoint(database);
  const end = await eventStore.lastPosition();
  if (furthest !== null && furthest > (end ?? -1n)) return { kind: 'store_is_older', store, postgres, furthest, end };
  if (!postgres.isAgreed || logPosition === null) await noteAgreement(database, postgres.id, store.position);
  return store;
}

/**
 * Postgres is told an id first, the same by all who start on it, and then the event store, which takes the first one that it is
 * told. After a kill in between the next start goes on with the id in Postgres. Null where Postgres has had an event store before.
 */
async function found({ database, eventStore }: DeploymentDependencies): Promise<StoreDeployment | null> {
  await proposeId(database, newId('dep'));
  const postgres = await postgresDeployment(database);
  if (postgres === null || postgres.isAgreed || postgres.adoptingId !== null) return null;
  await tellStore(eventStore, { type: 'Found', deploymentId: postgres.id }, postgres.foundedAt);
  return storeDeployment(eventStore);
}

/** The same bytes, whoever says it. */
export async function tellStore(
  eventStore: DeploymentDependencies['eventStore'],
  command: DeploymentCommand,
  at: Date,
): Promise<void> {
  const context = commandContext({
    organizationId: null,
    actor: { type: command.type === 'Found' ? 'system' : 'operator', id: null },
    correlationId: command.deploymentId,
    now: at.getTime(),
    seed: deterministicUuid(command.deploymentId, command.type),
  });
  const writer = {
    append: eventStore.append.bind(eventStore),
    readStream: eventStore.readStream.bind(eventStore),
    // None of it is private.
    sealed: (_place: unknown, { data }: { data: object }) => Promise.resolve(data),
  };
  await execute(writer, context, { stream: DEPLOYMENT_STREAM, decider: deploymentDecider, command });
}

export async function storeDeployment(eventStore: Pick<EventLog, 'readStream'>): Promise<StoreDeployment | null> {
  const { state, createdAt } = await load(eventStore, deploymentDecider, DEPLOYMENT_STREAM);
  if (state.status === 'none') return null;
  const { deploymentId, logId } = state;
  for await (const { position } of eventStore.readStream(DEPLOYMENT_STREAM, { limit: 1 })) {
    return { deploymentId, logId, position, foundedAt: new Date(createdAt ?? 0) };
  }
  return null;
}

async function furthestCheckpoint(database: Queryable): Promise<bigint | null> {
  const { projector, reactor } = await checkpoints(database);
  return projector === null || (reactor !== null && reactor > projector) ? reactor : projector;
}
