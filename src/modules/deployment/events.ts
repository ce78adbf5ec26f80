import type { DomainEvent } from '../../core/events.js';
import { textsOf } from '../../core/private-texts.js';

/**
 * Stream `deployment`, one in each log: which deployment the log belongs to. Its Postgres says the same, and programs start only
 * where both do.
 */
export type DeploymentEvent =
  /** The first start: event store and Postgres were both new. */
  | DomainEvent<'DeploymentFounded', { deploymentId: string }>
  /**
   * An operator has made this log and a Postgres belong together (`npm run cli -- adopt`). From then on both are `deploymentId`;
   * before, they were these, null where there was none.
   */
  | DomainEvent<
      'DeploymentAdopted',
      { deploymentId: string; formerStoreId: string | null; formerPostgresId: string | null }
    >;

export const DEPLOYMENT_TEXTS = textsOf<DeploymentEvent>().private({}).open();

export const DEPLOYMENT_STREAM = 'deployment';
