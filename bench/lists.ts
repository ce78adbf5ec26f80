import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { Pool } from 'undici';
import type { BenchRow } from './row.js';

const PRODUCTS = 100_000;
const LIMIT = 50;
const CONNECTIONS = 16;
/** That of the API, `DATABASE_POOL_SIZE`. */
const POOL_SIZE = 10;
const WARM_UP_SECONDS = 2;
const MEASURED_SECONDS = 5;
const ROUNDS = 3;

/** The list of products through the whole service, against bare Fastify and pg with the same query on the same table. */
export async function benchLists(env: {
  baseUrl: string;
  databaseUrl: string;
  demo: { email: string; password: string; organizationId: string };
}): Promise<readonly BenchRow[]> {
  const { organizationId } = env.demo;
  await fill(env.databaseUrl, organizationId);
  const login = await fetch(`${env.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: env.demo.email, password: env.demo.password }),
  });
  const { token } = (await login.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}`, 'x-organization-id': organizationId };

  const bare = fork(
    join(import.meta.dirname, 'bare-list-server.ts'),
    [env.databaseUrl, organizationId, String(POOL_SIZE)],
    {
      execArgv: ['--import', 'tsx'],
    },
  );
  try {
    const [{ url }] = (await once(bare, 'message')) as [{ url: string }];
    const targets = { bare: url, service: env.baseUrl };
    const rates = { bare: [] as number[], service: [] as number[] };
    for (const url of Object.values(targets)) await callsPerSecond(url, headers, WARM_UP_SECONDS);
    // They take turns, so that whatever else the machine does falls on both.
    for (let round = 0; round < ROUNDS; round++) {
      rates.bare.push(await callsPerSecond(targets.bare, headers, MEASURED_SECONDS));
      rates.service.push(await callsPerSecond(targets.service, headers, MEASURED_SECONDS));
    }
    const value = median(rates.service);
    const baseline = median(rates.bare);
    return [
      {
        name: `GET /brand/products?limit=${LIMIT} at ${PRODUCTS.toLocaleString('en')} products`,
        unit: 'calls/s',
        value,
        baseline,
        baselineName: 'bare Fastify + pg',
        ratio: value / baseline,
        goal: '>= 0.8',
        note: `${CONNECTIONS} connections`,
      },
    ];
  } finally {
    bare.disconnect();
  }
}

async function callsPerSecond(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const http = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  let calls = 0;
  const start = performance.now();
  const call = async (): Promise<void> => {
    while (performance.now() - start < seconds * 1_000) {
      const { statusCode, body } = await http.request({
        method: 'GET',
        path: `/brand/products?limit=${LIMIT}`,
        headers,
      });
      if (statusCode !== 200) throw new Error(`${url} answers ${statusCode}: ${await body.text()}`);
      await body.dump({ limit: 1024 * 1024 });
      calls++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, call));
  const perSecond = (calls / (performance.now() - start)) * 1_000;
  await http.close();
  return perSecond;
}

/** Rows of the read model alone: the list asks for nothing else. */
async function fill(databaseUrl: string, organizationId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into read.products (id, organization_id, name, sku, category_id, subcategory, weight_kg, weight_estimated,
              country_of_manufacture, ecommerce_url, care_instructions, expected_lifespan, recyclable, material_count,
              created_at, updated_at)
       select 'prd_' || gen_random_uuid(), $1, 'Organic T-shirt ' || n, 'B-' || n, 'textile_apparel', 'tshirts', 0.18, false,
              'PT', 'https://shop.example/t-shirt-' || n, 'Machine wash at 30 degrees, line dry.', '5 years', true, 2, n, n
         from generate_series(1, $2::int) n`,
      [organizationId, PRODUCTS],
    );
    await client.query('vacuum analyze read.products');
  } finally {
    await client.end();
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
