import { CHECKPOINT_LOCK } from '../../../projections/checkpoint.js';
import type { EventLog } from '../../infrastructure/event-store/port.js';
import { verifyAll, type Verification } from '../../infrastructure/event-store/verify.js';
import type { Database } from '../../infrastructure/postgres/database.js';
import {
  postgresDeployment,
  programsOn,
  storeDeployment,
  type StoreDeployment,
} from '../../modules/deployment/index.js';
import { moveCheckpoints } from './checkpoints.js';
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
  // Idle for as long as the copy takes: that it was lost is found where it counts.
  connection.on('error', () => undefined);
  try {
    // The lock ends with the connection, and so with this process.
    const { rows } = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      CHECKPOINT_LOCK,
    ]);
    if (rows[0]?.taken !== true) throw new Error('Another move, or a rebuild, is running.');
    const isMoved = await isMovedAlready(move);
    if (!isMoved) await copyAndSwitch(move, () => connection.query('select 1'));
    else print(`The log is at ${destination.address} already. Nothing was done.`);
  } finally {
    connection.release(true);
  }
}

async function isMovedAlready({ source, destination, database }: Move): Promise<boolean> {
  const [postgres, here, there] = [
    await postgresDeployment(database),
    await storeDeployment(source.log),
    await storeDeployment(destination.log),
  ];
  const followed = postgres?.logPosition ?? null;
  if (here === null) throw new Error(`There is nothing to move: ${source.address} holds no log of this service.`);
  if (here.deploymentId !== postgres?.id || postgres.adoptingId !== null || followed === null) {
    throw new Error(
      `${source.address} and Postgres do not belong together, or were never started together. See "adopt".`,
    );
  }
  if (here.position === followed) return false;
  if (there?.deploymentId === postgres.id && there.position === followed) return true;
  throw new Error(
    `The log of this database is not at ${source.address}: it has moved away, or has not come there whole.`,
  );
}

async function copyAndSwitch(move: Move, demandLock: () => Promise<unknown>): Promise<void> {
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
      await demandLock();
      await checkpoints.store(database, await deploymentAt(destination));
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

async function deploymentAt({ log, address }: NamedLog): Promise<StoreDeployment> {
  const deployment = await storeDeployment(log);
  if (deployment === null) throw new Error(`${address} has lost its events.`);
  return deployment;
}

/** Throws while a program of the service is connected to this database. */
export async function demandStopped(database: Database): Promise<void> {
  const running = await programsOn(database);
  if (running.length === 0) return;
  throw new Error(`Programs of the service are running: ${running.join(', ')}. Stop all of them, then run this again.`);
}

const countsOf = ({ events, streams }: Verification): string => `${events} events in ${streams} streams`;
