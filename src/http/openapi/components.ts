import { z } from 'zod';

/*
 * Schemas become JSON Schema twice, as what is sent and as what is answered. Most say the same both times: here they become
 * one component again, under the name that they have in the code.
 */

export type Schemas = Record<string, object>;

const PREFIX = '#/components/schemas/';
/** What the library adds to the name of a schema as it is sent. */
const SENT = 'Input';

const refsIn = (value: object): readonly string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '');

const withRefs = <Value extends object>(value: Value, rename: (name: string) => string): Value =>
  JSON.parse(
    JSON.stringify(value).replaceAll(
      /"\$ref":"#\/components\/schemas\/([^"]+)"/g,
      (_whole, name: string) => `"$ref":"${PREFIX}${rename(name)}"`,
    ),
  ) as Value;

/** The document with its components named once; those that nothing uses are left out. */
export function nameOnce<Document extends { readonly components?: { readonly schemas?: Schemas | undefined } }>(
  document: Document,
): Document {
  const { schemas = {}, ...components } = document.components ?? {};
  const used = reached({ ...document, components }, schemas);
  const plain = (name: string): string => (name.endsWith(SENT) ? name.slice(0, -SENT.length) : name);

  // Two are one if all that they refer to is; so those that differ are looked for until there are no more.
  const apart = new Set<string>();
  const renamed = (name: string): string => (apart.has(plain(name)) ? name : plain(name));
  const text = (name: string): string => JSON.stringify(withRefs(schemas[name] ?? {}, renamed));
  const twice = Object.keys(schemas).filter((name) => used.has(name) && used.has(name + SENT));
  for (let known = -1; known !== apart.size;) {
    known = apart.size;
    for (const name of twice) if (text(name) !== text(name + SENT)) apart.add(name);
  }

  const kept = Object.fromEntries([...used].toSorted().map((name) => [renamed(name), schemas[name] ?? {}]));
  return withRefs({ ...document, components: { ...document.components, schemas: kept } }, renamed);
}

/** The names of all schemas that the document leads to. */
function reached(document: object, schemas: Schemas): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...refsIn(document)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...refsIn(schemas[name] ?? {}));
  }
  return found;
}

interface Converted {
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
  examples?: unknown;
}

/** Mends what the library makes of a schema. */
export function mend({ zodSchema, jsonSchema }: { readonly zodSchema: object; readonly jsonSchema: object }): void {
  const converted = jsonSchema as Converted;
  // An integer without a bound is given those of the language; they are no rule of ours.
  if (converted.minimum === Number.MIN_SAFE_INTEGER) delete converted.minimum;
  if (converted.maximum === Number.MAX_SAFE_INTEGER) delete converted.maximum;
  // A date's format says what four lines of pattern say again.
  if (converted.format === 'date' || converted.format === 'date-time') delete converted.pattern;
  // Of what is read into another type the examples are left out, though they show what is sent.
  const examples = z.globalRegistry.get(zodSchema as z.ZodType)?.examples;
  if (examples !== undefined) converted.examples = examples;
}
