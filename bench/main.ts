import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { startWholeService, type WholeService } from '../test/support/running-service.js';
import { benchEventStore } from './event-store.js';
import { benchValidate } from './import.js';
import { benchImportFiles } from './import-files.js';
import { benchLists } from './lists.js';
import { benchProducts } from './products.js';
import { benchRebuild } from './rebuild.js';
import type { BenchRow } from './row.js';
import { benchSendRequest } from './send-request.js';
import { benchSignIns, SIGN_INS_SETTINGS } from './sign-ins.js';
import { benchWebhooks } from './webhooks.js';

/**
 * `npm run bench [-- name ...] [--flag ...]`: each figure beside its baseline in the same run, on a whole service of its own in a
 * temporary folder. Prints a table and writes `bench/results.json`.
 */
const BENCHES: Readonly<
  Record<
    string,
    (env: BenchEnvironment, service: WholeService, flags: ReadonlySet<string>) => Promise<readonly BenchRow[]>
  >
> = {
  products: benchProducts,
  'send-request': benchSendRequest,
  validate: benchValidate,
  'import-files': benchImportFiles,
  lists: benchLists,
  rebuild: benchRebuild,
  'event-store': benchEventStore,
  webhooks: benchWebhooks,
  'sign-ins': benchSignIns,
};

/** Settings that a benchmark's service has beside its own. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = { 'sign-ins': SIGN_INS_SETTINGS };

export type BenchEnvironment = Awaited<ReturnType<typeof startWholeService>>['dev'];

const names = process.argv.slice(2).filter((name) => !name.startsWith('--'));
const flags = new Set(process.argv.slice(2).filter((name) => name.startsWith('--')));
const unknown = names.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  process.stderr.write(`bench: no "${unknown.join('", "')}"; there are ${Object.keys(BENCHES).join(', ')}\n`);
  process.exit(1);
}

// The workers of the baselines have nothing to say.
Runtime.install({ logger: new DefaultLogger('ERROR') });

const rows: BenchRow[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  // A service for each, so that none measures what the one before has left behind.
  const service = await startWholeService({ environment: SETTINGS[name] ?? {} });
  try {
    process.stderr.write(`${name} ...\n`);
    rows.push(...(await bench(service.dev, service, flags)));
  } finally {
    await service.stop();
    await service.remove();
  }
}

const cell = (value: number | null): string =>
  value === null ? '' : value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
const table = rows.map((row) => [
  row.name,
  `${cell(row.value)} ${row.unit}`,
  row.baseline === null ? '' : `${cell(row.baseline)} (${row.baselineName ?? 'baseline'})`,
  row.ratio === null ? '' : row.ratio.toFixed(2),
  row.goal ?? '',
]);
const heading = ['what', 'measured', 'baseline, same run', 'ratio', 'goal'];
const widths = heading.map((title, column) => Math.max(title.length, ...table.map((row) => row[column]?.length ?? 0)));
for (const row of [heading, ...table]) {
  process.stdout.write(
    `${row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()}\n`,
  );
}
await mkdir('bench', { recursive: true });
await writeFile(
  'bench/results.json',
  `${JSON.stringify({ at: new Date().toISOString(), node: process.version, cores: cpus().length, rows }, null, 2)}\n`,
);
