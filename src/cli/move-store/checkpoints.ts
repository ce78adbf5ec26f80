import type { RawEvent } from '../../infrastructure/event-store/port.js';
import { inTransaction, type Database, type Queryable } from '../../infrastructure/postgres/database.js';
import { noteAgreement, type StoreDeployment } from '../../modules/deployment/index.js';

/** How far a follower of the log has come. */
interface Checkpoint {
  /** Null for the projector's. */
  readonly reactor: string | null;
  readonly position: bigint;
}

/** Where followers go on in the destination, found while both logs are walked side by side. */
export interface MovedCheckpoints {
  readonly seen: (here: RawEvent, there: RawEvent) => void;
  /** Puts them, and where the log is now, into the database at once: until then the old store is the one in use. */
  readonly store: (database: Database, there: StoreDeployment) => Promise<void>;
}

export async function moveCheckpoints(db: Queryable): Promise<MovedCheckpoints> {
  const { rows } = await db.query<{ reactor: string | null; position: string }>(
    `select null as reactor, position::text from read.checkpoint
     union all select reactor, position::text from service.reactor_checkpoint`,
  );
  const moving = rows.map(({ reactor, position }) => ({ from: { reactor, position: BigInt(position) }, to: 0n }));
  return {
    seen(here, there) {
      for (const one of moving) if (here.position <= one.from.position) one.to = there.position;
    },
    store: (database, { deploymentId, position }) =>
      inTransaction(database, async (connection) => {
        for (const { from, to } of moving) await replace(connection, from, to);
        await noteAgreement(connection, deploymentId, position);
      }),
  };
}

async function replace(db: Queryable, { reactor, position }: Checkpoint, to: bigint): Promise<void> {
  const values = [to.toString(), position.toString()];
  const { rowCount } = await (reactor === null
    ? db.query('update read.checkpoint set position = $1 where position = $2', values)
    : db.query('update service.reactor_checkpoint set position = $1 where position = $2 and reactor = $3', [
        ...values,
        reactor,
      ]));
  if (rowCount !== 1) throw new Error('A follower has gone on during the move. Stop every program and run it again.');
}
