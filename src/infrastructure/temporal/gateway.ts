import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  Connection,
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  type WorkflowClient,
} from '@temporalio/client';
import type { UpdateDefinition, Workflow } from '@temporalio/common';
import type { Logger } from '../logger.js';
import { createOutageLog } from '../outage-log.js';
import { connectionFailure } from './connection-failure.js';
import { fromFailure } from './failures.js';
import type { TemporalPlace } from './place.js';

/** What a caller needs to know of a workflow; each `workflows/<process>/contract.ts` exports its own. */
export interface WorkflowContract {
  readonly type: string;
  /** Its name; `TemporalPlace.queueOf` says which one of that name is this log's. */
  readonly taskQueue: string;
}

/** The way from a call that waits for its answer into a workflow. */
export interface WorkflowGateway {
  /**
   * Sends the update, starting the workflow if it does not run, and answers its result. The same `updateId` attaches to an
   * update that is under way. Throws the `Refusal` that the update ended with, or `WorkflowUnavailable`.
   */
  update<Input, Argument, Result>(call: {
    readonly workflow: WorkflowContract;
    readonly workflowId: string;
    readonly input: Input;
    readonly update: UpdateDefinition<Result, [Argument]>;
    readonly argument: Argument;
    readonly updateId: string;
  }): Promise<Result>;
  /** Resolves when the server answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing answered in time: the update may run later, or may never have arrived. Sent again, it is not done twice. */
export class WorkflowUnavailable extends Error {
  override readonly name = 'WorkflowUnavailable';
}

/** As long as a caller is kept waiting. */
const CALL_LIMIT_MS = 5_000;
/** To find out why nothing answers; a server that is there takes a few milliseconds. */
const PROBE_LIMIT_MS = 500;

/** Connects at the first call, so that the API starts without the workflow server. */
export function connectWorkflows(options: {
  place: TemporalPlace;
  logger: Logger;
  callLimitMs?: number;
}): WorkflowGateway {
  const { namespace, dataConverter, queueOf } = options.place;
  const callLimitMs = options.callLimitMs ?? CALL_LIMIT_MS;
  const connection = Connection.lazy({ ...options.place.connection, connectTimeout: callLimitMs });
  const client = new Client({ connection, namespace, dataConverter });
  const unanswered = createOutageLog(options.logger, 'a call of a workflow was not answered');
  let hasAnswered = false;

  const unavailable = (cause: unknown) =>
    new WorkflowUnavailable('The workflow server did not answer in time.', { cause });
  const whyNot = () => connectionFailure(options.place.connection, PROBE_LIMIT_MS);

  return {
    async update(call) {
      try {
        return await within(callLimitMs, (signal) =>
          connection.withAbortSignal(signal, () =>
            connection.withDeadline(Date.now() + callLimitMs, () =>
              send(client.workflow, queueOf(call.workflow.taskQueue), call),
            ),
          ),
        );
      } catch (error) {
        if (error instanceof WorkflowUpdateFailedError) throw fromFailure(error);
        const failure = unavailable((await whyNot()) ?? error);
        unanswered.failed(failure, { workflowId: call.workflowId });
        throw failure;
      }
    },
    async ping() {
      const failure = hasAnswered ? null : await whyNot();
      if (failure !== null) throw unavailable(failure);
      hasAnswered = false;
      await within(callLimitMs, () =>
        connection.withDeadline(Date.now() + callLimitMs, () => connection.workflowService.getSystemInfo({})),
      );
      hasAnswered = true;
    },
    close: () => connection.close(),
  };
}

function send<Input, Argument, Result>(
  workflows: WorkflowClient,
  taskQueue: string,
  call: Parameters<WorkflowGateway['update']>[0] & { update: UpdateDefinition<Result, [Argument]> } & {
    input: Input;
    argument: Argument;
  },
): Promise<Result> {
  const start = new WithStartWorkflowOperation<Workflow>(call.workflow.type, {
    workflowId: call.workflowId,
    taskQueue,
    args: [call.input],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
  return workflows.executeUpdateWithStart(call.update, {
    args: [call.argument],
    updateId: call.updateId,
    startWorkflowOperation: start,
  });
}

/** The client's own limits let a server that accepts and says nothing pass; this one does not. */
async function within<Result>(limitMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const abort = new AbortController();
  const timer = new AbortController();
  const late = sleep(limitMs + 250, undefined, { signal: timer.signal, ref: false }).then(() => {
    abort.abort();
    throw new Error(`no answer within ${limitMs} ms`);
  });
  try {
    return await Promise.race([work(abort.signal), late]);
  } finally {
    timer.abort();
  }
}
