import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readIfThere, writeWhole } from './supervisor/data-dir.js';

export interface Demo {
  readonly email: string;
  readonly password: string;
  readonly organizationId: string;
}

export interface SeedOptions {
  readonly baseUrl: string;
  readonly adminToken: string;
  readonly password: string;
  /** Where it notes that everything is there. */
  readonly dataDir: string;
  readonly logger: Logger;
}

interface Named {
  readonly id: string;
  readonly name?: string;
  readonly sku?: string | null;
  readonly contactEmail?: string;
}

interface Session {
  readonly token: string;
  readonly organizations: readonly Named[];
}

const EMAIL = 'owner@demo.example';
const ORGANIZATION = 'Demo Brand';
const SUPPLIER_EMAIL = 'mill@demo-factory.example';
const SKU = 'DEMO-TEE-001';
const TRIES = 5;
const CALL_LIMIT_MS = 15_000;

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly organizationId?: string;
  /** Repeating a creating call under the same key creates nothing twice. */
  readonly key?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const caller =
  (baseUrl: string) =>
  async (call: Call): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(`${baseUrl}${call.path}`, {
        method: call.method,
        headers: {
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
          ...(call.organizationId === undefined ? {} : { 'x-organization-id': call.organizationId }),
          ...(call.key === undefined ? {} : { 'idempotency-key': call.key }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: AbortSignal.timeout(CALL_LIMIT_MS),
      });
      const body: unknown = await response.json();
      // 503: a part is still coming up. 409: the same call of a start that was killed still runs.
      const mayPass = response.status === 503 || (response.status === 409 && call.key !== undefined);
      if (!mayPass || attempt === TRIES) return { status: response.status, body };
      await sleep(500 * attempt);
    }
  };

const demand = <T>(what: string, { status, body }: Answer): T => {
  if (status >= 200 && status < 300) return body as T;
  throw new Error(`the demo's ${what} was refused with ${status}: ${JSON.stringify(body).slice(0, 500)}`);
};

/**
 * The demo organization with its owner, a supplier and a product, made through the service's own interface. Each step is
 * skipped when its result is there, so a start after a kill in between goes on where the last one stopped.
 */
export const seedDemo = async (options: SeedOptions): Promise<Demo> => {
  const { baseUrl, adminToken, password, dataDir, logger } = options;
  const call = caller(baseUrl);
  // Another installation has another password, and with it other keys.
  const keyOf = (step: string): string => createHash('sha256').update(`demo ${step} ${password}`).digest('hex');

  const signIn = async (): Promise<Session> => {
    const login = await call({ method: 'POST', path: '/auth/login', body: { email: EMAIL, password } });
    if (login.status !== 401) return demand<Session>('sign-in', login);
    const body = { email: EMAIL, password, displayName: 'Demo Owner' };
    return demand<Session>('sign-up', await call({ method: 'POST', path: '/auth/signup', body }));
  };
  const { token, organizations } = await signIn();

  const file = join(dataDir, 'demo.json');
  const known = organizations.find(({ name }) => name === ORGANIZATION);
  const done = JSON.parse((await readIfThere(file)) ?? '{}') as { organizationId?: string };
  if (known !== undefined && done.organizationId === known.id)
    return { email: EMAIL, password, organizationId: known.id };

  const organization =
    known ??
    demand<Named>(
      'organization',
      await call({
        method: 'POST',
        path: '/organizations',
        body: { name: ORGANIZATION },
        token,
        key: keyOf('organization'),
      }),
    );
  const organizationId = organization.id;
  demand(
    'plan',
    await call({
      method: 'PUT',
      path: `/admin/organizations/${organizationId}/plan`,
      body: { plan: 'pro' },
      token: adminToken,
    }),
  );

  const access = { token, organizationId };
  const list = async (path: string): Promise<readonly Named[]> =>
    demand<{ data: readonly Named[] }>(path, await call({ method: 'GET', path, ...access })).data;

  const suppliers = await list('/brand/suppliers');
  const supplier =
    suppliers.find(({ contactEmail }) => contactEmail === SUPPLIER_EMAIL) ??
    demand<Named>(
      'supplier',
      await call({
        method: 'POST',
        path: '/brand/suppliers/invite',
        body: {
          factoryName: 'Demo Mill',
          contactEmail: SUPPLIER_EMAIL,
          country: 'PT',
          tier: 1,
          notes: 'Welcome to the demo.',
        },
        ...access,
        key: keyOf('supplier'),
      }),
    );

  const products = await list('/brand/products');
  if (!products.some(({ sku }) => sku === SKU)) {
    demand(
      'product',
      await call({
        method: 'POST',
        path: '/brand/products',
        body: {
          name: 'Organic T-shirt',
          sku: SKU,
          categoryId: 'textile_apparel',
          weightKg: 0.18,
          careInstructions: 'Machine wash at 30 °C, dry in the air.',
          expectedLifespan: '5 years',
          recyclable: true,
          recyclingInstructions: 'Hand it in at a textile collection point.',
          materials: [
            { materialType: 'cotton_organic', percentage: 95, originCountry: 'IN', supplierIds: [supplier.id] },
            { materialType: 'elastane', percentage: 5, originCountry: 'DE' },
          ],
        },
        ...access,
        key: keyOf('product'),
      }),
    );
  }
  await writeWhole(file, JSON.stringify({ organizationId }, null, 2));
  logger.info({ organizationId }, 'demo organization created');
  return { email: EMAIL, password, organizationId };
};
