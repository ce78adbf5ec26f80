import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProjectionWait, type ProjectionWait } from '../../projections/projection-wait.js';
import { createReadModels, empty, logger, type ReadModels } from './read-models.js';

describe('waiting for the read models', () => {
  let models: ReadModels;
  let wait: ProjectionWait;

  /** Moves the checkpoint as the projector does. */
  const project = (position: bigint) =>
    models.database.query(
      `begin; update read.checkpoint set position = ${position}; select pg_notify('projected', '${position}'); commit`,
    );
  const listening = async (count: number): Promise<void> => {
    for (;;) {
      const { rows } = await models.database.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
          where datname = current_database() and application_name = 'projection-wait' and query like 'select position%'
            and state = 'idle'`,
      );
      if (rows[0]?.n === count) return;
      await sleep(10);
    }
  };

  beforeAll(async () => {
    models = await createReadModels();
  });
  beforeEach(async () => {
    await empty(models.database);
    wait = createProjectionWait({ connectionString: models.url, logger });
    await listening(1);
  });
  afterEach(() => wait.close());
  afterAll(() => models.drop());

  it('is true at once for what is projected already', async () => {
    await project(10n);
    expect(await wait.waitFor(10n, 1_000)).toBe(true);
    expect(await wait.waitFor(9n, 0)).toBe(true);
  });

  it('knows from the start what was projected before it came', async () => {
    await project(30n);
    const second = createProjectionWait({ connectionString: models.url, logger });
    expect(await second.waitFor(30n, 2_000)).toBe(true);
    await second.close();
  });

  it('wakes those whose position has come, and no others', async () => {
    const woken: bigint[] = [];
    const waiting = [40n, 20n, 30n, 20n].map(async (position) => {
      if (await wait.waitFor(position, 400)) woken.push(position);
    });
    await project(30n);
    await Promise.all(waiting);
    expect(woken).toEqual([20n, 20n, 30n]);
  });

  it('is false when the projector takes too long, and does not remember who asked', async () => {
    const began = performance.now();
    expect(await wait.waitFor(50n, 100)).toBe(false);
    expect(performance.now() - began).toBeGreaterThan(90);
    await project(50n);
    expect(await wait.waitFor(50n, 1_000)).toBe(true);
  });

  it('asks nothing while it waits', async () => {
    const statements = async () =>
      (
        await models.database.query<{ at: string }>(
          `select query_start::text as at from pg_stat_activity where application_name = 'projection-wait' and datname = current_database()`,
        )
      ).rows;
    const before = await statements();
    const waiting = wait.waitFor(60n, 1_000);
    await sleep(300);
    expect(await statements()).toEqual(before);
    await project(60n);
    expect(await waiting).toBe(true);
  });

  it('finds the database again after its connection was cut, and what was projected meanwhile', async () => {
    const waiting = wait.waitFor(70n, 10_000);
    await models.database.query(`update read.checkpoint set position = 70`);
    await models.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'projection-wait' and datname = current_database()`,
    );
    expect(await waiting).toBe(true);
    await project(80n);
    expect(await wait.waitFor(80n, 5_000)).toBe(true);
  });

  it('answers false to those who wait when it is closed', async () => {
    const waiting = wait.waitFor(90n, 10_000);
    await wait.close();
    expect(await waiting).toBe(false);
  });
});
