import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { WholeService } from '../test/support/running-service.js';
import type { BenchEnvironment } from './main.js';
import { noOpWithActivity, type NoOpActivities } from './no-op-workflow.js';
import type { BenchRow } from './row.js';
import { letWait } from './waiting-deliveries.js';
import { createReceivers, type Receivers } from './webhook-receivers.js';

const RECEIVERS = 20;
const WAITING = 300;
const DELIVERIES = 2_000;
const WAITING_IN_GROWTH = 20_000;
const NO_OP_QUEUE = 'bench-no-op-activity';
/** As many starts at once as the reactor has. */
const STARTS_AT_ONCE = 24;
const PAUSES_MIN = [1, 5, 30];
const MINUTE_MS = 60_000;

/**
 * Webhooks in real time: throughput against workflows that do nothing, what a worker that was down does on its return, and how
 * late retries are through the true 1 and 5 minutes (`--long`: 30 too; `--waiting`: throughput again beside 20,000 that wait).
 */
export async function benchWebhooks(
  env: BenchEnvironment,
  service: Pick<WholeService, 'kill' | 'output'>,
  flags: ReadonlySet<string>,
): Promise<readonly BenchRow[]> {
  const receivers = await createReceivers(env, RECEIVERS);
  const rows: BenchRow[] = [];
  try {
    rows.push(await throughput(env, receivers, `${RECEIVERS} receivers`));
    rows.push(await returnOfTheWorker(service, receivers));
    rows.push(...(await lateness(receivers, flags.has('--long') ? PAUSES_MIN : PAUSES_MIN.slice(0, 2))));
    if (flags.has('--waiting')) {
      const began = performance.now();
      await letWait(env, receivers.webhookIds, WAITING_IN_GROWTH);
      const others = `${WAITING_IN_GROWTH.toLocaleString('en')} others waiting`;
      const minutes = ((performance.now() - began) / MINUTE_MS).toFixed(1);
      const row = await throughput(env, receivers, others);
      rows.push({ ...row, note: `${row.note}; the others were brought in within ${minutes} min` });
    }
    return rows;
  } finally {
    await receivers.close();
  }
}

/** From the first call that makes a batch to the last arrival, against the same number of no-op workflows. */
async function throughput(env: BenchEnvironment, receivers: Receivers, beside: string): Promise<BenchRow> {
  const baseline = await noOpsPerSecond(env.temporalAddress, DELIVERIES);
  const began = performance.now();
  await receivers.deliver(DELIVERIES, 0);
  await receivers.arrived(DELIVERIES, 10 * MINUTE_MS);
  const value = (DELIVERIES / (performance.now() - began)) * 1000;
  return {
    name: `${DELIVERIES.toLocaleString('en')} webhook deliveries, ${beside}`,
    unit: 'deliveries/s',
    value,
    baseline,
    baselineName: 'no-op workflows with one activity',
    ratio: value / baseline,
    goal: '>= 0.7',
    note: 'from the first event to the last arrival; baseline from the first start to the last activity',
  };
}

async function noOpsPerSecond(address: string, count: number): Promise<number> {
  const native = await NativeConnection.connect({ address });
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  let done = 0;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const activities: NoOpActivities = {
    doNothing: async () => {
      if ((done += 1) === count) finish();
    },
  };
  const worker = await Worker.create({
    ...{ connection: native, taskQueue: NO_OP_QUEUE, activities },
    workflowsPath: fileURLToPath(new URL('./no-op-workflow.ts', import.meta.url)),
    maxCachedWorkflows: 400,
  });
  let tookMs = 0;
  await worker.runUntil(async () => {
    let left = count;
    const began = performance.now();
    const start = async (): Promise<void> => {
      while (left-- > 0) {
        await workflow.start(noOpWithActivity, { workflowId: `no-op/${randomUUID()}`, taskQueue: NO_OP_QUEUE });
      }
    };
    await Promise.all(Array.from({ length: STARTS_AT_ONCE }, start));
    await finished;
    tookMs = performance.now() - began;
  });
  await Promise.all([native.close(), connection.close()]);
  return (count / tookMs) * 1000;
}

/** The worker is killed again and again from before the first is due until after the last is. */
async function returnOfTheWorker(
  service: Pick<WholeService, 'kill' | 'output'>,
  receivers: Receivers,
): Promise<BenchRow> {
  await receivers.deliver(WAITING, 1);
  await receivers.arrived(WAITING, 3 * MINUTE_MS);
  const firstDueAt = (receivers.arrivals[0]?.at ?? 0) + MINUTE_MS;
  const lastDueAt = (receivers.arrivals.at(-1)?.at ?? 0) + MINUTE_MS;
  await sleep(firstDueAt - 3_000 - Date.now());
  while (Date.now() < lastDueAt + 2_000) {
    await service.kill('dist/workflows/main.js').catch(() => null);
    await sleep(100);
  }
  await receivers.arrived(2 * WAITING, 5 * MINUTE_MS);
  const last = receivers.arrivals.at(-1)?.at ?? 0;
  return {
    name: `last of ${WAITING} retries after a worker has come back that was down when they were due`,
    unit: 's',
    value: (last - lastReturn(service.output())) / 1000,
    ...{ baseline: null, baselineName: null, ratio: null, goal: 'at once' },
    note: `counted from the worker's "ready"`,
  };
}

function lastReturn(output: string): number {
  const line = output.split('\n').findLast((text) => text.includes('"msg":"worker runs again"'));
  if (line === undefined) throw new Error('the worker has not come back');
  return (JSON.parse(line) as { time: number }).time;
}

/** How long after its time each retry came in. */
async function lateness(receivers: Receivers, pausesMin: readonly number[]): Promise<readonly BenchRow[]> {
  await receivers.deliver(WAITING, pausesMin.length);
  const minutes = pausesMin.reduce((sum, pause) => sum + pause, 0);
  await receivers.arrived(WAITING * (pausesMin.length + 1), (minutes + 2) * MINUTE_MS);
  const lateMs: number[] = [];
  for (const deliveryId of new Set(receivers.arrivals.map((arrival) => arrival.deliveryId))) {
    const attempts = await receivers.attemptsOf(deliveryId);
    const arrivals = receivers.arrivals.filter((arrival) => arrival.deliveryId === deliveryId);
    for (const [index, pauseMin] of pausesMin.entries()) {
      const [before, arrival] = [attempts[index], arrivals[index + 1]];
      if (before === undefined || arrival === undefined) throw new Error(`${deliveryId} has too few attempts`);
      lateMs.push(arrival.at - (before.at + before.durationMs + pauseMin * MINUTE_MS));
    }
  }
  lateMs.sort((a, b) => a - b);
  const at = (part: number): number => lateMs[Math.min(lateMs.length - 1, Math.floor(part * lateMs.length))] ?? 0;
  const name = `lateness of ${lateMs.length} retries of ${WAITING} deliveries, after ${pausesMin.join(' and ')} minutes`;
  const row = (what: string, value: number, goal: string | null): BenchRow => ({
    name: `${name}: ${what}`,
    unit: 'ms',
    value,
    ...{ baseline: null, baselineName: null, ratio: null, goal },
    note: 'arrival at the receiver, after the end of the attempt before plus the pause',
  });
  return [
    row('earliest', at(0), '>= 0'),
    row('p50', at(0.5), null),
    row('p99', at(0.99), '< 250'),
    row('max', at(1), null),
  ];
}
