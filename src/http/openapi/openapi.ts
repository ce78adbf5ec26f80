import swagger from '@fastify/swagger';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from '@fastify/type-provider-zod';
import type { FastifyInstance } from 'fastify';
import { mend, nameOnce } from './components.js';
import { complete, describeAnswers } from './operations.js';
import { referencePage } from './reference-page.js';
import { webhookOperations, type WebhookCall } from './webhooks.js';

const DESCRIPTION = `Digital product passports for fashion brands: catalogue, suppliers, batches, requests to factories, published passports.

Calls below \`/brand\` carry \`Authorization: Bearer <token>\` and \`X-Organization-Id\`. Errors are RFC 9457 problem+json with a stable \`code\`.
Calls that create take an \`Idempotency-Key\`: sent again within 24 hours, the same call answers the same.
Lists answer \`{ data, nextCursor? }\`, newest first; times are milliseconds since the Unix epoch. Members may be added to answers and events.`;

/** The groups of operations, in the order in which they are read. */
const TAGS = {
  Accounts: 'Sign-up, sign-in, sessions.',
  Organizations: 'Brands, and what they have booked.',
  Members: 'People of an organization and their roles.',
  'API keys': 'Access for machines.',
  'Personal data': 'Export and erasure.',
  Products: 'The catalogue of a brand.',
  'Bulk import': 'Products from spreadsheets and in bulk.',
  Suppliers: 'Factories and their sub-suppliers, as the brand sees them.',
  Batches: 'Production batches and the requests for their data.',
  Passports: 'Published passports and their QR codes.',
  Webhooks: 'Events, sent to receivers of the brand.',
  'Factory link': 'What a factory does behind a mailed link, without an account.',
  Factory: 'What a factory does with an account.',
  Operator: 'For those who run the service.',
  Health: 'For those who watch the service.',
};

/** `/openapi.json`, made from the schemas that check and shape every call. */
export async function openApi(
  app: FastifyInstance,
  { baseUrl, version, webhooks }: { baseUrl: string; version: string; webhooks: readonly WebhookCall[] },
) {
  const zodToJsonConfig = { override: mend };
  const transform = createJsonSchemaTransform({ zodToJsonConfig });
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig });
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
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        headers: {
          'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
        },
        securitySchemes: {
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Token of a sign-in, valid for 7 days.',
          },
          apiKey: { type: 'http', scheme: 'bearer', description: 'Key of a machine, `pps_...`, with its scopes.' },
          organization: { type: 'apiKey', in: 'header', name: 'X-Organization-Id' },
          operator: { type: 'http', scheme: 'bearer', description: "The operator's token." },
        },
      },
    },
    transform: (document) => transform(complete(document)),
    transformObject: (document) => {
      const described = { ...transformObject(document), webhooks: webhookOperations(webhooks) };
      describeAnswers(described as never);
      return nameOnce(described as never);
    },
  });

  app.get('/openapi.json', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
  referencePage(app);
}
