import { commandContext, type CommandContext } from '../../src/core/context.js';
import type { Actor } from '../../src/core/events.js';
import { deterministicUuid } from '../../src/core/ids.js';
import type { Database } from '../../src/infrastructure/postgres/database.js';
import type { ProductionData } from '../../src/core/production-data.js';
import type { MailOutcome } from '../../src/modules/batches/decider.js';
import {
  loadAnyBatch,
  passportOfPublishable,
  recordMails,
  recordPublished,
  requestChanges,
  sendRequest,
  submitData,
  type BatchDependencies,
} from '../../src/modules/batches/handlers.js';
import { outstandingMails, type Batch } from '../../src/modules/batches/state.js';
import { passportOfBatch, publishPassport, type PassportDependencies } from '../../src/modules/passports/handlers.js';
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
  deps: BatchDependencies & PassportDependencies & { readonly database: Database },
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

  /** The passport first, then the batch: a batch that says it is published has its passport. */
  async publishBatch(order: At & Call): Promise<CommandResult & Published> {
    const { batchId } = order;
    const context = contextOf(order, order);
    const known = await passportOfPublishable(deps, batchId);
    if (known !== null) {
      const { state } = await loadAnyBatch(deps, batchId);
      return { ...result(context, state), dppId: known.dppId, qrUrl: known.qrUrl };
    }
    const { productId } = (await loadAnyBatch(deps, batchId)).state;
    const passport = await publishPassport(deps, context, { batchId, productId });
    const { state } = await recordPublished(deps, context, batchId, passport);
    return { ...result(context, state), dppId: passport.dppId, qrUrl: passport.qrUrl };
  },

  async recordBatchMails(order: At & { readonly outcomes: readonly MailOutcome[] }): Promise<Standing> {
    const context = contextOf(order, SYSTEM);
    return standingOf((await recordMails(deps, context, order)).state);
  },
});

/**
 * The batch as it stands. A passport that is out while its batch does not say so is that of a publication that was cut off in
 * between: the batch says it before anything else is done with it, as nobody may send back what the public sees.
 */
async function withPublicationFinished(
  deps: BatchDependencies & PassportDependencies,
  ref: BatchLifecycleInput,
): Promise<Batch> {
  const { state: batch } = await loadAnyBatch(deps, ref.batchId);
  if (batch.status !== 'submitted') return batch;
  const passport = await passportOfBatch(deps, ref.batchId);
  if (passport === null) return batch;
  // At the passport's time: the same bytes, whoever finishes it, and however often.
  const context = contextOf({ ...ref, now: passport.publishedAt }, { ...SYSTEM, callId: 'publication' });
  return (await recordPublished(deps, context, ref.batchId, passport)).state;
}

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
