import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callsOf } from '../support/arbitrary-calls.js';
import { readDescription, type Description } from '../support/description.js';
import type { Brand, Call, TestService } from '../support/service.js';
import { withService } from '../support/shared-service.js';

const SEED = 20_261_122;
const CALLS_OF_EACH = 12;
/** They end the session that the others need. */
const ENDING = ['signOut', 'signOutEverywhere', 'eraseAccount', 'eraseMember', 'removeMember', 'changeMemberRole'];

let service: TestService;
let brand: Brand;
let description: Description;
const known: string[] = [];
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  brand = await service.asBrand();
  description = readDescription((await service.call({ url: '/openapi.json' })).json as object);
  known.push(brand.organizationId, brand.userId);
  const made: readonly (readonly [string, object])[] = [
    ['/brand/products', { name: 'T-shirt', materials: [{ materialType: 'cotton_organic', percentage: 100 }] }],
    ['/brand/suppliers/invite', { factoryName: 'Mill', contactEmail: 'mill@generated.example', tier: 1 }],
    ['/brand/webhooks', { url: 'https://hooks.example/generated', events: ['dpp.published'] }],
  ];
  for (const [url, payload] of made) {
    const { json } = await brand.call({ method: 'POST', url, payload });
    known.push((json as { id: string }).id);
  }
});

test('whatever is sent along the description, there is no 5xx and no answer that it does not know', async () => {
  const faults: string[] = [];
  const seen = new Set<number>();
  for (const operation of description.operations.filter(({ operationId = '' }) => !ENDING.includes(operationId))) {
    const calls = fc.sample(callsOf(description, operation, known), { seed: SEED, numRuns: CALLS_OF_EACH });
    const operator = { authorization: `Bearer ${service.config.ADMIN_TOKEN}` };
    const headers = operation.path.startsWith('/admin') ? operator : brand.headers;
    for (const { url, payload } of calls) {
      const method = operation.method as NonNullable<Call['method']>;
      const body = payload === undefined ? {} : { payload: JSON.stringify(payload) };
      const json = payload === undefined ? {} : { 'content-type': 'application/json' };
      // What the description does not know of an answer, `call` itself throws.
      const outcome = await service
        .call({ method, url, ...body, headers: { accept: 'application/json', ...headers, ...json } })
        .then(({ status, body: text }) => {
          seen.add(status);
          return status >= 500 ? `${status} ${text}` : null;
        })
        .catch(String);
      if (outcome !== null) faults.push(`${method} ${url} ${JSON.stringify(payload)}: ${outcome}`);
    }
  }
  expect(faults).toEqual([]);
  // It got through to what the operations do, and was refused by their rules.
  expect([...seen]).toEqual(expect.arrayContaining([200, 201, 404, 409, 415, 422]));
}, 300_000);
