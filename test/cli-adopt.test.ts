import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHECKPOINT_LOCK } from '../projections/checkpoint.js';
import { connectDatabase } from '../src/infrastructure/postgres/database.js';
import { joinDeployment } from '../src/modules/deployment/joining.js';
import { createDatabase } from './support/database.js';
import { startService, type Brand, type TestService } from './support/service.js';
import { pino } from 'pino';

const ROOT = join(import.meta.dirname, '..');
const logger = pino({ level: 'silent' });

let service: TestService;
let brand: Brand;
beforeAll(async () => {
  service = await startService({ environment: { ALLOW_LOCAL_WEBHOOKS: 'true' } });
  brand = await service.asBrand();
  const payload = { url: 'http://127.0.0.1:9/hook', events: ['batch.created'] };
  expect((await brand.call({ method: 'POST', url: '/brand/webhooks', payload })).status).toBe(201);
  const supplier = { factoryName: 'Knitters', contactEmail: 'knitters@factories.example', country: 'PT', tier: 1 };
  expect((await brand.call({ method: 'POST', url: '/brand/suppliers/invite', payload: supplier })).status).toBe(201);
});
afterAll(() => service.close());

interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const adopt = (databaseUrl: string, words: readonly string[], typed = ''): Promise<Answer> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env;
    const { EVENTSTORE_URL = '' } = service.environment;
    const child = execFile(
      process.execPath,
      ['dist/src/cli.js', 'adopt', ...words],
      { cwd: ROOT, env: { PATH, EVENTSTORE_URL, DATABASE_URL: databaseUrl } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
    child.stdin?.end(typed);
  });

const eventsOfDeployment = async (): Promise<readonly object[]> => {
  const events: object[] = [];
  for await (const { type, data } of service.eventStore.readStream('deployment')) events.push({ type, data });
  return events;
};

it('makes an event store and a new Postgres one, after it has said what that redoes; killed in between, the next one ends it', async () => {
  const { database, eventStore, environment } = service;
  const former = await joinDeployment({ database, eventStore });
  expect(await adopt(environment['DATABASE_URL'] ?? '', ['--yes'])).toMatchObject({
    code: 0,
    out: `They belong together already: ${former.deploymentId}.\n`,
  });

  const created = await createDatabase();
  const fresh = connectDatabase({ url: created.url, size: 2, logger, name: 'test' });
  try {
    const refused = await adopt(created.url, [], 'n\n');
    expect(refused.code).toBe(1);
    expect(refused.out).toContain(`The event store belongs to ${former.deploymentId}`);
    expect(refused.out).toContain('Postgres has not had an event store yet (0 organizations, 0 accounts, 0 webhooks).');
    expect(refused.out).toContain("accounts       0, members of 0 of the log's 1 organizations");
    expect(refused.out).toContain("secrets        of 0 of the log's 1 webhooks");
    expect(refused.out).toContain('mails          1 invitations of the last 7 days');
    expect(refused.out).toContain('Adopt? [y/N] Nothing was changed.');
    expect(await eventsOfDeployment()).toHaveLength(1);
    // Nobody answers: a script that forgot --yes changes nothing.
    expect((await adopt(created.url, [])).code).toBe(1);

    // Ended once the stores have been told, and before the tables are made.
    const rebuilding = await fresh.connect();
    await rebuilding.query('select pg_advisory_lock($1)', [CHECKPOINT_LOCK]);
    const kept = await adopt(created.url, ['--yes']);
    rebuilding.release(true);
    expect(kept).toMatchObject({ code: 1, err: 'another rebuild, or a move of the log, is running\n' });
    const [, adopted] = (await eventsOfDeployment()) as { data: { deploymentId: string } }[];
    expect(adopted).toMatchObject({
      type: 'DeploymentAdopted',
      data: { formerStoreId: former.deploymentId, formerPostgresId: null },
    });
    await expect(joinDeployment({ database: fresh, eventStore })).rejects.toThrow(
      /An adoption was begun and not ended/,
    );
    const ended = await adopt(created.url, [], 'y\n');
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain('An adoption of them was begun and is brought to its end.');
    expect(ended.out).toContain(`Adopted as ${adopted?.data.deploymentId}`);
    expect(await eventsOfDeployment()).toHaveLength(2);
    expect(await joinDeployment({ database: fresh, eventStore })).toEqual({
      deploymentId: adopted?.data.deploymentId,
      // Workflows that run go on: they are the log's.
      logId: former.logId,
      foundedAt: expect.any(Date) as Date,
      position: expect.any(BigInt) as bigint,
    });
    const { rows } = await fresh.query('select name from read.organizations');
    expect(rows).toEqual([{ name: 'Nordfaden' }]);
    // Whoever comes back with the Postgres of before is refused.
    await expect(joinDeployment({ database, eventStore })).rejects.toThrow(/^Two deployments: /);
  } finally {
    await fresh.end();
    await created.drop();
  }
});

it('refuses while programs run on that Postgres', async () => {
  const created = await createDatabase({ migrated: true });
  const api = connectDatabase({ url: created.url, size: 1, logger, name: 'projector' });
  try {
    await api.query('select 1');
    expect(await adopt(created.url, ['--yes'])).toMatchObject({
      code: 1,
      err: 'On this Postgres run projector: stop them first.\n',
    });
  } finally {
    await api.end();
    await created.drop();
  }
});
