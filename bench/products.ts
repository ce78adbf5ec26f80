import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { Pool } from 'undici';
import { parseEventStoreAddress } from '../src/infrastructure/event-store/address.js';
import type { BenchEnvironment } from './main.js';
import type { BenchRow } from './row.js';

const WARM_UP_MS = 2_000;
const MEASURED_MS = 6_000;

/** `POST /brand/products` against a raw append of an event of the same size, through the same client, at 1 and 32 in flight. */
export async function benchProducts(env: BenchEnvironment): Promise<readonly BenchRow[]> {
  const http = new Pool(env.baseUrl, { connections: 32, pipelining: 1 });
  const client = EventStoreDBClient.connectionString(parseEventStoreAddress(env.eventStoreUrl).connectionString);
  const login = await http.request({
    method: 'POST',
    path: '/auth/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: env.demo.email, password: env.demo.password }),
  });
  const { token } = (await login.body.json()) as { token: string };
  const headers = {
    authorization: `Bearer ${token}`,
    'x-organization-id': env.demo.organizationId,
    'content-type': 'application/json',
  };

  const product = () => ({
    name: 'Bench T-shirt',
    sku: `B-${randomUUID()}`,
    weightKg: 0.18,
    materials: [
      { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR' },
      { materialType: 'elastane', percentage: 5, originCountry: 'CN' },
    ],
  });
  const post = async (): Promise<void> => {
    const answer = await http.request({
      method: 'POST',
      path: '/brand/products',
      headers,
      body: JSON.stringify(product()),
    });
    if (answer.statusCode !== 201)
      throw new Error(`POST /brand/products: ${answer.statusCode} ${await answer.body.text()}`);
    await answer.body.dump();
  };
  const append = async (): Promise<void> => {
    const id = randomUUID();
    await client.appendToStream(`bench-${id}`, jsonEvent({ id, type: 'Bench', data: product(), metadata: METADATA }), {
      expectedRevision: NO_STREAM,
      credentials: { username: 'bench', password: 'bench' },
    });
  };

  const rows: BenchRow[] = [];
  for (const inFlight of [1, 32]) {
    const baseline = await perSecond(append, inFlight);
    const value = await perSecond(post, inFlight);
    rows.push({
      name: `POST /brand/products, ${inFlight} in flight`,
      unit: 'calls/s',
      value,
      baseline,
      baselineName: 'raw appends/s',
      ratio: value / baseline,
      goal: inFlight === 32 ? '0.6' : null,
    });
  }
  await Promise.all([http.close(), client.dispose()]);
  return rows;
}

/** As many bytes as the metadata of a domain event has. */
const METADATA = {
  schemaVersion: 1,
  organizationId: `org_${randomUUID()}`,
  actor: { type: 'user', id: `usr_${randomUUID()}` },
  correlationId: randomUUID(),
  causationId: null,
  recordedAt: Date.now(),
  hash: '0'.repeat(64),
};

async function perSecond(work: () => Promise<void>, inFlight: number): Promise<number> {
  let done = 0;
  let counting = false;
  let running = true;
  const workers = Array.from({ length: inFlight }, async () => {
    while (running) {
      await work();
      if (counting) done++;
    }
  });
  await sleep(WARM_UP_MS);
  counting = true;
  const start = performance.now();
  await sleep(MEASURED_MS);
  const seconds = (performance.now() - start) / 1000;
  running = false;
  const result = done / seconds;
  await Promise.all(workers);
  return result;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
