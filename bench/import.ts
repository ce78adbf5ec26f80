import pg from 'pg';
import { z } from 'zod';
import { importRow } from '../src/modules/imports/index.js';
import type { BenchEnvironment } from './main.js';
import type { BenchRow } from './row.js';

const PRODUCTS = 10_000;
const ROWS = 300;
/** Until the code of both sides is compiled. */
const WARM_UP = 60;
const ROUNDS = 25;

const MATERIALS = [
  { materialType: 'cotton_organic', percentage: 95, originCountry: 'TR', supplierIds: [] },
  { materialType: 'elastane', percentage: 5, originCountry: 'CN', supplierIds: [] },
];

/**
 * `validate` of 300 rows (two thirds unchanged, the others changed or new) against 10,000 products, beside parsing and
 * zod-checking the same bytes.
 */
export async function benchValidate(env: BenchEnvironment): Promise<readonly BenchRow[]> {
  const { organizationId } = env.demo;
  await fill(env.databaseUrl, organizationId);
  const login = await fetch(`${env.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: env.demo.email, password: env.demo.password }),
  });
  const { token } = (await login.json()) as { token: string };
  const headers = {
    authorization: `Bearer ${token}`,
    'x-organization-id': organizationId,
    'content-type': 'application/json',
  };
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const n = index % 6 === 5 ? PRODUCTS + index : 1 + index * 30;
    return {
      ...{ name: index % 6 === 4 ? 'Renamed' : `Organic T-shirt ${n}`, externalId: `E-${n}`, sku: `S-${n}` },
      ...{ weightKg: 0.18, category: 'textile_apparel', countryOfManufacture: 'PT', careInstructions: 'Wash cold.' },
      materials: MATERIALS.map(({ materialType, percentage, originCountry }) => ({
        materialType,
        percentage,
        originCountry,
      })),
    };
  });
  const body = JSON.stringify({ mode: 'upsert', rows });
  const bareSchema = z.object({ mode: z.string(), rows: z.array(importRow) });

  const validate = async (): Promise<void> => {
    const answer = await fetch(`${env.baseUrl}/brand/bulk/validate`, { method: 'POST', headers, body });
    const { summary } = (await answer.json()) as { summary: { unchanged: number } };
    if (summary.unchanged !== (ROWS * 4) / 6) throw new Error(`validate answers ${JSON.stringify(summary)}`);
  };
  const check = (): void => void bareSchema.parse(JSON.parse(body));
  const times = { service: [] as number[], bare: [] as number[] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const start = performance.now();
    check();
    const checked = performance.now();
    await validate();
    const validated = performance.now();
    if (round < 0) continue;
    times.bare.push(checked - start);
    times.service.push(validated - checked);
  }
  const [value, baseline] = [median(times.service), median(times.bare)];
  return [
    {
      name: `validate of ${ROWS} rows against ${PRODUCTS.toLocaleString('en')} products`,
      unit: 'ms',
      value,
      baseline,
      baselineName: 'JSON.parse + zod',
      ratio: value / baseline,
      goal: '< 4',
      note: 'over HTTP with sign-in, one query for the keys and one for the products',
    },
  ];
}

/** What matching reads: the reserved keys and the read model. */
async function fill(databaseUrl: string, organizationId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into read.products (id, organization_id, name, sku, external_id, category_id, weight_kg, weight_estimated,
              country_of_manufacture, care_instructions, material_count, materials, created_at, updated_at)
       select 'prd_bench' || n, $1, 'Organic T-shirt ' || n, 'S-' || n, 'E-' || n, 'textile_apparel', 0.18, false, 'PT',
              'Wash cold.', 2, $3, n, n
         from generate_series(1, $2::int) n`,
      [organizationId, PRODUCTS, JSON.stringify(MATERIALS)],
    );
    await client.query(
      `insert into service.reservations (organization_id, kind, value, owner_id)
       select $1, kind, prefix || n, 'prd_bench' || n
         from generate_series(1, $2::int) n, (values ('product_sku', 'S-'), ('product_external_id', 'E-')) as key (kind, prefix)`,
      [organizationId, PRODUCTS],
    );
    await client.query('vacuum analyze read.products');
    await client.query('vacuum analyze service.reservations');
  } finally {
    await client.end();
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
