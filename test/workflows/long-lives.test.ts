import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, type Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { commandContext } from '../../src/core/context.js';
import { ensureTemporalCli } from '../../src/embedded/temporal/tools.js';
import { createMailer, type Mailer } from '../../src/infrastructure/mailer.js';
import { certificateIdOf } from '../../src/modules/factory-portal/events.js';
import { removeCertificate, stateCertificates } from '../../src/modules/factory-portal/handlers.js';
import {
  CERTIFICATE_EXPIRY,
  certificateChanged,
  certificateExpiryId,
} from '../../workflows/certificate-expiry/contract.js';
import { createWorker } from '../../workflows/worker.js';
import { eventually, workflowBundle } from '../support/brand-story.js';
import { dataConverter } from '../support/payloads.js';
import { startService, type TestService } from '../support/service.js';

// A real server that finds a history long after 40 lines instead of 4,096, so that a life of years fits into a test.
let environment: TestWorkflowEnvironment;
let service: TestService;
let worker: Worker;
let running: Promise<void>;
let mailer: Mailer;

beforeAll(async () => {
  const logger = pino({ level: 'silent' });
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const { path } = await ensureTemporalCli({ toolsDir: inject('toolsDir'), logger });
  environment = await TestWorkflowEnvironment.createLocal({
    client: { dataConverter },
    server: {
      executable: { type: 'existing-path', path },
      extraArgs: ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=40'],
    },
  });
  service = await startService({ environment: { TEMPORAL_ADDRESS: environment.address } });
  const { config, database, eventStore } = service;
  mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM, database, logger });
  worker = await createWorker({
    connection: environment.nativeConnection,
    namespace: 'default',
    dataConverter,
    queueOf: service.temporal.queueOf,
    bundlePath: await workflowBundle(),
    deps: {
      ...{ eventStore, database, mailer, clock: Date.now },
      ...{ linkKey: config.LINK_KEY, baseUrl: config.BASE_URL, consumerUrl: config.CONSUMER_URL },
    },
  });
  running = worker.run();
}, 120_000);

afterAll(async () => {
  worker.shutdown();
  await running;
  mailer.close();
  await service.close();
  await environment.teardown();
});

const systemContext = () =>
  commandContext({
    ...{ organizationId: null, actor: { type: 'system', id: null } as const },
    ...{ correlationId: 'test', now: Date.now() },
  });

it('a certificate that is changed again and again has short runs, one after the other, and still ends', async () => {
  const factoryId = 'fac_long';
  const validUntil = new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 10);
  const certificate = { type: 'GOTS', number: 'A-1', issuer: null, validFrom: null, validUntil };
  await stateCertificates(service, systemContext(), { factoryId, certificates: [certificate], statedAt: Date.now() });
  const certificateId = certificateIdOf(factoryId, certificate);

  const { workflow } = environment.client;
  const workflowId = certificateExpiryId(certificateId);
  const change = () =>
    workflow.signalWithStart(CERTIFICATE_EXPIRY.type, {
      ...{
        workflowId,
        taskQueue: service.temporal.queueOf(CERTIFICATE_EXPIRY.taskQueue),
        args: [{ factoryId, certificateId }],
      },
      signal: certificateChanged,
    });
  await change();
  const latest = workflow.getHandle(workflowId);
  const { runId: firstRun } = await latest.describe();

  const isInNextRun = await eventually(
    async () => {
      await change();
      return (await latest.describe()).runId !== firstRun;
    },
    (isNext) => isNext,
  );
  expect(isInNextRun).toBe(true);
  const { historyLength } = await workflow.getHandle(workflowId, firstRun).describe();
  expect(historyLength).toBeLessThan(80);

  await removeCertificate(service, systemContext(), { factoryId, certificateId });
  await change();
  await latest.result();
}, 60_000);
