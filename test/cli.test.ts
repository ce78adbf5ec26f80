import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type Brand, type TestService } from './support/service.js';

let service: TestService;
let brand: Brand;
beforeAll(async () => {
  service = await startService();
  brand = await service.asBrand({ plan: 'free' });
});
afterAll(() => service.close());

const ROOT = join(import.meta.dirname, '..');
const cli = (words: readonly string[], env: Record<string, string> = { ...service.environment }) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const program = ['dist/src/cli.js', ...words];
    execFile(
      process.execPath,
      program,
      { cwd: ROOT, env: { PATH: process.env.PATH ?? '', ...env } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });

test('changes a plan, checks the history, rebuilds, and explains itself', { timeout: 90_000 }, async () => {
  const [changed, verified, usage, unknown] = [
    await cli(['plan', brand.organizationId, 'pro']),
    await cli(['verify']),
    await cli(['plan', brand.organizationId, 'gold']),
    await cli(['plan', 'org_none', 'pro']),
  ];
  expect(changed).toMatchObject({ code: 0, out: `Nordfaden (${brand.organizationId}) is on the plan pro.\n` });
  expect((await brand.call({ url: `/organizations/${brand.organizationId}` })).json.plan).toBe('pro');
  expect(verified).toMatchObject({ code: 0, out: 'Unbroken: 3 events in 2 streams.\n' });
  expect([usage.code, usage.err]).toEqual([2, expect.stringContaining('Usage:')]);
  expect(unknown).toMatchObject({ code: 1, err: 'There is no organization "org_none".\n' });
  expect(await cli(['rebuild'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Rebuilt from 3 events/) as string,
  });
});

describe('asks for the settings that it needs and for no others:', () => {
  let publishedBatchId: string;
  beforeAll(async () => {
    const materials = [{ materialType: 'cotton', percentage: 100 }];
    const payload = { name: 'Tee', subcategory: 'tshirts', materials };
    const { id } = (await brand.call({ method: 'POST', url: '/brand/products', payload })).json;
    await brand.call({ method: 'POST', url: `/brand/products/${String(id)}/publish` });
    const passports = (await brand.call({ url: '/brand/dpps' })).json.data as { batchId: string }[];
    publishedBatchId = passports[0]?.batchId ?? '';
  });
  const NEEDS: readonly { command: string; needed: readonly string[]; words?: () => readonly string[] }[] = [
    {
      command: 'plan',
      needed: ['DATABASE_URL', 'EVENTSTORE_URL', 'ENCRYPTION_KEY'],
      words: () => [brand.organizationId, 'pro'],
    },
    { command: 'verify', needed: ['EVENTSTORE_URL'] },
    { command: 'rebuild', needed: ['DATABASE_URL', 'EVENTSTORE_URL'] },
    { command: 'adopt', needed: ['DATABASE_URL', 'EVENTSTORE_URL'] },
    {
      command: 'rescore',
      needed: ['DATABASE_URL', 'EVENTSTORE_URL', 'ENCRYPTION_KEY'],
      words: () => [brand.organizationId, publishedBatchId],
    },
    { command: 'erase-texts', needed: ['DATABASE_URL'], words: () => ['org_none'] },
    { command: 'parked list', needed: ['DATABASE_URL'] },
    { command: 'parked retry', needed: ['DATABASE_URL'] },
  ];

  test('of every command that there is', async () => {
    const { out } = await cli(['help']);
    const commands = [...out.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
    // Each part that `check` looks at has its own: see cli-check.test.ts; what names its stores: cli/move-store.test.ts.
    expect(new Set(['check', 'move-store', ...NEEDS.map(({ command }) => command.split(' ')[0])])).toEqual(
      new Set(commands),
    );
  });

  test.each(NEEDS)('$command', { timeout: 60_000 }, async ({ command, needed, words = () => [] }) => {
    const call = [...command.split(' '), ...words()];
    const all: Record<string, string> = { ...service.environment };
    const done = await cli(call, Object.fromEntries(needed.map((name) => [name, all[name] ?? ''])));
    expect(done.err).toBe('');
    for (const name of needed) {
      const { code, err } = await cli(call, { ...all, [name]: '' });
      expect([code, err]).toEqual([1, `configuration: ${name} (is not set)\n`]);
    }
  });
});

test('scores no batch that is not published, nor another organization’s', { timeout: 60_000 }, async () => {
  expect(await cli(['rescore', brand.organizationId, 'bat_none'])).toMatchObject({
    code: 1,
    err: 'There is no published batch "bat_none".\n',
  });
  const other = await service.asBrand();
  const passports = (await brand.call({ url: '/brand/dpps' })).json.data as { batchId: string }[];
  expect(await cli(['rescore', other.organizationId, passports[0]?.batchId ?? ''])).toMatchObject({ code: 1 });
});

test('finds the development service by its folder', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'passport-cli-'));
  try {
    const missing = await cli(['verify'], { DATA_DIR: folder });
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('npm start')]);
    const { DATABASE_URL, EVENTSTORE_URL, ENCRYPTION_KEY } = service.environment;
    const facts = { databaseUrl: DATABASE_URL, eventStoreUrl: EVENTSTORE_URL };
    await writeFile(join(folder, 'dev.json'), JSON.stringify(facts));
    await writeFile(join(folder, 'secrets.json'), JSON.stringify({ encryptionKey: ENCRYPTION_KEY }));
    // A variable that is blank is none.
    const found = await cli(['verify', `organization-${brand.organizationId}`], {
      ...{ DATA_DIR: folder, EVENTSTORE_URL: '' },
    });
    expect(found).toMatchObject({ code: 0, out: expect.stringMatching(/^Unbroken: 2 events in 1 stream/) as string });
    expect(await cli(['plan', brand.organizationId, 'pro'], { DATA_DIR: folder })).toMatchObject({ code: 0 });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
