import type { RawEvent } from '../../infrastructure/event-store/port.js';
import { storeHome, type LogHome } from '../../infrastructure/log-home.js';
import { inTransaction, type Database, type Queryable } from '../../infrastructure/postgres/database.js';

/** How far a follower of the log has come. */
interface Checkpoint {
  /** Null for the projector's. */
  readonly reactor: string | null;
  readonly position: bigint;
}

/** Where followers go on in the destination, found while both logs are walked side by side. */
export interface MovedCheckpoints {
  readonly seen: (here: RawEvent, there: RawEvent) => void;
  /** Puts them, and the log's new home, into the database at once: before it the old store is the one in use, after it the new one. */
  readonly store: (database: Database, home: LogHome, address: string) => Promise<void>;
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
    store: (database, home, address) =>
      inTransaction(database, async (connection) => {
        for (const { from, to } of moving) await replace(connection, from, to);
        await storeHome(connection, home, address);
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

/** As they call themselves to Postgres; the API and the followers keep a connection at all times. */
const PROGRAMS = ['api', 'api-idempotency', 'projection-wait', 'projector', 'worker'];

/** Throws while a program of the service is connected to this database. */
export async function demandStopped(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ name: string; address: string | null }>(
    `select distinct application_name as name, host(client_addr) as address from pg_stat_activity
      where datname = current_database() and application_name = any ($1) order by 1, 2`,
    [PROGRAMS],
  );
  if (rows.length === 0) return;
  const found = rows.map(({ name, address }) => (address === null ? name : `${name} (from ${address})`)).join(', ');
  throw new Error(`Programs of the service are running: ${found}. Stop all of them, then run this again.`);
}
