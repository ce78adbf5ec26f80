import type { FastifyInstance } from 'fastify';
import { renderReference } from '../../pages/index.js';
import type { OperationView, ReferenceView } from '../../pages/views.js';
import { asPage, sendUnlessKept } from '../page.js';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly $ref?: string; readonly description?: string }>>;
}
interface Document {
  readonly info: ReferenceView['info'];
  readonly tags: ReferenceView['tags'];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Content & { readonly description?: string }>>;
  };
}

/** `/docs`: the description for people to read. It is the same until the program ends, so it is written once. */
export function referencePage(app: FastifyInstance): void {
  let page: string | null = null;
  app.get('/docs', { config: { access: { kind: 'public' } }, schema: { hide: true } }, async (request, reply) => {
    page ??= renderReference(viewOf(app.swagger() as unknown as Document));
    return sendUnlessKept(request, asPage(reply).header('Cache-Control', 'no-cache'), page);
  });
}

function viewOf({ info, tags, paths, webhooks, components }: Document): ReferenceView {
  const contentOf = ({ content = {} }: Content) => {
    const schema = Object.values(content)[0]?.schema;
    const name = schema?.$ref?.split('/').at(-1) ?? null;
    const example = (name === null ? schema : components.schemas[name])?.examples?.[0];
    return {
      types: Object.keys(content),
      schema: name,
      example: example === undefined ? null : JSON.stringify(example, null, 2),
    };
  };
  const operationOf = (method: string, path: string, operation: Operation): OperationView => ({
    ...{ id: operation.operationId, method: method.toUpperCase(), path, tag: operation.tags?.[0] ?? '' },
    ...{ summary: operation.summary, description: operation.description ?? '' },
    parameters: (operation.parameters ?? []).map(({ name, in: place, description = '' }) => ({
      ...{ name, place, description },
    })),
    body: operation.requestBody === undefined ? null : contentOf(operation.requestBody),
    answers: Object.entries(operation.responses).map(([status, own]) => {
      const shared = components.responses[own.$ref?.split('/').at(-1) ?? ''];
      const answer = shared ?? own;
      return { status, description: answer.description ?? '', ...contentOf(answer) };
    }),
  });
  return {
    ...{ info, tags },
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
    ),
    webhooks: Object.entries(webhooks).map(([event, { post }]) => operationOf('post', event, post)),
    schemas: Object.entries(components.schemas).map(([name, schema]) => ({
      ...{ name, description: schema.description ?? '' },
      json: JSON.stringify(schema, null, 2),
    })),
  };
}
