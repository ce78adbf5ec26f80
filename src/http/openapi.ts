import swagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from '@fastify/type-provider-zod';
import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Access } from './access.js';
import { problem } from './schemas.js';
import { webhookOperations, type WebhookCall } from './webhook-operations.js';

const DESCRIPTION = `Digital product passports for fashion brands: catalogue, suppliers, batches, requests to factories, published passports.

Calls below \`/brand\` carry \`Authorization: Bearer <token>\` and \`X-Organization-Id\`. Errors are RFC 9457 problem+json with a stable \`code\`.
Calls that create take an \`Idempotency-Key\`: sent again within 24 hours, the same call answers the same.`;

/** What every call with this access may also be answered. */
const STATUSES_OF_ACCESS: Record<Access['kind'], readonly number[]> = {
  public: [],
  link: [],
  account: [401],
  page: [403],
  // The last for an API key that calls too often.
  member: [401, 403, 429],
  operator: [401, 403],
};

const SECURITY_OF_ACCESS: Record<Access['kind'], Record<string, string[]>[]> = {
  public: [],
  link: [],
  account: [{ session: [] }],
  page: [{ browser: [] }],
  member: [
    { session: [], organization: [] },
    { apiKey: [], organization: [] },
  ],
  operator: [{ operator: [] }],
};

const securityOf = (access: Access): Record<string, string[]>[] =>
  access.kind === 'member' && access.named.in === 'path' ? [{ session: [] }] : SECURITY_OF_ACCESS[access.kind];

/** `/openapi.json` and `/docs`, made from the schemas that check and shape every call. */
export async function openApi(
  app: FastifyInstance,
  { baseUrl, version, webhooks }: { baseUrl: string; version: string; webhooks: readonly WebhookCall[] },
) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Product Passport Service',
        version,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: baseUrl }],
      components: {
        securitySchemes: {
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Token of a sign-in, valid for 7 days.',
          },
          apiKey: { type: 'http', scheme: 'bearer', description: 'Key of a machine, `pps_...`, with its scopes.' },
          browser: { type: 'apiKey', in: 'cookie', name: '__Host-session', description: 'Of the pages alone.' },
          organization: { type: 'apiKey', in: 'header', name: 'X-Organization-Id' },
          operator: { type: 'http', scheme: 'bearer', description: "The operator's token." },
        },
      },
    },
    transform: (document) => {
      return jsonSchemaTransform(complete(document));
    },
    transformObject: (document) => ({
      ...asProblemJson(jsonSchemaTransformObject(document)),
      webhooks: webhookOperations(webhooks),
    }),
  });

  app.get('/openapi.json', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async () =>
    app.swagger(),
  );

  // Four megabytes of script, so it is read when somebody asks; served from here, as nothing may come from another host.
  let reference: Promise<FastifyInstance> | undefined;
  for (const url of ['/docs', '/docs/', '/docs/js/scalar.js']) {
    app.get(url, { config: { access: { kind: 'public' } }, schema: { hide: true } }, async (_request, reply) => {
      const { statusCode, headers, rawPayload } = await (await (reference ??= startReference())).inject(url);
      return reply
        .code(statusCode)
        .headers({
          'Content-Security-Policy': DOCS_POLICY,
          ...(headers.location === undefined ? { 'Content-Type': headers['content-type'] } : { Location: '/docs/' }),
        })
        .send(rawPayload);
    });
  }
}

/** The reference page, as a small service within the service. */
async function startReference(): Promise<FastifyInstance> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
      pageTitle: 'Product Passport Service: API reference',
    },
  });
  return app;
}

// The reference sets styles and starts by inline script; it may talk to this service alone.
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const IDEMPOTENCY_HEADER = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().describe('The same key and body again answer the same'),
});

type Document = Parameters<typeof jsonSchemaTransform>[0];

/** Adds to a route what its access, its body and its place between servers say without being written down. */
function complete(document: Document): Document {
  const { schema, route } = document;
  const { config } = route;
  if (config?.access === undefined || (schema as { hide?: boolean } | undefined)?.hide === true) return document;
  const own = (schema as { response?: Record<string, unknown> }).response ?? {};
  const statuses = [
    ...STATUSES_OF_ACCESS[config.access.kind],
    ...(config.access.kind === 'member' && config.access.named.in === 'header' ? [400] : []),
    ...((schema as { body?: unknown }).body === undefined ? [] : [400, 413, 415, 422]),
    ...((schema as { querystring?: unknown }).querystring === undefined ? [] : [422]),
    ...(config.creates === undefined ? [] : [409, 422]),
    500,
    503,
  ];
  const implied = Object.fromEntries(statuses.map((status) => [status, problem]));
  return {
    ...document,
    schema: {
      ...schema,
      ...(config.receivesFile === true ? { body: asSent((schema as { body?: unknown }).body) } : {}),
      ...(config.creates === undefined ? {} : { headers: IDEMPOTENCY_HEADER }),
      ...(config.page === true && config.access.kind !== 'account' ? { produces: ['text/html'] } : {}),
      security: securityOf(config.access),
      response: { ...implied, ...own },
    },
  };
}

/** What is checked is the hash of the file that was received; what is sent is the file. */
function asSent(body: unknown): unknown {
  if (!(body instanceof z.ZodObject)) return body;
  const { description } = body.shape['file'] as z.ZodType;
  return body.extend({ file: z.string().meta({ format: 'binary', description }) });
}

type Described = ReturnType<typeof jsonSchemaTransformObject>;

/** The part of an OpenAPI document that is changed here. */
interface Answers {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { responses?: Record<string, Answer> }>>>>;
}
interface Answer {
  content?: Record<string, { schema?: object }>;
}

/** Problems have a content type of their own. */
function asProblemJson(document: Described): Described {
  const operations = Object.values((document as Answers).paths ?? {}).flatMap((path) => Object.values(path));
  for (const { responses } of operations) {
    for (const response of Object.values(responses ?? {})) {
      const [media] = Object.values(response.content ?? {});
      const schema = media?.schema as { $ref?: string } | undefined;
      if (media !== undefined && schema?.$ref === '#/components/schemas/Problem') {
        response.content = { 'application/problem+json': media };
      }
    }
  }
  return document;
}
