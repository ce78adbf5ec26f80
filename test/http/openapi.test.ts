import type { RouteOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.js';
import type { TestService } from '../support/service.js';
import { withService } from '../support/shared-service.js';

const PAGES = / \/((p|01|f|join|join-team)\/|sign-in|sign-out|magic-link|reset-password|verify|supplier)/;

let service: TestService;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
let document: any;
withService.beforeAll(async ({ service: shared }) => {
  service = shared;
  document = (await service.call({ url: '/openapi.json' })).json;
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations = () =>
  Object.entries(document.paths as Record<string, Record<string, unknown>>).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      // eslint-disable-next-line @typescript-eslint/no-explicit-any
      .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation: operation as any })),
  );

describe('/openapi.json', () => {
  test('is OpenAPI 3.1 and names the schemes of access', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.components.securitySchemes as object).sort()).toEqual([
      'apiKey',
      'browser',
      'operator',
      'organization',
      'session',
    ]);
  });

  test('has every route of the interface', () => {
    const names = operations().map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /auth/signup',
        'POST /auth/login',
        'POST /auth/logout',
        'POST /organizations',
        'GET /organizations',
        'GET /organizations/{id}',
        'PUT /admin/organizations/{id}/plan',
        'GET /brand/products',
        'POST /brand/products',
        'GET /brand/products/{id}',
        'PUT /brand/products/{id}',
        'DELETE /brand/products/{id}',
        'POST /brand/products/{id}/publish',
        'GET /brand/suppliers',
        'POST /brand/suppliers/invite',
        'GET /brand/suppliers/{id}',
        'GET /brand/batches',
        'POST /brand/batches',
        'GET /brand/batches/{id}',
        'POST /brand/batches/{id}/send-request',
        'POST /brand/batches/{id}/publish',
        'POST /brand/batches/{id}/request-changes',
        'GET /brand/dpps',
        'GET /brand/dpps/by-product/{productId}',
        'GET /brand/qr/{dppId}',
        'GET /factory/requests/{token}',
        'PUT /factory/requests/{token}/draft',
        'POST /factory/requests/{token}/submit',
      ]),
    );
  });

  test('says of each route what it does, what it answers, and what it may refuse', () => {
    for (const { name, operation } of operations()) {
      expect(operation.summary, name).toBeTruthy();
      expect(operation.tags, name).toHaveLength(1);
      const statuses = Object.keys(operation.responses as object).map(Number);
      expect(
        statuses.some((status) => status < 400),
        name,
      ).toBe(true);
      if (operation.requestBody !== undefined)
        expect(statuses, name).toEqual(expect.arrayContaining([400, 413, 415, 422]));
      if (/ \/brand/.test(name)) expect(statuses, name).toEqual(expect.arrayContaining([400, 401, 403, 500, 503]));
      if (/ \/brand.*\{/.test(name)) expect(statuses, name).toContain(404);
      for (const [status, response] of Object.entries(operation.responses as Record<string, { content?: object }>)) {
        if (Number(status) < 400 || name.endsWith('/health/ready')) continue;
        const [type] = Object.keys(response.content ?? {});
        const isPage = PAGES.test(name) && type === 'text/html';
        if (!isPage) expect(type, `${name} ${status}`).toBe('application/problem+json');
      }
    }
  });

  test('asks below /brand for a session and an organization, elsewhere for what the route needs', () => {
    for (const { name, operation } of operations()) {
      if (/ \/brand/.test(name))
        expect(operation.security, name).toEqual([
          { session: [], organization: [] },
          { apiKey: [], organization: [] },
        ]);
      if (/ \/admin/.test(name)) expect(operation.security, name).toEqual([{ operator: [] }]);
      if (/ \/(p|01|f|join|factory|health)\b/.test(name)) expect(operation.security, name).toEqual([]);
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
      const { schema } = post.requestBody.content['application/json'];
      expect(schema, event).toMatchObject({
        type: 'object',
        required: ['event', 'timestamp', 'data'],
        properties: { event: { const: event }, timestamp: { format: 'date-time' }, data: { type: 'object' } },
      });
      if (event === 'dpp.published') {
        expect(schema.properties.data.required).toEqual(['dppId', 'batchId', 'productName', 'qrUrl']);
      }
      expect((post.parameters as { name: string }[]).map(({ name }) => name)).toEqual(
        expect.arrayContaining(['X-Service-Signature', 'X-Service-Event', 'X-Service-Delivery', 'webhook-signature']),
      );
    }
  });

  test('gives calls that create their header', () => {
    const headers = (name: string) =>
      ((operations().find((one) => one.name === name)?.operation.parameters ?? []) as { in: string; name: string }[])
        .filter((parameter) => parameter.in === 'header')
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
});

describe('/docs', () => {
  test('shows the interface in a browser and asks no other host for anything', { timeout: 120_000 }, async () => {
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const asked: string[] = [];
      const refused: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => {
        if (message.type() === 'error') refused.push(message.text());
      });
      await page.goto(`${address}/docs`);
      await page.getByRole('heading', { name: 'Product Passport Service' }).first().waitFor({ timeout: 30_000 });
      await page.getByText('Products', { exact: true }).first().waitFor({ state: 'attached', timeout: 30_000 });
      // Until it has asked for nothing new for a second.
      for (let seen = -1; seen !== asked.length; await page.waitForTimeout(1_000)) seen = asked.length;
      const foreign = asked.filter((url) => /^(https?|wss?):/.test(url) && !url.startsWith(`${address}/`));
      expect(foreign).toEqual([]);
      expect(refused).toEqual([]);
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
