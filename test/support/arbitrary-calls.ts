import fc from 'fast-check';
import type { Description, Operation, Schema } from './description.js';

const IDS = ['prd', 'sup', 'bat', 'whk', 'dlv', 'imp', 'req', 'org', 'usr'];
const HOSTILE = [
  '',
  ' ',
  '\0',
  '\ud800',
  "'; drop table x --",
  '<script>',
  '../..',
  '%00',
  '1e309',
  'ı',
  'a'.repeat(300),
];

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e21, [], {}, ...HOSTILE),
  fc.string({ maxLength: 20 }),
);

/** What the schema takes, and now and then something that it does not. */
function valueOf(description: Description, schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const resolved = description.resolve(schema);
  const { examples = [] } = resolved;
  const odds = [{ weight: 6, arbitrary: fitting(description, resolved, depth) }];
  if (examples.length > 0) odds.push({ weight: 4, arbitrary: fc.constantFrom(...examples) });
  return fc.oneof(...odds, { weight: 1, arbitrary: anything });
}

function fitting(description: Description, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valueOf(description, choice, depth)));
  const closed = schema['enum'] as readonly unknown[] | undefined;
  if (closed !== undefined) return fc.constantFrom(...closed);
  const { minimum = 0, maximum = 1e9 } = schema as { minimum?: number; maximum?: number };
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
      const required = (schema['required'] ?? []) as string[];
      const members = Object.entries(properties).map(([name, member]) => [
        name,
        valueOf(description, member, depth + 1),
      ]);
      return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: required.filter((name) => name in properties),
      });
    }
    case 'array':
      return fc.array(valueOf(description, (schema['items'] ?? {}) as Schema, depth + 1), { maxLength: 3 });
    case 'integer':
      return fc.oneof(fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1), fc.integer({ min: 0, max: 100 }));
    case 'number':
      return fc.oneof(fc.constantFrom(0, 100, -1, 1e-9), fc.double({ noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.oneof(
        fc.string({ maxLength: 30 }),
        fc.string({ unit: 'grapheme', maxLength: 10 }),
        fc.constantFrom(...HOSTILE),
      );
    default:
      return anything;
  }
}

export interface ArbitraryCall {
  readonly url: string;
  readonly payload?: unknown;
}

/** Calls of an operation along its description, with ids that exist (`known`) and that do not. */
export function callsOf(
  description: Description,
  operation: Operation,
  known: readonly string[],
): fc.Arbitrary<ArbitraryCall> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const id = fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom(...IDS).map((prefix) => `${prefix}_019abf5e-8c3a-7d41-9b52-3f6a0c1d2e4f`),
    fc.constantFrom(...HOSTILE.filter((text) => text !== '' && text.isWellFormed())),
  );
  const sent = operation.requestBody?.content['application/json']?.schema;
  return fc
    .record({
      path: fc.tuple(...inPath.map(() => id)),
      query: fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, valueOf(description, schema)])), {
        requiredKeys: [],
      }),
      body: sent === undefined ? fc.constant(undefined) : valueOf(description, sent),
    })
    .map(({ path, query, body }) => {
      const ids = path.map((value) => encodeURIComponent(value));
      const filled = operation.path.replaceAll(/\{[^}]+\}/g, () => ids.shift() ?? '');
      const pairs = Object.entries(query)
        .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const)
        .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
      const url = pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
      return body === undefined ? { url } : { url, payload: body };
    });
}
