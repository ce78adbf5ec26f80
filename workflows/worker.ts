import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { EventStore } from '../src/infrastructure/event-store/port.js';
import type { Mailer } from '../src/infrastructure/mailer.js';
import type { Database } from '../src/infrastructure/postgres/database.js';
import type { TemporalPlace } from '../src/infrastructure/temporal/place.js';
import { toFailure } from '../src/infrastructure/temporal/failures.js';
import { createBatchCommandActivities } from './batch-lifecycle/activities.js';
import { createBatchMailActivities } from './batch-lifecycle/mail-activities.js';
import { createCertificateExpiryActivities } from './certificate-expiry/activities.js';
import { createOneStepActivities } from './one-step/activities.js';
import { createProductFollowUpActivities } from './product-follow-up/activities.js';
import { createProductImportActivities } from './product-import/activities.js';
import { TASK_QUEUE, WEBHOOK_QUEUE } from './task-queues.js';
import {
  createWebhookDeliveryActivities,
  createWebhookRecordActivities,
  type WebhookDeliveryDependencies,
} from './webhook-delivery/activities.js';
import { createWebhookEndingActivities } from './webhook-ending/activities.js';
import { createWebhookReplayActivities } from './webhook-replay/activities.js';

export interface ActivityDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly mailer: Mailer;
  readonly linkKey: Buffer;
  /** Where the pages of factories live; links in mails begin with it. */
  readonly baseUrl: string;
  readonly consumerUrl: string;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
}

const BUILT_BUNDLE = fileURLToPath(new URL('./bundle.js', import.meta.url));

/** What a bundle is made of: `index` beside this file, compiled or not. */
export const WORKFLOWS_PATH = fileURLToPath(new URL(`./index${import.meta.url.slice(-3)}`, import.meta.url));

/** The build makes a bundle beside the compiled programs; from the sources it is made at the start, in a second or two. */
function workflowCode(bundlePath?: string): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  if (bundlePath !== undefined) return { workflowBundle: { codePath: bundlePath } };
  return existsSync(BUILT_BUNDLE) ? { workflowBundle: { codePath: BUILT_BUNDLE } } : { workflowsPath: WORKFLOWS_PATH };
}

export const createActivities = (deps: ActivityDependencies) => ({
  ...createBatchCommandActivities(deps),
  ...createBatchMailActivities(deps),
  ...createCertificateExpiryActivities(deps),
  ...createOneStepActivities(deps),
  ...createProductFollowUpActivities(deps),
  ...createProductImportActivities(deps),
});

/** What is in flight is let go of then. Supervisor and containers allow 10 s for the whole stop. */
export const STOP_GRACE_MS = 5_000;
const STOP_LIMIT_MS = 8_000;

interface WorkerPlace {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly dataConverter: DataConverter;
  readonly queueOf: TemporalPlace['queueOf'];
  /** A bundle made before. */
  readonly bundlePath?: string | undefined;
}

const common = ({ connection, namespace, dataConverter, bundlePath }: WorkerPlace) =>
  ({
    ...workflowCode(bundlePath),
    ...{ connection, namespace, dataConverter },
    interceptors: {
      activity: [
        () => ({
          inbound: {
            // A refusal is an answer and not a fault: it ends the activity at once and keeps its code.
            execute: async (input, next) => {
              try {
                return await next(input);
              } catch (error) {
                throw toFailure(error);
              }
            },
          },
        }),
      ],
    },
    shutdownGraceTime: STOP_GRACE_MS,
    shutdownForceTime: STOP_LIMIT_MS,
  }) satisfies Partial<WorkerOptions>;

export const createWorker = (place: WorkerPlace & { readonly deps: ActivityDependencies }): Promise<Worker> =>
  Worker.create({
    ...common(place),
    taskQueue: place.queueOf(TASK_QUEUE),
    activities: createActivities(place.deps),
    // Two cores: mails wait for a server and not for us, but each holds a database connection while it does.
    maxConcurrentActivityTaskExecutions: 6,
    maxConcurrentLocalActivityExecutions: 16,
    maxConcurrentWorkflowTaskExecutions: 16,
    // A lifecycle is idle nearly always; one that is not in the cache is replayed from a short history.
    maxCachedWorkflows: 400,
  });

/**
 * Attempts in flight, first ones and later ones each, and those whose moment comes within 2.4 s. Each is a socket and a little
 * memory.
 */
export const WEBHOOK_PLACES = 256;

/** Sends webhooks. It stands beside the other one so that neither a burst of deliveries nor a slow receiver delays a call. */
export const createWebhookWorker = (
  place: WorkerPlace & { readonly deps: WebhookDeliveryDependencies },
): Promise<Worker> =>
  Worker.create({
    ...common(place),
    taskQueue: place.queueOf(WEBHOOK_QUEUE),
    activities: {
      ...createWebhookDeliveryActivities(place.deps),
      ...createWebhookRecordActivities(place.deps),
      ...createWebhookEndingActivities(place.deps),
      ...createWebhookReplayActivities(place.deps),
    },
    maxConcurrentActivityTaskExecutions: WEBHOOK_PLACES,
    // First attempts are made within a workflow's task; the rest only begin or end.
    maxConcurrentLocalActivityExecutions: WEBHOOK_PLACES + 32,
    maxConcurrentWorkflowTaskExecutions: WEBHOOK_PLACES + 32,
    // What was due while a worker was dead waits no longer than this for that very worker.
    stickyQueueScheduleToStartTimeout: '2 seconds',
    // A delivery that waits is replayed from a short history when it is not among these.
    maxCachedWorkflows: 400,
  });
