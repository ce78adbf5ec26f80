import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tellStory } from '../../scripts/story.js';
import { processesMentioning, startWholeService, type WholeService } from '../support/running-service.js';
import { compareLedgers } from './webhook-ledger.js';

const WRITES_PER_SECOND = 50;

describe('the service, started as npm start does', () => {
  let service: WholeService;

  beforeAll(async () => {
    service = await startWholeService();
  }, 120_000);

  afterAll(async () => {
    await service.stop();
    await service.remove();
  }, 30_000);

  test('tells the whole story, from sign-up to a scanned code', { timeout: 90_000 }, async () => {
    const steps: string[] = [];
    const end = await tellStory(service.dev, (step) => steps.push(step));
    expect(steps.length).toBeGreaterThanOrEqual(10);
    expect(end.climateChangePerUnit).toBe(3.395);
  });

  test('loses and doubles nothing while each program is killed in turn under load', { timeout: 120_000 }, async () => {
    const brand = await signIn(service);
    const tag = randomUUID().slice(0, 8);
    let running = true;
    const acknowledged = new Map<string, string>();
    const pending: Promise<void>[] = [];

    // Each write is sent again with its key until it is answered, as a careful client does.
    const write = async (index: number): Promise<void> => {
      const externalId = `${tag}-${index}`;
      for (;;) {
        const answer = await fetch(`${service.dev.baseUrl}/brand/products`, {
          method: 'POST',
          headers: { ...brand, 'content-type': 'application/json', 'idempotency-key': externalId },
          body: JSON.stringify({ name: `Load ${index}`, externalId }),
          signal: AbortSignal.timeout(15_000),
        }).catch(() => null);
        if (answer?.status === 201) {
          const body = (await answer.json()) as { id: string };
          acknowledged.set(externalId, body.id);
          return;
        }
        if (answer !== null) expect([409, 500, 502, 503, 504]).toContain(answer.status);
        await sleep(100);
      }
    };
    const load = (async () => {
      for (let index = 0; running; index++) {
        pending.push(write(index));
        await sleep(1000 / WRITES_PER_SECOND);
      }
    })();

    for (const program of [
      'dist/src/main.js',
      'dist/projections/main.js',
      'dist/workflows/main.js',
      'event-store/main.js',
    ]) {
      await sleep(1_000);
      await service.kill(program);
      await sleep(2_000);
    }
    running = false;
    await load;
    await Promise.all(pending);

    const listed = await listAll(service, brand, (item) => item.externalId?.startsWith(`${tag}-`) === true);
    expect(listed.length).toBe(acknowledged.size);
    expect(new Set(listed.map((item) => item.id))).toEqual(new Set(acknowledged.values()));
    expect(new Set(listed.map((item) => item.externalId)).size).toBe(acknowledged.size);
  });

  test(
    'tells receivers of everything once while reactor, worker, Temporal, Postgres and event store are killed',
    { timeout: 200_000 },
    async () => {
      const worker = 'dist/workflows/main.js';
      await compareLedgers(service, await signIn(service), async () => {
        for (const program of [worker, 'postgres/cluster', 'temporal', 'event-store/main.js', worker]) {
          await sleep(1_500);
          await service.kill(program);
          await sleep(1_500);
        }
      });
    },
  );

  test('proves its whole history unbroken', { timeout: 60_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['dist/src/cli.js', 'verify'], {
      env: { PATH: process.env['PATH'], DATA_DIR: service.dataDir },
    });
    expect(stdout).toMatch(/unbroken|ok/i);
  });

  test('keeps its state over a restart, and a stop leaves no process behind', { timeout: 90_000 }, async () => {
    const before = await listAll(service, await signIn(service), () => true);
    const stopping = Date.now();
    expect(await service.stop()).toBe(0);
    expect(Date.now() - stopping).toBeLessThan(10_000);
    expect(await processesMentioning(service.dataDir)).toEqual([]);

    service = await startWholeService({ dataDir: service.dataDir });
    const after = await listAll(service, await signIn(service), () => true);
    expect(after).toEqual(before);
  });
});

interface ListedProduct {
  readonly id: string;
  readonly externalId: string | null;
}

async function signIn(service: WholeService): Promise<Record<string, string>> {
  const { email, password, organizationId } = service.dev.demo;
  const answer = await fetch(`${service.dev.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(200);
  const { token } = (await answer.json()) as { token: string };
  return { authorization: `Bearer ${token}`, 'x-organization-id': organizationId };
}

async function listAll(
  service: WholeService,
  brand: Record<string, string>,
  wanted: (item: ListedProduct) => boolean,
): Promise<ListedProduct[]> {
  const items: ListedProduct[] = [];
  let cursor: string | undefined;
  do {
    const url = new URL('/brand/products', service.dev.baseUrl);
    url.searchParams.set('limit', '500');
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    const answer = await fetch(url, { headers: brand });
    expect(answer.status).toBe(200);
    const page = (await answer.json()) as { data: ListedProduct[]; nextCursor?: string };
    items.push(...page.data.filter(wanted));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
