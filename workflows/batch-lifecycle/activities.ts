import { commandContext, type CommandContext } from '../../src/core/context.js';
import type { Actor } from '../../src/core/events.js';
import { deterministicUuid } from '../../src/core/ids.js';
import type { Database } from '../../src/infrastructure/postgres/database.js';
import type { ProductionData } from '../../src/core/production-data.js';
import {
  type Batch,
  type BatchDependencies,
  type MailOutcome,
  outstandingMails,
  recordMails,
  requestChanges,
  sendRequest,
  submitData,
} from '../../src/modules/batches/index.js';
import { finishPublication, publishBatch, type PublishingDependencies } from '../../src/modules/publishing/index.js';
import type { BatchLifecycleInput, Call, Done, Published, Standing } from './contract.js';
import { REMINDERS } from './reminders.js';

export type { BatchMailActivities } from './mail-activities.js';

/** A mail that is done, as the workflow collects them. */
export type MailResult = MailOutcome;

/** Where the batch stands after the command: the workflow goes on from there. */
export interface CommandResult extends Done {
  readonly standing: Standing;
}

/** The workflow's time of the command: the same when the command is tried again, so the same bytes are appended. */
type At = BatchLifecycleInput & { readonly now: number };

export type BatchCommandActivities = ReturnType<typeof createBatchCommandActivities>;

/** The commands of a batch as local activities: short, and each may be carried out twice without harm. */
export const createBatchCommandActivities = (
  deps: BatchDependencies & PublishingDependencies & { readonly database: Database },
) => ({
  async readBatch(ref: BatchLifecycleInput): Promise<Standing> {
    return standingOf(await withPublicationFinished(deps, ref));
  },

  async sendBatchRequest(order: At & Call & { readonly notes: string | null }): Promise<CommandResult> {
    const context = contextOf(order, order);
    return result(context, (await sendRequest(deps, context, order)).state);
  },

  async submitBatchData(
    order: At & Call & { readonly requestId: string; readonly data: ProductionData },
  ): Promise<CommandResult> {
    const context = contextOf(order, order);
    return result(context, (await submitData(deps, context, order)).state);
  },

  async requestBatchChanges(order: At & Call & { readonly notes: string }): Promise<CommandResult> {
    const context = contextOf(order, order);
    await withPublicationFinished(deps, order);
    return result(context, (await requestChanges(deps, context, order)).state);
  },

  async publishBatch(order: At & Call): Promise<CommandResult & Published> {
    const context = contextOf(order, order);
    const { batch, dppId, qrUrl } = await publishBatch(deps, context, order.batchId);
    return { ...result(context, batch), dppId, qrUrl };
  },

  async recordBatchMails(order: At & { readonly outcomes: readonly MailOutcome[] }): Promise<Standing> {
    const context = contextOf(order, SYSTEM);
    return standingOf((await recordMails(deps, context, order)).state);
  },
});

const withPublicationFinished = (
  deps: Pick<PublishingDependencies, 'eventStore'>,
  ref: BatchLifecycleInput,
): Promise<Batch> =>
  finishPublication(deps, ref.batchId, (now) => contextOf({ ...ref, now }, { ...SYSTEM, callId: 'publication' }));

const SYSTEM = {
  callId: 'mails',
  actor: { type: 'system', id: null } satisfies Actor,
  correlationId: 'batch-lifecycle',
};

const contextOf = ({ batchId, organizationId, now }: At, { callId, actor, correlationId }: Call): CommandContext =>
  commandContext({ organizationId, actor, correlationId, now, seed: deterministicUuid(batchId, callId) });

const result = (context: CommandContext, batch: Batch): CommandResult => ({
  position: context.position()?.toString() ?? null,
  standing: standingOf(batch),
});

const REMINDER_MAILS: ReadonlySet<string> = new Set(REMINDERS.map(({ mail }) => mail));

export const standingOf = (batch: Batch): Standing => ({
  status: batch.status,
  rounds: batch.rounds,
  roundBeganAt: batch.roundBeganAt,
  unanswered: batch.requests.filter(({ answered }) => !answered).map(({ id }) => id),
  outstanding: outstandingMails(batch),
  reminded: batch.requests.flatMap(({ id: requestId, mails }) =>
    mails
      .filter(({ mail, round }) => REMINDER_MAILS.has(mail) && round === batch.rounds)
      .map(({ mail, round }) => ({ requestId, mail, round })),
  ),
});
