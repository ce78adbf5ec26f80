import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Actor } from '../../src/core/events.js';
import type { ProductionData } from '../../src/core/production-data.js';
import type { BatchStatus } from '../../src/core/vocabulary.js';
import type { RequestMailKey } from '../../src/modules/batches/events.js';
import { TASK_QUEUE } from '../task-queues.js';

/*
 * What others may know of the life of a batch: its name, what it is given, what can be asked of it.
 */

export const BATCH_LIFECYCLE = { type: 'batchLifecycle', taskQueue: TASK_QUEUE } as const;

export const batchLifecycleId = (batchId: string): string => `batch/${batchId}`;

export interface BatchLifecycleInput {
  readonly batchId: string;
  readonly organizationId: string;
}

/** Who calls, and by what name the call is recognised when it comes again. */
export interface Call {
  readonly callId: string;
  readonly actor: Actor;
  readonly correlationId: string;
}

/** The events are in the log; `position` (null: everything was so already) is what the read models have to reach. */
export interface Done {
  readonly position: string | null;
}

export interface Published extends Done {
  readonly dppId: string;
  readonly qrUrl: string;
}

export const sendRequest = defineUpdate<Done, [Call & { readonly notes: string | null }]>('sendRequest');
export const submit = defineUpdate<Done, [Call & { readonly requestId: string; readonly data: ProductionData }]>(
  'submit',
);
export const requestChanges = defineUpdate<Done, [Call & { readonly notes: string }]>('requestChanges');
export const publish = defineUpdate<Published, [Call]>('publish');

/** The product was deleted and the batch with it. */
export const withdrawn = defineSignal('withdrawn');

export const whereItStands = defineQuery<Standing | null>('whereItStands');

/** Where a batch stands, as its stream says; null before the workflow has read it. */
export interface Standing {
  readonly status: BatchStatus | 'withdrawn';
  /** Rounds of changes asked for so far. */
  readonly rounds: number;
  /** When this round began, in milliseconds; reminders count from here. */
  readonly roundBeganAt: number | null;
  /** Requests without an answer. */
  readonly unanswered: readonly string[];
  /** Mails that somebody's call asked for and that are neither sent nor given up. */
  readonly outstanding: readonly RequestMailKey[];
  /** This round's reminders that are sent or given up. */
  readonly reminded: readonly RequestMailKey[];
}
