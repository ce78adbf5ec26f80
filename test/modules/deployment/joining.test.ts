import { once } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createEventStore } from '../../../src/infrastructure/event-store/eventstoredb.js';
import type { EventLog } from '../../../src/infrastructure/event-store/port.js';
import { verifyAll } from '../../../src/infrastructure/event-store/verify.js';
import { connectDatabase, type Database } from '../../../src/infrastructure/postgres/database.js';
import { joinDeployment } from '../../../src/modules/deployment/joining.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { startEventStore, type TestEventStore } from '../../support/event-store.js';
import { PAYLOAD_KEY } from '../../support/payloads.js';
import { startProgram, waitFor } from '../../support/program.js';
import { createNamespace } from '../../support/brand-story.js';

const logger = pino({ level: 'silent' });

interface Store {
  readonly url: string;
  readonly log: EventLog;
  readonly close: () => Promise<void>;
}

async function newStore(): Promise<Store> {
  const database = await createDatabase();
  const program: TestEventStore = await startEventStore(database.url);
  const log = createEventStore({ url: program.url, logger });
  const close = async () => {
    await log.close();
    await program.stop();
    await database.drop();
  };
  return { url: program.url, log, close };
}

interface Postgres {
  readonly url: string;
  readonly database: Database;
  readonly close: () => Promise<void>;
}

async function newPostgres(): Promise<Postgres> {
  const created: TestDatabase = await createDatabase({ migrated: true });
  const database = connectDatabase({ url: created.url, size: 4, logger, name: 'test' });
  const close = async () => {
    await database.end();
    await created.drop();
  };
  return { url: created.url, database, close };
}

let store: Store;
let postgres: Postgres;
const closing: (() => Promise<void>)[] = [];
const kept = <One extends { close: () => Promise<void> }>(one: One): One => {
  closing.push(one.close);
  return one;
};

beforeEach(async () => {
  [store, postgres] = [kept(await newStore()), kept(await newPostgres())];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const join = ({ log }: Store, { database }: Postgres) => joinDeployment({ eventStore: log, database });
async function eventsOf({ log }: Store): Promise<readonly object[]> {
  const events: object[] = [];
  for await (const { type, data } of log.readStream('deployment')) events.push({ type, data });
  return events;
}
const row = async ({ database }: Postgres) =>
  (await database.query<{ id: string; is_agreed: boolean }>('select id, is_agreed from service.deployment')).rows[0];

describe('two new stores', () => {
  it('are founded by whoever is first, and all who start at once agree', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => join(store, postgres)));
    const ids = new Set(all.map(({ deploymentId }) => deploymentId));
    expect(ids.size).toBe(1);
    const [id] = ids;
    expect(await eventsOf(store)).toEqual([{ type: 'DeploymentFounded', data: { deploymentId: id } }]);
    expect(await row(postgres)).toEqual({ id, is_agreed: true });
    expect(await join(store, postgres)).toEqual(all[0]);
    expect(await verifyAll(store.log)).toMatchObject({ streams: 1, events: 1, problems: [] });
  });

  it('are founded to the end by the next start when the first was killed in between', async () => {
    // Before the append, and between the append and its note in Postgres.
    await postgres.database.query(`insert into service.deployment (id) values ('dep_begun')`);
    expect(await join(store, postgres)).toMatchObject({ deploymentId: 'dep_begun', logId: 'dep_begun' });
    await postgres.database.query('update service.deployment set is_agreed = false');
    expect(await join(store, postgres)).toMatchObject({ deploymentId: 'dep_begun' });
    expect(await eventsOf(store)).toHaveLength(1);
    expect(await row(postgres)).toEqual({ id: 'dep_begun', is_agreed: true });
  });

  it('are those of one deployment when two of Postgres race for one event store', async () => {
    const other = kept(await newPostgres());
    const [first, second] = await Promise.allSettled([join(store, postgres), join(store, other)]);
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
    expect(await eventsOf(store)).toHaveLength(1);
    // The one that was too late is still new, and founds with an event store of its own.
    const [late, own] = [first.status === 'rejected' ? postgres : other, kept(await newStore())];
    expect(await join(own, late)).toEqual({ ...(await join(own, late)), deploymentId: (await row(late))?.id });
  });
});

describe('what does not belong together is refused in one line that says what each is', () => {
  const refusal = async (here: Store, there: Postgres): Promise<string> =>
    join(here, there).then(
      () => 'joined',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

  it('two that belong to others', async () => {
    const [otherStore, otherPostgres] = [kept(await newStore()), kept(await newPostgres())];
    const [one, two] = [await join(store, postgres), await join(otherStore, otherPostgres)];
    const today = new Date().toISOString().slice(0, 10);
    const said = await refusal(store, otherPostgres);
    expect(said).toBe(
      `Two deployments: the event store belongs to ${one.deploymentId} (founded ${today}, 1 events); ` +
        `Postgres belongs to ${two.deploymentId} (founded ${today}, 0 organizations, 0 accounts, 0 webhooks). ` +
        'Set EVENTSTORE_URL and DATABASE_URL to those of one deployment; after a restore, "npm run cli -- adopt" ' +
        'says what it will do, asks, and makes them one.',
    );
    expect(said).not.toContain('\n');
  });

  it('an event store that has a deployment, and a new Postgres', async () => {
    const { deploymentId } = await join(store, postgres);
    const said = await refusal(store, kept(await newPostgres()));
    expect(said).toContain(`the event store belongs to ${deploymentId}`);
    expect(said).toContain('Postgres has not had an event store yet (0 organizations');
  });

  it('a Postgres that has a deployment, and a new event store: it was lost, or is another', async () => {
    const { deploymentId } = await join(store, postgres);
    const empty = kept(await newStore());
    const said = await refusal(empty, postgres);
    expect(said).toContain('the event store is empty');
    expect(said).toContain(`Postgres belongs to ${deploymentId}`);
    expect(await eventsOf(empty)).toEqual([]);
  });

  it.each(['projector', 'reactor'])('an event store that ends before what the %s has followed', async (follower) => {
    const { deploymentId } = await join(store, postgres);
    const end = (await store.log.lastPosition()) ?? 0n;
    const follow = (position: bigint) =>
      postgres.database.query(
        follower === 'projector'
          ? `update read.checkpoint set position = ${position}`
          : `insert into service.reactor_checkpoint values ('workflows', ${position})
             on conflict (reactor) do update set position = ${position}`,
      );
    await follow(end);
    expect(await join(store, postgres)).toMatchObject({ deploymentId });
    await follow(end + 7n);
    const said = await refusal(store, postgres);
    expect(said).toContain(`followed it up to ${end + 7n}, and it ends at ${end}`);
    expect(said).not.toContain('\n');
  });
});

describe('programs', () => {
  const settings = async (here: Store, there: Postgres): Promise<Record<string, string>> => ({
    ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_TOKEN: 'of-the-operator-here' },
    ...{ DATABASE_URL: there.url, EVENTSTORE_URL: here.url },
    ...{ TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_NAMESPACE: await createNamespace() },
    ...{ SMTP_URL: inject('smtpUrl'), TEMPORAL_PAYLOAD_KEY: PAYLOAD_KEY },
    ...Object.fromEntries(['TOKEN_SIGNING_KEY', 'LINK_KEY', 'ENCRYPTION_KEY'].map((name) => [name, PAYLOAD_KEY])),
  });
  const files = ['src/main.ts', 'projections/main.ts', 'workflows/main.ts'];

  it(
    'found it when they start at once; each refuses to start on what two have founded',
    { timeout: 120_000 },
    async () => {
      const env = await settings(store, postgres);
      const programs = files.map((file) => startProgram({ file, env }));
      try {
        await Promise.all(programs.map((one) => waitFor(one, () => one.output().includes('"msg":"ready"'), 60_000)));
      } finally {
        await Promise.all(programs.map((one) => one.stop()));
      }
      expect(await eventsOf(store)).toHaveLength(1);

      const other = kept(await newPostgres());
      const wrong = await settings(store, other);
      for (const file of files) {
        const program = startProgram({ file, env: wrong });
        const { child } = program;
        if (child.exitCode === null) await once(child, 'exit');
        expect(child.exitCode, program.output()).toBe(1);
        const last = program.output().trim().split('\n').at(-1) ?? '';
        expect(JSON.parse(last)).toMatchObject({
          level: 60,
          msg: expect.stringContaining('Two deployments: ') as string,
        });
      }
      expect((await other.database.query('select 1 from service.followers')).rows).toEqual([]);
    },
  );
});
