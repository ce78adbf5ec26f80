import type { RouteOptions } from 'fastify';
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, test } from 'vitest';
import { REFUSALS } from '../../src/core/errors.js';
import type { DeclaredRoute } from '../../src/http/route-rules.js';
import { launchBrowser } from '../support/browser.js';
import { exampleOf, readDescription, type Description, type Operation, type Schema } from '../support/description.js';
import type { TestService } from '../support/service.js';
import { withService } from '../support/shared-service.js';

let service: TestService;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let document: any;
let description: Description;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  document = (await service.call({ url: '/openapi.json' })).json;
  description = readDescription(document as object);
});

const operation = (name: string): Operation => {
  const found = description.operations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
};

/** Every schema of the document, with where it stands. */
function* schemasOf(node: unknown, at = ''): Generator<{ at: string; schema: Schema }> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && typeof node.type !== 'object') yield { at, schema: node as unknown as Schema };
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'examples' && key !== 'example') yield* schemasOf(value, `${at}/${key}`);
  }
}

describe('/openapi.json', () => {
  test('is OpenAPI 3.1 and names the schemes of access', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.components.securitySchemes as object).sort()).toEqual([
      'apiKey',
      'operator',
      'organization',
      'session',
    ]);
  });

  test('has every route that is no page, each under an id of its own', () => {
    const isPage = ({ path, access }: DeclaredRoute) =>
      access.kind === 'page' ||
      /^\/(f|join|join-team|sign-in|magic-link|reset-password|verify|docs|openapi\.json)(\/|$)/.test(path);
    const declared = service.app.declaredRoutes().filter((route) => !isPage(route));
    const names = declared.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(description.operations.map(({ name }) => name).sort()).toEqual(names.sort());
    const ids = description.operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id ?? ''))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says of each operation what it does and what each of its answers is', () => {
    const groups = (document.tags as { name: string }[]).map(({ name }) => name);
    for (const { name, summary, tags = [], responses } of description.operations) {
      expect(summary, name).toBeTruthy();
      expect(tags, name).toHaveLength(1);
      expect(groups, name).toEqual(expect.arrayContaining([...tags]));
      expect(
        Object.keys(responses).filter((status) => Number(status) < 400),
        name,
      ).not.toEqual([]);
      for (const [status, response] of Object.entries(responses)) {
        expect(description.resolve(response).description, `${name} ${status}`).toMatch(/^(?!Default).{4}/);
      }
    }
  });

  test('names the codes that an operation may be refused with, and when to come back', () => {
    const codes = (name: string, status: number) =>
      [
        ...description
          .resolve(operation(name).responses[status] ?? { description: '' })
          .description.matchAll(/^`(\w+)`/gm),
      ].map((match) => match[1]);
    expect(codes('POST /brand/products', 409)).toEqual([
      'sku_taken',
      'gtin_taken',
      'external_id_taken',
      'idempotency_key_in_use',
      'concurrent_change',
    ]);
    expect(codes('POST /brand/webhooks', 403)).toEqual([
      'not_a_member',
      'role_required',
      'scope_required',
      'plan_required',
    ]);
    expect(codes('GET /brand/batches/{id}', 404)).toEqual(['not_found']);
    const known = document.components.schemas.ProblemCode.enum as string[];
    expect(known).toEqual(Object.keys(REFUSALS));
    expect(document.components.schemas.Problem.properties.retryAfterS).toMatchObject({ type: 'integer', minimum: 1 });
    for (const { name, responses } of description.operations) {
      for (const status of ['429', '503']) {
        const response = responses[status];
        if (response === undefined || name === 'GET /health/ready') continue;
        expect(description.resolve(response).headers, `${name} ${status}`).toHaveProperty('Retry-After');
      }
      for (const [status, response] of Object.entries(responses)) {
        const { content = {} } = description.resolve(response);
        if (Number(status) < 400 || name === 'GET /health/ready') continue;
        expect(Object.keys(content), `${name} ${status}`).toEqual(['application/problem+json']);
      }
    }
  });

  test('asks below /brand for a session and an organization, elsewhere for what the route needs', () => {
    for (const { name, security } of description.operations) {
      if (/ \/brand/.test(name))
        expect(security, name).toEqual([
          { session: [], organization: [] },
          { apiKey: [], organization: [] },
        ]);
      if (/ \/admin/.test(name)) expect(security, name).toEqual([{ operator: [] }]);
      if (/ \/(p|01|factory|health)\b/.test(name)) expect(security, name).toEqual([]);
    }
  });

  test('gives integers bounds that are rules of ours, and everything that is sent a limit', () => {
    const unbounded: string[] = [];
    for (const { at, schema } of schemasOf(document)) {
      if (schema.type !== 'integer') continue;
      if (schema['minimum'] === undefined || Math.abs(Number(schema['minimum'])) > 1e15) unbounded.push(at);
      if (Number(schema['maximum']) === Number.MAX_SAFE_INTEGER) unbounded.push(at);
    }
    for (const { name, requestBody } of description.operations) {
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        for (const sent of schemasOf(description.resolve(schema), name)) {
          const { type, ...rest } = sent.schema;
          const isClosed = ['enum', 'const', 'format', 'maxLength'].some((keyword) => keyword in rest);
          if (type === 'string' && !isClosed) unbounded.push(sent.at);
          if (type === 'array' && rest['maxItems'] === undefined) unbounded.push(sent.at);
        }
      }
    }
    expect(unbounded).toEqual([]);
  });

  test('names what has a closed list of values, each once', () => {
    const schemas = document.components.schemas as Record<string, Schema>;
    for (const [name, value] of Object.entries({
      ...{ MaterialType: 'cotton_organic', CategoryId: 'textile_apparel', SubcategoryId: 'tshirts' },
      ...{ Role: 'owner', Plan: 'pro', Scope: 'import', BatchState: 'draft', SupplierState: 'confirmed' },
      ...{ EventName: 'dpp.published', DeliveryState: 'retrying', ImportState: 'queued', RequestState: 'opened' },
    })) {
      expect(schemas[name]?.['enum'], name).toContain(value);
    }
    expect(schemas['CountryCode']).toMatchObject({ type: 'string', pattern: '^[A-Za-z]{2}$' });
    const lists = [...schemasOf(document)]
      .map(({ schema }) => schema['enum'])
      .filter((values) => Array.isArray(values));
    const long = lists.filter((values) => values.length > 3).map((values) => JSON.stringify(values));
    expect(long.filter((values, index) => long.indexOf(values) !== index)).toEqual([]);
  });

  test('has what is sent and what is answered as named components, and stays small', () => {
    const inline = description.operations
      .filter(({ requestBody }) => requestBody?.content['application/json'] !== undefined)
      .filter(({ requestBody }) => !JSON.stringify(requestBody?.content['application/json']?.schema).includes('$ref'))
      .map(({ name }) => name);
    expect(inline).toEqual([]);
    expect(Object.keys(document.components.schemas as object).filter((name) => name.endsWith('Input'))).toEqual([]);
    expect(JSON.stringify(document).length).toBeLessThan(300_000);
  });

  test('describes the file of every call that takes one', () => {
    for (const name of [
      'PUT /supplier/certificates/{id}/file',
      'POST /brand/bulk/files',
      'POST /brand/bulk/products',
    ]) {
      const content = operation(name).requestBody?.content ?? {};
      expect(Object.keys(content), name).toEqual(['multipart/form-data']);
      expect(content['multipart/form-data']?.schema['properties'], name).toMatchObject({
        file: { type: 'string', format: 'binary' },
      });
    }
  });

  test('describes what is sent to receivers: every event with its headers and the schema of its body', () => {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const calls = Object.entries(document.webhooks as Record<string, any>).map(([event, { post }]) => ({
      event,
      post,
    }));
    expect(calls.map(({ event }) => event).sort()).toEqual([
      'batch.created',
      'batch.submitted',
      'certificate.expiring',
      'dpp.published',
      'request.sent',
      'webhook.test',
    ]);
    for (const { event, post } of calls) {
      const schema = description.resolve<Schema>(post.requestBody.content['application/json'].schema as Schema);
      expect(schema, event).toMatchObject({
        type: 'object',
        required: ['event', 'timestamp', 'data'],
        properties: { event: { const: event }, timestamp: { format: 'date-time' }, data: { type: 'object' } },
      });
      if (event === 'dpp.published') {
        expect((schema['properties'] as { data: Schema }).data['required']).toEqual([
          'dppId',
          'batchId',
          'productName',
          'qrUrl',
        ]);
      }
      expect((post.parameters as { name: string }[]).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['X-Service-Signature', 'X-Service-Event', 'X-Service-Delivery', 'webhook-signature']),
      );
    }
  });

  test('gives calls that create their header', () => {
    const headers = (name: string) =>
      operation(name)
        .parameters.filter((parameter) => parameter.in === 'header')
        .map((parameter) => parameter.name);
    for (const name of [
      'POST /organizations',
      'POST /brand/products',
      'POST /brand/batches',
      'POST /brand/suppliers/invite',
    ]) {
      expect(headers(name), name).toContain('Idempotency-Key');
    }
    expect(headers('GET /brand/products')).toEqual([]);
  });

  test('has an example of everything that is to be sent, which fits its schema', () => {
    const missing: string[] = [];
    const wrong: string[] = [];
    for (const { name, parameters, requestBody } of description.operations) {
      for (const parameter of parameters.filter(({ required }) => required === true)) {
        if (parameter.example === undefined) missing.push(`${name} ${parameter.name}`);
      }
      const sent = requestBody?.content['application/json']?.schema;
      if (sent === undefined) continue;
      const example = exampleOf(description, sent);
      if (example === undefined) missing.push(name);
      else if (!description.validator(sent)(example)) wrong.push(name);
    }
    expect({ missing, wrong }).toEqual({ missing: [], wrong: [] });
  });
});

describe('/docs', () => {
  test('is one page, at once, without a script; unchanged, it is not sent again', async () => {
    const first = await service.call({ url: '/docs' });
    expect(first.status).toBe(200);
    expect(first.headers['content-security-policy']).not.toContain('script');
    expect(first.body).not.toContain('<script');
    for (const { operationId = '' } of description.operations) expect(first.body).toContain(`id="${operationId}"`);
    const gzipped = await service.app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip' } });
    expect(gzipped.rawPayload.length).toBeLessThan(100_000);
    const etag = String(first.headers.etag);
    expect((await service.call({ url: '/docs', headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('is readable by everybody and asks no other host for anything', { timeout: 120_000 }, async () => {
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const browser = await launchBrowser();
    try {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ colorScheme });
        const page = await context.newPage();
        const asked: string[] = [];
        const refused: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        page.on('console', (message) => {
          if (message.type() === 'error') refused.push(message.text());
        });
        await page.goto(`${address}/docs`);
        await page.getByText('POST /brand/products', { exact: true }).click();
        await page.locator('#CreateProduct summary').click();
        expect(asked.filter((url) => /^(https?|wss?):/.test(url) && !url.startsWith(`${address}/`))).toEqual([]);
        expect(refused).toEqual([]);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
        await context.close();
      }
    } finally {
      await browser.close();
    }
  });
});

test('a route that does not say who may call it fails at the start', async () => {
  const { default: Fastify } = await import('fastify');
  const { everyRouteSaysWhoMayCall } = await import('../../src/http/route-rules.js');
  const app = Fastify();
  everyRouteSaysWhoMayCall(app);
  app.get('/open', { config: { access: { kind: 'public' } } } satisfies Partial<RouteOptions>, async () => 'a');
  app.get('/silent', async () => 'b');
  await expect(app.ready()).rejects.toThrow('GET /silent');
});
