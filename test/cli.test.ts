import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  expect(verified).toMatchObject({ code: 0, out: 'Unbroken: 2 events in 1 stream.\n' });
  expect([usage.code, usage.err]).toEqual([2, expect.stringContaining('Usage:')]);
  expect(unknown).toMatchObject({ code: 1, err: 'There is no organization "org_none".\n' });
  expect(await cli(['rebuild'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Rebuilt from 2 events/) as string,
  });
});

test('finds the development service by its folder', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'passport-cli-'));
  try {
    const missing = await cli(['verify'], { DATA_DIR: folder });
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('npm start')]);
    const {
      DATABASE_URL,
      EVENTSTORE_URL,
      ADMIN_TOKEN,
      TOKEN_SIGNING_KEY,
      LINK_KEY,
      ENCRYPTION_KEY,
      TEMPORAL_PAYLOAD_KEY,
    } = service.environment;
    await writeFile(
      join(folder, 'dev.json'),
      JSON.stringify({ databaseUrl: DATABASE_URL, eventStoreUrl: EVENTSTORE_URL }),
    );
    const secrets = {
      adminToken: ADMIN_TOKEN,
      tokenSigningKey: TOKEN_SIGNING_KEY,
      linkKey: LINK_KEY,
      encryptionKey: ENCRYPTION_KEY,
      temporalPayloadKey: TEMPORAL_PAYLOAD_KEY,
    };
    await writeFile(join(folder, 'secrets.json'), JSON.stringify(secrets));
    const found = await cli(['verify', `organization-${brand.organizationId}`], { DATA_DIR: folder });
    expect(found).toMatchObject({ code: 0, out: expect.stringMatching(/^Unbroken: 2 events in 1 stream/) as string });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
