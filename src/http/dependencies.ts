import type { Config } from '../infrastructure/config.js';
import type { EventStore } from '../infrastructure/event-store/port.js';
import type { Logger } from '../infrastructure/logger.js';
import type { Database } from '../infrastructure/postgres/database.js';
import type { ProjectionWait } from '../../projections/projection-wait.js';
import type { WorkflowGateway } from '../infrastructure/temporal/gateway.js';

/** Everything that the routes need from outside; made once, in the composition root. */
export interface AppDependencies {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: Database;
  readonly eventStore: EventStore;
  readonly workflows: WorkflowGateway;
  readonly projected: ProjectionWait;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
}
