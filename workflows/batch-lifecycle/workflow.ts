import {
  allHandlersFinished,
  ActivityFailure,
  ApplicationFailure,
  condition,
  continueAsNew,
  log,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { RequestMailKey } from '../../src/modules/batches/events.js';
import type { BatchCommandActivities, BatchMailActivities, CommandResult, MailResult } from './activities.js';
import {
  publish,
  requestChanges,
  sendRequest,
  submit,
  whereItStands,
  withdrawn,
  type BatchLifecycleInput,
  type Standing,
} from './contract.js';
import { isBrandToBeTold, isOpen, mailName, mailsDue, untilNextReminderMs } from './reminders.js';

/** Somebody waits for these: a fault is tried again for as long as a caller may still be there. */
const commands = proxyLocalActivities<BatchCommandActivities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '30 seconds',
  retry: { initialInterval: '100 milliseconds', maximumInterval: '2 seconds' },
});

/** Nobody waits for these, and the story cannot go on without them: they are tried until they work. */
const records = proxyLocalActivities<BatchCommandActivities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '1 minute' },
});

const post = proxyActivities<BatchMailActivities>({
  // One SMTP exchange has limits of its own below this; the heartbeat shows sooner that a worker was killed. A worker that
  // only seemed dead does no harm: the mail's row keeps two senders apart.
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 seconds',
  // A mail server that is down for a weekend delays a mail; it does not lose it.
  scheduleToCloseTimeout: '7 days',
  retry: { initialInterval: '1 second', maximumInterval: '10 minutes', nonRetryableErrorTypes: ['MailRefused'] },
});

/** A mail that is refused for good is tried again after each of these: some servers take back what they said. */
const PAUSES_AFTER_REFUSAL = ['2 seconds', '8 seconds'] as const;

/**
 * The life of one batch. The facts are in the batch's stream; this keeps the promises that come with them: every mail goes
 * out, the silent are reminded, the brand is told. It can begin anywhere in that life, with nothing but the batch's id.
 */
export async function batchLifecycle({ batchId, organizationId }: BatchLifecycleInput): Promise<void> {
  const ref = { batchId, organizationId };
  const began: Set<string> = new Set();
  const finished: MailResult[] = [];
  let underway = 0;
  let batch: Standing | null = null;
  let news = false;

  // One thing at a time: what is published is what was scored, and no append meets another.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  };

  const carryOut = <Result extends CommandResult>(command: (now: number) => Promise<Result>) =>
    inTurn(async () => {
      try {
        const { standing, ...done } = await command(Date.now());
        batch = standing;
        return done;
      } catch (error) {
        batch = await records.readBatch(ref);
        throw error;
      } finally {
        news = true;
      }
    });

  setHandler(sendRequest, (call) => carryOut((now) => commands.sendBatchRequest({ ...ref, ...call, now })));
  setHandler(submit, (call) => carryOut((now) => commands.submitBatchData({ ...ref, ...call, now })));
  setHandler(requestChanges, (call) => carryOut((now) => commands.requestBatchChanges({ ...ref, ...call, now })));
  setHandler(publish, (call) => carryOut((now) => commands.publishBatch({ ...ref, ...call, now })));
  setHandler(withdrawn, () => {
    if (batch !== null) batch = { ...batch, status: 'withdrawn' };
    news = true;
  });
  setHandler(whereItStands, () => batch);

  // A call that started the workflow has its turn first, and brings the answer along.
  let standing: Standing = await inTurn(async () => (batch ??= await records.readBatch(ref)));

  while (isOpen(standing)) {
    news = false;
    for (const mail of mailsDue(standing, Date.now())) send(mail);
    if (isBrandToBeTold(standing, Date.now())) tellBrand(standing.rounds);

    const untilReminderMs = untilNextReminderMs(standing, Date.now());
    const somethingNew = () => news || finished.length > 0;
    if (untilReminderMs === null) await condition(somethingNew);
    else await condition(somethingNew, untilReminderMs);

    standing = await recordFinished();
    if (workflowInfo().continueAsNewSuggested && underway === 0) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof batchLifecycle>(ref);
    }
  }

  // Mails that are on their way when the passport is out are written down; what a withdrawn batch still had to say is not said.
  if (standing.status === 'published') await condition(() => underway === 0, '1 minute');
  await recordFinished();
  await condition(allHandlersFinished);

  async function recordFinished(): Promise<Standing> {
    return inTurn(async () => {
      const outcomes = finished.splice(0);
      if (outcomes.length > 0) batch = await records.recordBatchMails({ ...ref, outcomes, now: Date.now() });
      return (batch ??= await records.readBatch(ref));
    });
  }

  /** Each mail is an activity of its own, side by side with the others, and fails alone. */
  function send(mail: RequestMailKey): void {
    if (began.has(mailName(mail))) return;
    began.add(mailName(mail));
    underway += 1;
    void deliver(() => post.mailRequest({ ...ref, ...mail })).then((outcome) => {
      underway -= 1;
      if (outcome.outcome !== 'not_needed') finished.push({ ...mail, ...outcome });
    });
  }

  function tellBrand(round: number): void {
    if (began.has(`brand/${round}`)) return;
    began.add(`brand/${round}`);
    underway += 1;
    void deliver(() => post.mailBrand({ ...ref, round })).then((outcome) => {
      underway -= 1;
      if (outcome.outcome === 'failed') log.warn('the brand could not be told', { reason: outcome.reason });
    });
  }
}

type Delivery = { outcome: 'sent'; sentAt: number } | { outcome: 'not_needed' } | { outcome: 'failed'; reason: string };

/** Ends well or badly, never with an error: a bad address is an outcome. */
async function deliver(mail: () => Promise<Exclude<Delivery, { outcome: 'failed' }>>): Promise<Delivery> {
  for (const pause of [...PAUSES_AFTER_REFUSAL, null]) {
    try {
      return await mail();
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === null) return { outcome: 'failed', reason: 'the mail server did not take it within 7 days' };
      if (pause === null) return { outcome: 'failed', reason: refusal };
      await sleep(pause);
    }
  }
  throw new Error('the last refusal ends the loop');
}

const refusalIn = (error: unknown): string | null =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === 'MailRefused'
    ? error.cause.message
    : null;
