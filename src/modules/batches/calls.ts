import { createHmac, randomUUID } from 'node:crypto';
import type { UpdateDefinition } from '@temporalio/common';
import {
  BATCH_LIFECYCLE,
  batchLifecycleId,
  requestChanges,
  sendRequest,
  submit,
  type Call,
  type Done,
} from '../../../workflows/batch-lifecycle/contract.js';
import { organizationOf, type CommandContext } from '../../core/context.js';
import type { ProductionData } from '../../core/production-data.js';
import type { Config } from '../../infrastructure/config.js';
import { deriveKey } from '../../infrastructure/encryption.js';
import type { WorkflowGateway } from '../../infrastructure/temporal/gateway.js';
import { refuseUnlessAllowed, refuseUnlessAnswerable } from './decider.js';
import { loadAnyBatch, loadBatch, type BatchDependencies } from './handlers.js';
import type { Batch } from './state.js';

/*
 * The calls that somebody waits for and that more follows from: they go to the batch's workflow, which carries them out and
 * keeps the promises. What the state forbids is refused before a workflow is bothered; the decider has the last word.
 */

export interface CallDependencies extends Pick<BatchDependencies, 'eventStore'> {
  readonly workflows: WorkflowGateway;
  readonly config: Pick<Config, 'ENCRYPTION_KEY'>;
}

/** `key`: the caller's Idempotency-Key, by which the same call is recognised when it comes again. */
interface BatchCallOf {
  readonly batchId: string;
  readonly key: string | null;
}

export async function callSendRequest(
  deps: CallDependencies,
  context: CommandContext,
  { batchId, key, notes }: BatchCallOf & { readonly notes: string | null },
): Promise<void> {
  const { state: batch } = await loadBatch(deps, organizationOf(context), batchId);
  // Two calls at once that say the same are one call; the next one is a reminder.
  const callId = callIdOf(deps, 'send-request', key ?? `${batch.sends}`, notes);
  if (batch.calls.includes(callId)) return;
  refuseUnlessAllowed(batch, 'send-request');
  await callLifecycle(deps, context, batch, callId, sendRequest, { notes });
}

export async function callRequestChanges(
  deps: CallDependencies,
  context: CommandContext,
  { batchId, key, notes }: BatchCallOf & { readonly notes: string },
): Promise<void> {
  const { state: batch } = await loadBatch(deps, organizationOf(context), batchId);
  const callId = callIdOf(deps, 'request-changes', key ?? `${batch.rounds}`, notes);
  if (batch.calls.includes(callId)) return;
  refuseUnlessAllowed(batch, 'request-changes');
  await callLifecycle(deps, context, batch, callId, requestChanges, { notes });
}

export async function callSubmit(
  deps: CallDependencies,
  context: CommandContext,
  order: BatchCallOf & { readonly requestId: string; readonly data: ProductionData },
): Promise<void> {
  const { batchId, key, requestId, data } = order;
  const { state: batch } = await loadAnyBatch(deps, batchId);
  // Without a key every submission is a call of its own: the second of the factory is refused, whatever it says.
  const callId = callIdOf(deps, 'submit', key ?? randomUUID(), { requestId, data });
  if (batch.calls.includes(callId)) return;
  refuseUnlessAnswerable(batch, requestId);
  await callLifecycle(deps, context, batch, callId, submit, { requestId, data });
}

/** Has the batch's workflow carry out a call; `callId` recognises it when it comes again. */
export async function callLifecycle<Argument extends object, Result extends Done>(
  { workflows }: CallDependencies,
  context: CommandContext,
  { batchId, organizationId }: Batch,
  callId: string,
  update: UpdateDefinition<Result, [Call & Argument]>,
  argument: Argument,
): Promise<Result> {
  const { actor, correlationId } = context;
  const done = await workflows.update({
    workflow: BATCH_LIFECYCLE,
    workflowId: batchLifecycleId(batchId),
    input: { batchId, organizationId },
    update,
    argument: { ...argument, callId, actor, correlationId },
    // A refusal is remembered under its update's id, so each try has one of its own; the events know the call by its callId.
    updateId: randomUUID(),
  });
  if (done.position !== null) context.wrote(BigInt(done.position));
  return done;
}

/** It stands in events for good, so nobody without the key may try out what the notes of a call were. */
const callIdOf = ({ config }: CallDependencies, call: string, key: string, content: unknown): string =>
  `${call}/${createHmac('sha256', deriveKey(config.ENCRYPTION_KEY, 'ids of calls'))
    .update(JSON.stringify([key, content]))
    .digest('base64url')}`;
