import { createHash, randomBytes } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { inject } from 'vitest';
import { FAILURE_CONVERTER_PATH } from '../../src/infrastructure/temporal/place.js';
import { WORKFLOWS_PATH } from '../../workflows/worker.js';
import { startProgram, waitFor, type RunningProgram } from './program.js';
import { startService, type Brand, type TestService } from './service.js';

/** A namespace of the file's own on the run's Temporal server: its worker sees no other file's work. */
export async function createNamespace(address = inject('temporalAddress')): Promise<string> {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const connection = await Connection.connect({ address });
  const day = { seconds: 86_400 } as unknown as { seconds: never };
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
  // The server's parts learn of it one by one.
  for (let attempt = 0; ; attempt++) {
    try {
      await connection.workflowService.getWorkflowExecutionHistory({
        namespace,
        execution: { workflowId: 'nobody' },
      });
    } catch (error) {
      if (/workflow not found|not found for ID|execution not found/i.test(String(error))) break;
      if (attempt > 200) throw error;
      await sleep(50);
    }
  }
  await connection.close();
  return namespace;
}

const PROJECT = join(import.meta.dirname, '..', '..');

/** The workflows as one file, made once for all test files and kept until a source changes. */
export async function workflowBundle(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of globSync('{workflows,src/core,src/modules/*,src/infrastructure/temporal}/**/*.ts', {
    cwd: PROJECT,
  }).sort()) {
    hash.update(file).update(await readFile(join(PROJECT, file)));
  }
  const folder = join(PROJECT, 'node_modules', '.cache');
  const path = join(folder, `workflows-${hash.digest('hex').slice(0, 16)}.js`);
  if (existsSync(path)) return path;
  const { code } = await bundleWorkflowCode({
    workflowsPath: WORKFLOWS_PATH,
    failureConverterPath: FAILURE_CONVERTER_PATH,
    logger: new DefaultLogger('ERROR'),
  });
  await mkdir(folder, { recursive: true });
  const own = `${path}.${process.pid}`;
  await writeFile(own, code);
  await rename(own, path);
  return path;
}

/** The API in this process and a worker as a process of its own. */
export interface ServiceWithWorker extends TestService {
  readonly worker: () => RunningProgram;
  readonly startWorker: () => Promise<void>;
}

export async function startServiceWithWorker(
  environment: Record<string, string> = {},
  options: { readonly callLimitMs?: number } = {},
): Promise<ServiceWithWorker> {
  const address = environment['TEMPORAL_ADDRESS'] ?? inject('temporalAddress');
  const service = await startService({
    ...options,
    environment: {
      TEMPORAL_NAMESPACE: environment['TEMPORAL_NAMESPACE'] ?? (await createNamespace(address)),
      WORKFLOW_BUNDLE: await workflowBundle(),
      ...environment,
    },
  });
  let worker: RunningProgram | null = null;
  const startWorker = async (): Promise<void> => {
    const program = startProgram({ file: 'workflows/main.ts', env: service.environment });
    worker = program;
    await waitFor(program, () => program.output().includes('"msg":"ready"'), 90_000);
  };
  await startWorker();
  return {
    ...service,
    startWorker,
    worker: () => {
      if (worker === null) throw new Error('the worker has not been started');
      return worker;
    },
    close: async () => {
      await worker?.stop();
      await service.close();
    },
  };
}

export const address = (name: string): string => `${name}-${randomBytes(6).toString('hex')}@factories.example`;

export interface Invited {
  readonly id: string;
  readonly email: string;
}

export async function invite(brand: Brand, name = 'knitters', tier = 1): Promise<Invited> {
  const email = address(name);
  const payload = { factoryName: name, contactEmail: email, country: 'PT', tier };
  const { status, json, body } = await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload });
  if (status !== 201) throw new Error(`inviting answered ${status}: ${body}`);
  return { id: (json as { id: string }).id, email };
}

/** A product whose cotton comes from `suppliers`. */
export async function product(brand: Brand, suppliers: readonly Invited[] = [], name = 'Organic tee'): Promise<string> {
  const materials = [
    { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR', supplierIds: suppliers.map(({ id }) => id) },
    { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
  ];
  const payload = { name, subcategory: 'tshirts', weightKg: 0.18, materials };
  const { status, json, body } = await brand.call({ method: 'POST', url: '/brand/products', payload });
  if (status !== 201) throw new Error(`creating a product answered ${status}: ${body}`);
  return (json as { id: string }).id;
}

export async function batch(brand: Brand, productId: string, factory: Invited): Promise<string> {
  const payload = { productId, factoryId: factory.id, poReference: 'PO-7', quantity: 500, unit: 'piece' };
  const { status, json, body } = await brand.call({ method: 'POST', url: '/brand/batches', payload });
  if (status !== 201) throw new Error(`creating a batch answered ${status}: ${body}`);
  return (json as { id: string }).id;
}

export interface Message {
  readonly id: string;
  readonly messageId: string | null;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly links: readonly string[];
}

export async function messagesTo(email: string): Promise<readonly Message[]> {
  const answer = await fetch(`${inject('mailUrl')}/messages?to=${encodeURIComponent(email)}`);
  return (await answer.json()) as Message[];
}

export async function eventually<T>(
  look: () => Promise<T>,
  isThere: (value: T) => boolean,
  limitMs = 20_000,
  intervalMs = 50,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await look();
    if (isThere(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value).slice(0, 2_000)}`);
    await sleep(intervalMs);
  }
}

/** The mails of this kind that the factory got, once there is one. Invitations are not among them. */
export const requestMailsTo = (email: string, subject = /./): Promise<readonly Message[]> =>
  eventually(
    async () =>
      (await messagesTo(email)).filter(
        (mail) => subject.test(mail.subject) && mail.links.some((link) => link.includes('/f/')),
      ),
    (mails) => mails.length > 0,
  );

export const tokenIn = (mail: Message | undefined): string => {
  const link = mail?.links.find((candidate) => candidate.includes('/f/'));
  if (link === undefined) throw new Error('the mail holds no link to a form');
  return link.split('/f/')[1] ?? '';
};

/** What example A of the reference data submits. */
export const EXAMPLE_A = {
  countries: { spinning: 'TR', fabric: 'PT', dyeing: 'PT', making: 'PT' },
  fabricProcess: 'knitting_circular',
  yarnNm: 40,
  cuttingLossPct: 12,
  makingElectricityKwh: 175,
  dyeing: { electricityKwhPerKg: 1.1, heatMjPerKg: 28, fuel: 'natural_gas' },
};
