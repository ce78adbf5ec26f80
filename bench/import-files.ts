import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Pool } from 'undici';
import type { NewEvent } from '../src/infrastructure/event-store/port.js';
import { createEventStore } from '../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog } from '../src/infrastructure/event-store/port.js';
import type { WholeService } from '../test/support/running-service.js';
import type { BenchEnvironment } from './main.js';
import type { BenchRow } from './row.js';

/** Of the file whose speed is told; `--rows=N` takes another number. */
const ROWS = 10_000;
/** Of the file that growth is held against. */
const FEW_ROWS = 1_000;
const WARM_UP_ROWS = 100;
/** Rows that are written side by side, `ROWS_AT_ONCE` of the import: the raw appends are as many at once. */
const IN_FLIGHT = 25;
const LIST_EVERY_MS = 40;
const IDLE_MS = 8_000;
const LOOK_EVERY_MS = 200;
const SETTLE_MS = 3_000;

/**
 * Import of a file with passports from the commit to its end, beside raw appends of as many events; the same file again, which
 * changes nothing; and what a client sees of it that lists products meanwhile.
 */
export async function benchImportFiles(
  env: BenchEnvironment,
  service: WholeService,
  flags: ReadonlySet<string>,
): Promise<readonly BenchRow[]> {
  const count = numberOf(flags, '--rows=') ?? ROWS;
  const fewRows = Math.min(FEW_ROWS, count);
  const api = await signIn(env);
  const eventStore = createEventStore({ url: env.eventStoreUrl, logger: pino({ level: 'silent' }) });
  try {
    await api.importFile(fileOf('W', WARM_UP_ROWS));
    const programs = await programsOf(service);
    const processorAtFirst = await processorMsOf(programs);
    // Listed meanwhile too, so that it is the same work.
    const fewListing = watchLists(api);
    const few = await api.importFile(fileOf('F', fewRows));
    await fewListing.stop();
    const processorOfFew = await processorMsOf(programs);

    const file = fileOf('N', count);
    const idleBefore = await idleLists(api);
    const before = await countOf(eventStore);
    const memory = watchMemory(programs);
    const processorBefore = await processorMsOf(programs);
    const uploadListing = watchLists(api);
    const uploaded = await api.upload(file);
    const underUpload = await uploadListing.stop();
    const importListing = watchLists(api);
    const first = await api.runImport(uploaded);
    const underImport = await importListing.stop();
    const peakMegabytes = await memory.stop();
    const processorAfter = await processorMsOf(programs);
    if (first.outcomes['create'] !== count || first.outcomes['passports'] !== count) {
      throw new Error(`the import made ${JSON.stringify(first.outcomes)}`);
    }
    const after = await countOf(eventStore);
    const events = after - before;

    const again = await api.importFile(file, 'upsert');
    if (again.outcomes['unchanged'] !== count) throw new Error(`the second made ${JSON.stringify(again.outcomes)}`);
    // That it began, and that it ended.
    const appendedAgain = (await countOf(eventStore)) - after - 2;

    const idle = await idleLists(api);
    const idleP99Ms = (idleBefore.p99Ms + idle.p99Ms) / 2;
    const raw = await rawAppendsPerSecond(eventStore, Math.min(events, 20_000));

    const processorOfFewRow = (totalOf(processorOfFew) - totalOf(processorAtFirst)) / fewRows;
    const processorOfRow = (totalOf(processorAfter) - totalOf(processorBefore)) / count;
    const rowsPerSecond = count / first.seconds;
    const eventsPerSecond = events / first.seconds;
    const name = `import of ${count.toLocaleString('en')} rows with passports`;
    return [
      {
        ...{ name, unit: 'events/s', value: eventsPerSecond, baseline: raw },
        ...{ baselineName: `raw appends, ${IN_FLIGHT} in flight`, ratio: eventsPerSecond / raw, goal: '>= 0.5' },
        note: `${rowsPerSecond.toFixed(1)} rows/s, ${(events / count).toFixed(2)} events a row`,
      },
      {
        ...{ name: `${name}: rows`, unit: 'rows/s', value: rowsPerSecond, baseline: null, baselineName: null },
        ...{ ratio: null, goal: null },
      },
      ...[...processorAfter].map(([program, ms]): BenchRow => ({
        ...{ name: `${name}: processor time, ${program}`, unit: 'ms/row' },
        ...{ value: (ms - (processorBefore.get(program) ?? 0)) / count, baseline: null, baselineName: null },
        ...{ ratio: null, goal: null },
      })),
      ...[...peakMegabytes].map(([program, megabytes]): BenchRow => ({
        ...{ name: `${name}: peak memory, ${program}`, unit: 'MB', value: megabytes },
        ...{ baseline: null, baselineName: null, ratio: null, goal: null },
      })),
      {
        ...{ name: `${name}: p99 of GET /brand/products`, unit: 'ms', value: underImport.p99Ms },
        ...{ baseline: idleP99Ms, baselineName: 'idle', ratio: underImport.p99Ms / idleP99Ms, goal: '< 3' },
        note: `median ${underImport.medianMs.toFixed(1)} ms, idle ${idle.medianMs.toFixed(1)} ms`,
      },
      {
        ...{ name: `upload of ${count.toLocaleString('en')} rows: p99 of GET /brand/products`, unit: 'ms' },
        ...{ value: underUpload.p99Ms, baseline: idleP99Ms, baselineName: 'idle' },
        ...{ ratio: underUpload.p99Ms / idleP99Ms, goal: null },
      },
      {
        ...{ name: `the same file again, all unchanged`, unit: 'rows/s', value: count / again.seconds },
        ...{
          baseline: rowsPerSecond,
          baselineName: 'first import',
          ratio: first.seconds / again.seconds,
          goal: '>= 5',
        },
        note: `${appendedAgain} events of products appended`,
      },
      {
        ...{
          name: `time per row, ${count.toLocaleString('en')} rows`,
          unit: 'ms',
          value: (1000 * first.seconds) / count,
        },
        ...{ baseline: (1000 * few.seconds) / fewRows, baselineName: `${fewRows.toLocaleString('en')} rows` },
        ...{ ratio: first.seconds / count / (few.seconds / fewRows), goal: '<= 1.2' },
      },
      {
        ...{ name: `processor time per row of all programs, ${count.toLocaleString('en')} rows`, unit: 'ms' },
        ...{ value: processorOfRow, baseline: processorOfFewRow, baselineName: `${fewRows.toLocaleString('en')} rows` },
        ...{ ratio: processorOfRow / processorOfFewRow, goal: '<= 1.2' },
        note: 'the same, whatever else the machine does',
      },
    ];
  } finally {
    await eventStore.close();
    await api.close();
  }
}

const numberOf = (flags: ReadonlySet<string>, name: string): number | null => {
  const flag = [...flags].find((one) => one.startsWith(name));
  return flag === undefined ? null : Number(flag.slice(name.length));
};

interface Ended {
  readonly outcomes: Readonly<Record<string, number>>;
  /** From its first row to its end. */
  readonly seconds: number;
}

type Api = Awaited<ReturnType<typeof signIn>>;

async function signIn({ baseUrl, demo }: BenchEnvironment) {
  const http = new Pool(baseUrl, { connections: 8, pipelining: 1 });
  const json = { 'content-type': 'application/json' };
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string | FormData,
  ) => {
    const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...(body !== undefined && { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { email, password } = demo;
  const { token } = await call('POST', '/auth/login', json, JSON.stringify({ email, password }));
  const headers = { authorization: `Bearer ${String(token)}`, 'x-organization-id': demo.organizationId };

  const upload = async (csv: string, mode = 'create'): Promise<string> => {
    const form = new FormData();
    form.set('mode', mode);
    form.set('file', new Blob([csv], { type: 'text/csv' }), 'catalogue.csv');
    const { id } = await call('POST', '/brand/bulk/files', headers, form);
    return String(id);
  };
  const runImport = async (id: string): Promise<Ended> => {
    await call('POST', `/brand/bulk/files/${id}/commit`, { ...headers, ...json }, '{}');
    for (;;) {
      // The list of imports holds no report.
      const { data } = await call('GET', '/brand/bulk/imports?limit=1', headers);
      const [run] = data as { startedAt: number; endedAt: number | null; outcomes: Ended['outcomes'] }[];
      if (run !== undefined && run.endedAt !== null) {
        return { outcomes: run.outcomes, seconds: (run.endedAt - run.startedAt) / 1000 };
      }
      await sleep(LOOK_EVERY_MS);
    }
  };
  const importFile = async (csv: string, mode?: string): Promise<Ended> => runImport(await upload(csv, mode));
  const list = async (): Promise<void> => {
    const { statusCode, body } = await http.request({ method: 'GET', path: '/brand/products?limit=50', headers });
    if (statusCode !== 200) throw new Error(`the list answers ${statusCode}`);
    await body.dump({ limit: 1024 * 1024 });
  };
  return { upload, runImport, importFile, list, close: () => http.close() };
}

/** Products of which each has a GTIN and a composition, so that its passport is published. */
function fileOf(prefix: string, count: number): string {
  const rows = Array.from({ length: count }, (_, n) => {
    const gtin = withCheckDigit(String(400_000_000_000 + prefix.charCodeAt(0) * 1_000_000 + n));
    return `${prefix}-${n};${prefix}-SKU-${n};${gtin};Organic T-shirt ${prefix} ${n};T-Shirt;0,18;PT;95% organic cotton, 5% elastane;Wash cold.`;
  });
  const header = 'external_id;sku;gtin;name;category;weight_kg;country_of_manufacture;composition;care_instructions';
  return `${header}\n${rows.join('\n')}\n`;
}

function withCheckDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

async function countOf(eventStore: EventLog): Promise<number> {
  let events = 0;
  for await (const _event of eventStore.readAll({ after: null })) events += 1;
  return events;
}

async function idleLists(api: Api): Promise<{ p99Ms: number; medianMs: number }> {
  await sleep(SETTLE_MS);
  const listing = watchLists(api);
  await sleep(IDLE_MS);
  return listing.stop();
}

/** A list every so often, whether the one before has been answered or not. */
function watchLists(api: Api): { stop(): Promise<{ p99Ms: number; medianMs: number }> } {
  const times: number[] = [];
  const calls = new Set<Promise<void>>();
  let failure: Error | null = null;
  const timer = setInterval(() => {
    const start = performance.now();
    const call: Promise<void> = api
      .list()
      .then(
        () => void times.push(performance.now() - start),
        (error: Error) => void (failure ??= error),
      )
      .finally(() => calls.delete(call));
    calls.add(call);
  }, LIST_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      if (failure !== null) throw failure;
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
      return { p99Ms: at(0.99), medianMs: at(0.5) };
    },
  };
}

type Programs = ReadonlyMap<string, number>;

/** By what their command lines hold. */
const PROGRAMS = {
  API: '/dist/src/main.js',
  projector: '/dist/projections/main.js',
  worker: '/dist/workflows/main.js',
  'event store': '/event-store/main.js',
  Temporal: 'temporal',
  Postgres: 'postgres',
} as const;

async function childrenOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

async function programsOf({ supervisor }: WholeService): Promise<Programs> {
  const found = new Map<string, number>();
  for (const pid of await childrenOf(supervisor.pid ?? -1)) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const program = Object.entries(PROGRAMS).find(([, part]) => commandLine.includes(part));
    if (program !== undefined && !found.has(program[0])) found.set(program[0], pid);
  }
  return found;
}

const totalOf = (times: ReadonlyMap<string, number>): number => [...times.values()].reduce((sum, ms) => sum + ms, 0);

/** Clock ticks, of which there are 100 in a second. */
const TICK_MS = 10;

/** Processor time of each program so far, with the processes that it has begun. */
async function processorMsOf(programs: Programs): Promise<ReadonlyMap<string, number>> {
  const ticksOf = async (pid: number): Promise<number> => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
    return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
  };
  const times = new Map<string, number>();
  for (const [program, pid] of programs) {
    const ticks = await Promise.all([pid, ...(await childrenOf(pid))].map(ticksOf));
    times.set(program, TICK_MS * ticks.reduce((sum, one) => sum + one, 0));
  }
  return times;
}

function watchMemory(programs: Programs): { stop(): Promise<ReadonlyMap<string, number>> } {
  const peaks = new Map<string, number>();
  const look = async (): Promise<void> => {
    for (const program of ['API', 'worker']) {
      const pid = programs.get(program) ?? -1;
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      const megabytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
      peaks.set(program, Math.max(peaks.get(program) ?? 0, megabytes));
    }
  };
  const timer = setInterval(() => void look().catch(() => clearInterval(timer)), LOOK_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await look();
      return peaks;
    },
  };
}

/** One event an append, of the size that those of an import have, to streams that hold three each. */
async function rawAppendsPerSecond(eventStore: EventLog, count: number): Promise<number> {
  const bodies: Pick<NewEvent, 'data' | 'metadata'>[] = [];
  for await (const { data, metadata } of eventStore.readAll({ after: null })) {
    if (metadata.import !== undefined) bodies.push({ data, metadata });
    if (bodies.length === 600) break;
  }
  let left = count;
  const write = async (): Promise<void> => {
    while (left > 0) {
      const stream = `bench-${randomUUID()}`;
      for (let revision = -1; revision < 2 && left-- > 0; revision += 1) {
        const body = bodies[left % bodies.length];
        if (body === undefined) throw new Error('the import has left no events');
        await eventStore.append(stream, revision < 0 ? 'no_stream' : revision, [
          { ...body, id: randomUUID(), type: 'BenchDone' },
        ]);
      }
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, write));
  return (1000 * count) / (performance.now() - started);
}
