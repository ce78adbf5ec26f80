import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type WorkflowClient } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { assertNever } from '../src/core/assert-never.js';
import type { Recorded } from '../src/core/events.js';
import type { EventStore } from '../src/infrastructure/event-store/port.js';
import type { Logger } from '../src/infrastructure/logger.js';
import type { Database } from '../src/infrastructure/postgres/database.js';
import type { WorkflowContract } from '../src/infrastructure/temporal/gateway.js';
import { createOutageLog } from '../src/infrastructure/outage-log.js';
import type { TemporalPlace } from '../src/infrastructure/temporal/place.js';
import { startFollower, type Follower } from '../src/infrastructure/followers.js';
import { createParking, TooManyParked } from './parking.js';
import { createProgress } from './reactor-progress.js';

/** What an event leads to where nobody waits for it. */
export type Reaction =
  | {
      readonly kind: 'start';
      readonly workflow: WorkflowContract;
      /** Made of the event's id, so that starting twice is harmless. */
      readonly workflowId: string;
      readonly input: object;
    }
  | { readonly kind: 'signal'; readonly workflowId: string; readonly signal: SignalDefinition }
  /** Tells the one that runs, or starts one; it reads the facts itself, so being told twice is harmless. */
  | {
      readonly kind: 'signal_with_start';
      readonly workflow: WorkflowContract;
      readonly workflowId: string;
      readonly input: object;
      readonly signal: SignalDefinition;
    };

type React = (event: Recorded) => readonly Reaction[] | Promise<readonly Reaction[]>;

/** Event type -> what has to be done before the checkpoint may pass the event, and what is to be started then. */
export type Reactions = Readonly<Record<string, React>>;

/** One event type may be of interest to several processes. */
export function together(...tables: readonly Reactions[]): Reactions {
  const types = new Set(tables.flatMap((table) => Object.keys(table)));
  const reactTo = (type: string): React => {
    const all = tables.flatMap((table) => table[type] ?? []);
    return async (event) => (await Promise.all(all.map(async (react) => react(event)))).flat();
  };
  return Object.fromEntries([...types].map((type) => [type, reactTo(type)]));
}

const NAME = 'workflows';
const FIRST_RETRY_MS = 200;
const MAX_RETRY_MS = 10_000;
/** Events that are reacted to side by side: what they lead to does not depend on each other. */
const AT_ONCE = 24;
/** A busy log costs a write for each of these and not for each event; what is done twice after a kill is harmless. */
const CHECKPOINT_EVERY_MS = 100;

/**
 * Follows the whole log and starts what an event leads to; the checkpoint passes an event when that is done, or the event is parked,
 * for it and for all before it. A subscription that ends begins again from there.
 */
export async function runReactor(options: {
  readonly reactions: Reactions;
  readonly eventStore: EventStore;
  /** On the connection of a worker in this process: what is started begins there, if it has a place. */
  readonly workflows: WorkflowClient;
  readonly queueOf: TemporalPlace['queueOf'];
  readonly database: Database;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { reactions, eventStore, database, logger, signal } = options;
  let retryMs = FIRST_RETRY_MS;
  const stopped = createOutageLog(logger, 'the reactor has stopped and will resume from its checkpoint');
  const onReacted = () => {
    retryMs = FIRST_RETRY_MS;
    stopped.worked();
  };
  const follower = startFollower({
    ...{ name: 'reactor', database, eventStore, logger, signal },
    readPosition: () => readCheckpoint(database),
    isOfInterest: (type) => type in reactions,
  });
  while (!signal.aborted) {
    try {
      await follow({ ...options, follower, onReacted });
    } catch (error) {
      if (error instanceof TooManyParked) follower.halted(error.event, error);
      stopped.failed(error);
    }
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }
}

async function follow(
  options: Parameters<typeof runReactor>[0] & { readonly follower: Follower; readonly onReacted: () => void },
): Promise<void> {
  const { reactions, eventStore, workflows, queueOf, database, logger, signal, follower, onReacted } = options;
  const after = await readCheckpoint(database);
  logger.info({ position: after?.toString() ?? null }, 'the reactor follows the log');
  const filter = { eventTypePrefixes: Object.keys(reactions) };
  const broken = new AbortController();
  const ended = new AbortController();
  const fail = (error: unknown): void => {
    // Who is stopped lets go of what waits for its turn; that is no fault.
    if (!signal.aborted) broken.abort(error);
  };
  const progress = createProgress({
    write: async (position) => {
      await writeCheckpoint(database, position);
      follower.passed(position);
    },
    everyMs: CHECKPOINT_EVERY_MS,
    onError: fail,
  });
  const either = AbortSignal.any([signal, broken.signal, ended.signal]);
  const parking = await createParking({
    react: async (event) => {
      const led = (await reactions[event.type]?.(event)) ?? [];
      for (const reaction of led) await react(workflows, queueOf, reaction);
    },
    checkServers: () => Promise.all([database.query('select 1'), eventStore.ping(), askForAnything(workflows)]),
    ...{ eventStore, database, logger, signal: either },
  });
  const running = new Set<Promise<void>>();
  const reactTo = async (event: Recorded): Promise<void> => {
    const done = progress.begin(event.position);
    try {
      await parking.take(event);
      done();
      onReacted();
    } catch (error) {
      fail(error);
    }
  };
  const retrying = parking.retryWhatIsAsked().catch(fail);
  try {
    for await (const message of eventStore.subscribeToAll({ after, filter, signal: either })) {
      switch (message.kind) {
        case 'event': {
          const work: Promise<void> = reactTo(message.event).finally(() => running.delete(work));
          running.add(work);
          if (running.size >= AT_ONCE) await Promise.race(running);
          break;
        }
        case 'checkpoint':
          progress.begin(message.position)();
          break;
        case 'caught_up':
          break;
      }
    }
  } finally {
    await Promise.all(running);
    ended.abort();
    await retrying;
  }
  await progress.flush();
  broken.signal.throwIfAborted();
}

const ANSWER_LIMIT_MS = 5_000;

const askForAnything = ({ connection, workflowService }: WorkflowClient): Promise<unknown> =>
  connection.withDeadline(Date.now() + ANSWER_LIMIT_MS, () => workflowService.getSystemInfo({}));

async function react(workflows: WorkflowClient, queueOf: TemporalPlace['queueOf'], reaction: Reaction): Promise<void> {
  const { workflowId } = reaction;
  try {
    switch (reaction.kind) {
      case 'signal':
        return await workflows.getHandle(workflowId).signal(reaction.signal);
      case 'start': {
        const { type } = reaction.workflow;
        const taskQueue = queueOf(reaction.workflow.taskQueue);
        const args = [reaction.input];
        const once = { workflowIdReusePolicy: 'REJECT_DUPLICATE', requestEagerStart: true } as const;
        await workflows.start(type, { workflowId, taskQueue, args, ...once });
        return;
      }
      case 'signal_with_start': {
        const { type, taskQueue } = reaction.workflow;
        await workflows.signalWithStart(type, {
          workflowId,
          taskQueue: queueOf(taskQueue),
          args: [reaction.input],
          signal: reaction.signal,
        });
        return;
      }
      default:
        assertNever(reaction);
    }
  } catch (error) {
    const isStartedAlready = reaction.kind === 'start' && error instanceof WorkflowExecutionAlreadyStartedError;
    // Nothing runs that would have to be told.
    const isOver = reaction.kind === 'signal' && error instanceof WorkflowNotFoundError;
    if (!isStartedAlready && !isOver) throw error;
  }
}

async function readCheckpoint(database: Database): Promise<bigint | null> {
  const { rows } = await database.query<{ position: string }>(
    'select position::text from service.reactor_checkpoint where reactor = $1',
    [NAME],
  );
  return rows[0] === undefined ? null : BigInt(rows[0].position);
}

async function writeCheckpoint(database: Database, position: bigint): Promise<void> {
  await database.query(
    `insert into service.reactor_checkpoint (reactor, position) values ($1, $2)
     on conflict (reactor) do update set position = greatest(reactor_checkpoint.position, excluded.position)`,
    [NAME, position.toString()],
  );
}
