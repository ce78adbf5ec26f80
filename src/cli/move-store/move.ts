import { CHECKPOINT_LOCK } from '../../../projections/checkpoint.js';
import type { EventLog } from '../../infrastructure/event-store/port.js';
import { verifyAll, type Verification } from '../../infrastructure/event-store/verify.js';
import { homeOf, isSameHome, storedHome, storeHome, type LogHome } from '../../infrastructure/log-home.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import { demandStopped, moveCheckpoints } from './checkpoints.js';
import { compareLogs, copyLog, goesOn } from './logs.js';
import { createProgress } from './progress.js';

/** A store, and how it is called before people: without its password. */
export interface NamedLog {
  readonly log: EventLog;
  readonly address: string;
}

export interface Move {
  readonly source: NamedLog;
  readonly destination: NamedLog;
  readonly database: Database;
  readonly print: (line: string) => void;
}

/**
 * Copies the log to another store and has the followers go on there from the events at which they stand. What makes the new store the
 * one in use is one transaction at the end; until then nothing has happened to the old one, and whatever was copied is found again.
 */
export async function moveLog(move: Move): Promise<void> {
  const { database, print, destination } = move;
  await demandStopped(database);
  const connection = await database.connect();
  try {
    // It ends with the connection, and so with this process.
    const { rows } = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      CHECKPOINT_LOCK,
    ]);
    if (rows[0]?.taken !== true) throw new Error('Another move, or a rebuild, is running.');
    const isMoved = await isMovedAlready(move);
    if (!isMoved) await copyAndSwitch(move);
    else print(`The log is at ${destination.address} already. Nothing was done.`);
  } finally {
    connection.release(true);
  }
}

/** Notes first whose positions the checkpoints are: from then on a half-made copy is not taken for the log. */
async function isMovedAlready({ source, destination, database }: Move): Promise<boolean> {
  const [home, here, there] = [await storedHome(database), await homeOf(source.log), await homeOf(destination.log)];
  if (home !== null && !isSameHome(home, here)) {
    if (isSameHome(home, there)) return true;
    throw new Error(`The log of this database is at ${home.address}, which is not ${source.address}.`);
  }
  if (here === null) throw new Error(`There is nothing to move: ${source.address} holds no events of this service.`);
  await storeHome(database, here, source.address);
  return false;
}

async function copyAndSwitch(move: Move): Promise<void> {
  const { source, destination, database, print } = move;
  print(`Checking the history of ${source.address}.`);
  const history = await verified(source);
  print(`Unbroken: ${countsOf(history)}. Copying to ${destination.address}.`);
  for (;;) {
    const checkpoints = await moveCheckpoints(database);
    const comparing = createProgress({ doing: 'compared', total: history.events, print });
    const common = await compareLogs(source.log, destination.log, (here, there) => {
      checkpoints.seen(here, there);
      comparing.done(1);
    });
    if (common.isWhole) {
      const copy = await verified(destination);
      await demandStopped(database);
      if (await goesOn(source.log, common.upTo)) continue;
      await checkpoints.store(database, await demandHome(destination), destination.address);
      print(`Moved: ${countsOf(copy)}, the same bytes in the same order at both. The copy's history is unbroken.`);
      return;
    }
    if (common.events > 0) print(`${common.events} events are there already.`);
    const copying = createProgress({ doing: 'copied', total: history.events - common.events, print });
    await copyLog(source.log, destination.log, { after: common.upTo, onCopied: (events) => copying.done(events) });
    copying.end();
    await demandStopped(database);
  }
}

async function verified({ log, address }: NamedLog): Promise<Verification> {
  const verification = await verifyAll(log);
  const [first] = verification.problems;
  if (first === undefined) return verification;
  const { stream, revision, reason } = first;
  throw new Error(
    `The history of ${address} is broken: revision ${revision ?? '?'} of ${stream}: ${reason}. See "verify". Nothing was switched.`,
  );
}

async function demandHome({ log, address }: NamedLog): Promise<LogHome> {
  const home = await homeOf(log);
  if (home === null) throw new Error(`${address} has lost its events.`);
  return home;
}

const countsOf = ({ events, streams }: Verification): string => `${events} events in ${streams} streams`;
