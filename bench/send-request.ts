import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { Pool } from 'undici';
import { answered, noOp } from './no-op-workflow.js';
import type { BenchEnvironment } from './main.js';
import type { BenchRow } from './row.js';

const CALLS = 120;
const IN_FLIGHT = 8;
const NO_OP_QUEUE = 'bench-no-op';

/**
 * `POST /brand/batches/{id}/send-request` against an update-with-start of a workflow that does nothing, on the same Temporal
 * server in the same run. Each call starts the workflow of a batch of its own.
 */
export async function benchSendRequest(env: BenchEnvironment): Promise<readonly BenchRow[]> {
  const http = new Pool(env.baseUrl, { connections: IN_FLIGHT, pipelining: 1 });
  const json = { 'content-type': 'application/json' };
  const send = async (path: string, headers: object, body: object): Promise<Record<string, unknown>> => {
    const answer = await http.request({
      method: 'POST',
      path,
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    });
    if (answer.statusCode >= 300) throw new Error(`POST ${path}: ${answer.statusCode} ${await answer.body.text()}`);
    return (await answer.body.json()) as Record<string, unknown>;
  };
  const { token } = await send('/auth/login', {}, { email: env.demo.email, password: env.demo.password });
  const headers = { authorization: `Bearer ${String(token)}`, 'x-organization-id': env.demo.organizationId };

  const supplier = await send('/brand/suppliers/invite', headers, {
    ...{ factoryName: 'Bench', contactEmail: `bench-${randomUUID()}@factory.example`, country: 'PT', tier: 1 },
  });
  const product = await send('/brand/products', headers, {
    name: 'Bench T-shirt',
    weightKg: 0.18,
    materials: [{ materialType: 'cotton_organic', percentage: 100, originCountry: 'TR' }],
  });
  const batches: string[] = [];
  for (let n = 0; n < 2 * CALLS; n += 1) {
    const batch = await send('/brand/batches', headers, {
      ...{ productId: product['id'], factoryId: supplier['id'], poReference: `B-${n}`, quantity: 10, unit: 'piece' },
    });
    batches.push(String(batch['id']));
  }

  const address = env.temporalAddress;
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const worker = await Worker.create({
    connection: native,
    taskQueue: NO_OP_QUEUE,
    workflowsPath: fileURLToPath(new URL('./no-op-workflow.ts', import.meta.url)),
  });
  const client = new Client({ connection });
  const update = (): Promise<unknown> =>
    client.workflow.executeUpdateWithStart(answered, {
      startWorkflowOperation: new WithStartWorkflowOperation(noOp, {
        workflowId: `no-op/${randomUUID()}`,
        taskQueue: NO_OP_QUEUE,
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    });
  const call = (): Promise<unknown> =>
    send(`/brand/batches/${String(batches.pop())}/send-request`, headers, { notes: 'Please measure the dye house.' });

  const rates = { baseline: [] as number[], value: [] as number[] };
  await worker.runUntil(async () => {
    // They take turns, so that whatever else the machine does falls on both.
    for (const _round of [1, 2]) {
      rates.baseline.push(await perSecond(update));
      rates.value.push(await perSecond(call));
    }
  });
  await Promise.all([http.close(), connection.close(), native.close()]);
  const value = Math.max(...rates.value);
  const baseline = Math.max(...rates.baseline);
  return [
    {
      name: `POST /brand/batches/{id}/send-request, ${IN_FLIGHT} in flight`,
      unit: 'calls/s',
      value,
      baseline,
      baselineName: 'no-op update-with-start',
      ratio: value / baseline,
      goal: '>= 0.5',
      note: 'the better of two rounds of each',
    },
  ];
}

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  let left = CALLS;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (left-- > 0) await work();
    }),
  );
  return (CALLS / (performance.now() - started)) * 1000;
}
