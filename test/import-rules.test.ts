import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, describe, expect, test } from 'vitest';

const PROJECT = dirname(import.meta.dirname);
const { forbidden = [], options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as IConfiguration;

const folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));
symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));

/** The rules that imports break; each is `file -> file`, with `type` before it when it is one of types alone. */
async function brokenBy(...imports: readonly string[]): Promise<readonly string[]> {
  const place = mkdtempSync(join(folder, 'copy-'));
  symlinkSync(join(PROJECT, 'node_modules'), join(place, 'node_modules'));
  const texts = new Map<string, string>();
  for (const line of imports) {
    const [, types, from = '', to = ''] = /^(type )?(\S+) -> (\S+)$/.exec(line) ?? [];
    const isPackage = !/^(src|workflows|projections|bench|scripts|test)\//.test(to);
    const up = '../'.repeat(from.split('/').length - 1);
    const specifier = isPackage ? to : `${up}${to.replace(/[.]ts$/, '.js')}`;
    if (!isPackage && !to.includes('missing')) texts.set(to, texts.get(to) ?? 'export interface A {}\n');
    texts.set(from, `${texts.get(from) ?? ''}import ${types ?? ''}* as it from '${specifier}';\nconsole.log(it);\n`);
  }
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  }
  const { doNotFollow, exclude, tsPreCompilationDeps, enhancedResolveOptions } = options ?? {};
  const { output } = await cruise([...texts.keys()], {
    ...{ baseDir: place, validate: true, ruleSet: { forbidden } },
    ...{ doNotFollow, exclude, tsPreCompilationDeps, enhancedResolveOptions },
  } as Parameters<typeof cruise>[1]);
  return [...new Set((output as ICruiseResult).summary.violations.map(({ rule }) => rule.name))].sort();
}

const BREAKERS: readonly (readonly [rule: string, ...imports: string[]])[] = [
  ['a-module-lends-one-file', 'src/modules/batches/handlers.ts -> src/modules/products/store.ts'],
  ['a-module-lends-one-file', 'src/modules/batches/routes.ts -> src/modules/products/decider.ts'],
  ['nobody-asks-its-own-index', 'src/modules/batches/handlers.ts -> src/modules/batches/index.ts'],
  ['modules-are-used-by-their-index', 'src/housekeeping.ts -> src/modules/accounts/store.ts'],
  ['modules-are-used-by-their-index', 'workflows/product-follow-up/activities.ts -> src/modules/products/handlers.ts'],
  ['app-puts-routes-together', 'src/app.ts -> src/modules/products/handlers.ts'],
  ['facts-are-read-as-events', 'projections/batches/projection.ts -> src/modules/batches/index.ts'],
  ['facts-are-read-as-events', 'workflows/batch-lifecycle/contract.ts -> src/modules/batches/index.ts'],
  ['http-knows-no-module', 'src/http/auth.ts -> src/modules/accounts/index.ts'],
  ['deciders-know-types-of-others', 'src/modules/batches/decider.ts -> src/modules/products/index.ts'],
  ['deciders-are-pure', 'src/modules/batches/decider.ts -> src/infrastructure/config.ts'],
  ['folders-apart-stay-apart', 'projections/batches/queries.ts -> projections/products/queries.ts'],
  ['folders-apart-stay-apart', 'bench/one/main.ts -> bench/other/main.ts'],
  ['every-folder-has-its-place-in-src/modules', 'src/modules/somewhere/handlers.ts -> src/core/ids.ts'],
  ['arrows-go-down-from-src/pages/names', 'src/pages/names/units.ts -> src/pages/consumer/page.ts'],
  [
    'arrows-go-down-from-src/infrastructure/postgres',
    'src/infrastructure/postgres/a.ts -> src/infrastructure/temporal/b.ts',
  ],
  [
    'no-cycles',
    'src/core/ids.ts -> src/core/events.ts',
    'src/core/events.ts -> src/core/decider.ts',
    'src/core/decider.ts -> src/core/ids.ts',
  ],
];

describe('the import rules', () => {
  test.each(BREAKERS)('%s is broken by %s', async (rule, ...imports) => {
    expect(await brokenBy(...imports)).toContain(rule);
  });

  /** As they were, each in one direction that may not be. */
  test.each([
    ['products', 'passports'],
    ['products', 'publishing'],
    ['batches', 'passports'],
    ['batches', 'proposals'],
    ['suppliers', 'factory-portal'],
    ['accounts', 'factory-portal'],
    ['personal-data', 'factory-portal'],
    ['members', 'api-keys'],
  ])('%s do not lean on %s, not even by types', async (below, above) => {
    const leaning = `type src/modules/${below}/handlers.ts -> src/modules/${above}/index.ts`;
    expect(await brokenBy(leaning)).toEqual([`arrows-go-down-from-src/modules/${below}`]);
  });

  test('let through what the table allows', async () => {
    const broken = await brokenBy(
      'src/modules/publishing/handlers.ts -> src/modules/products/index.ts',
      'src/modules/publishing/routes.ts -> src/http/access.ts',
      'src/modules/publishing/calls.ts -> workflows/batch-lifecycle/contract.ts',
      'type src/modules/batches/events.ts -> src/modules/products/index.ts',
      'type workflows/batch-lifecycle/contract.ts -> src/modules/batches/events.ts',
      'workflows/batch-lifecycle/activities.ts -> src/modules/publishing/index.ts',
      'type projections/batches/projection.ts -> src/modules/batches/events.ts',
      'src/app.ts -> src/modules/publishing/routes.ts',
      'src/app.ts -> src/modules/publishing/index.ts',
      'src/private-fields.ts -> src/modules/batches/events.ts',
      'src/pages/team/page.ts -> src/pages/join/new-account.ts',
    );
    expect(broken).toEqual([]);
  });
});
