import type { jsonSchemaTransform } from '@fastify/type-provider-zod';
import type { RouteOptions } from 'fastify';
import { z } from 'zod';
import type { RefusalCode } from '../../core/errors.js';
import type { Access } from '../access.js';
import { problemAnswers, refusalsOf } from './refusals.js';

const SECURITY_OF_ACCESS: Record<Exclude<Access['kind'], 'page'>, Record<string, string[]>[]> = {
  public: [],
  link: [],
  account: [{ session: [] }],
  member: [
    { session: [], organization: [] },
    { apiKey: [], organization: [] },
  ],
  operator: [{ operator: [] }],
};

function securityOf(access: Access): Record<string, string[]>[] {
  if (access.kind === 'page') return [];
  return access.kind === 'member' && access.named.in === 'path' ? [{ session: [] }] : SECURITY_OF_ACCESS[access.kind];
}

const IDEMPOTENCY_HEADER = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: 'The same key and body again answer the same', examples: ['order-4711'] }),
});

type Document = Parameters<typeof jsonSchemaTransform>[0];
type Schema = NonNullable<RouteOptions['schema']> & { hide?: boolean };

/** Adds to a route what its access and its body say without being written down. Pages are no part of the description. */
export function complete(document: Document): Document {
  const { route } = document;
  const { config } = route;
  const schema = document.schema as Schema | undefined;
  if (schema === undefined || config?.access === undefined || schema.hide === true) return document;
  const { refuses: _own, ...said } = schema;
  if (config.page === true && schema.operationId === undefined) {
    return { ...document, schema: { ...said, hide: true } };
  }
  const refusals = refusalsOf({ method: route.method, url: route.url, config, schema });
  return {
    ...document,
    schema: {
      ...said,
      ...(config.receivesFile === true ? { body: asSent(schema.body) } : {}),
      ...(config.creates === undefined ? {} : { headers: IDEMPOTENCY_HEADER }),
      security: securityOf(config.access),
      ...(takesNoBody(schema.body) ? { 'x-optional-body': true } : {}),
      'x-refusals': refusals,
    } as never,
  };
}

const takesNoBody = (body: unknown): boolean => body instanceof z.ZodType && body.safeParse(undefined).success;

/** What is checked is the hash of the file that was received; what is sent is the file. */
function asSent(body: unknown): unknown {
  if (!(body instanceof z.ZodObject)) throw new Error('a route that receives a file describes its parts');
  const { description } = body.shape['file'] as z.ZodType;
  return body.extend({ file: z.string().meta({ format: 'binary', description }) });
}

interface Answer {
  description: string;
  headers?: object;
  content?: Record<string, { schema?: { $ref?: string; description?: string } }>;
}
interface Operation {
  parameters?: { schema: { description?: string; examples?: unknown[] }; description?: string; example?: unknown }[];
  responses: Record<string, Answer | object>;
  requestBody?: { required?: boolean };
  'x-refusals'?: readonly RefusalCode[];
  'x-optional-body'?: true;
}
interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  readonly components?:
    | { schemas?: Readonly<Record<string, { description?: string }>> | undefined; responses?: Record<string, object> }
    | undefined;
}

/** Says of each operation what its answers are: those that succeed by their schemas, the others by their codes. */
export function describeAnswers(document: Described): void {
  const { components = {} } = document;
  const schemas = components.schemas ?? {};
  const refusals = (components.responses ??= {});
  const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path) as Operation[]);
  for (const operation of operations) {
    for (const parameter of operation.parameters ?? []) {
      const { examples } = parameter.schema;
      if (examples !== undefined) parameter.example = examples[0];
    }
    for (const answer of Object.values(operation.responses) as Answer[]) {
      const schema = Object.values(answer.content ?? {})[0]?.schema;
      const name = schema?.$ref?.split('/').at(-1);
      answer.description = (name === undefined ? schema : schemas[name])?.description ?? '';
    }
    for (const { status, name, answer } of problemAnswers(operation['x-refusals'] ?? [])) {
      if (operation.responses[status] !== undefined) continue;
      refusals[name] = answer;
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
    if (operation['x-optional-body'] && operation.requestBody !== undefined) operation.requestBody.required = false;
    delete operation['x-refusals'];
    delete operation['x-optional-body'];
  }
}
