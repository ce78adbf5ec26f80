import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}
export interface Response {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
export interface Operation {
  /** As `POST /brand/products/{id}/publish`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Described {
  readonly status: number;
  readonly contentType: string;
  readonly json: unknown;
}

/** The description of the interface, to be asked what it says of a call. */
export interface Description {
  readonly operations: readonly Operation[];
  readonly resolve: <T extends { readonly $ref?: string }>(value: T) => T;
  readonly validator: (schema: Schema) => ValidateFunction;
  /** What it does not know of an answer, or null. Pages and paths that it does not have are not its matter. */
  readonly strangerIn: (method: string, url: string, answer: Described) => string | null;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export function readDescription(document: object): Description {
  const { paths } = document as { paths: Record<string, Record<string, Partial<Operation>>> };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => {
        const shown = method.toUpperCase();
        const { parameters = [], responses = {}, ...rest } = operation;
        return { ...rest, name: `${shown} ${path}`, method: shown, path, parameters, responses };
      }),
  );
  const patterns = operations.map((operation) => ({
    operation,
    literals: operation.path.replaceAll(/\{[^}]+\}/g, '').length,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  patterns.sort((a, b) => b.literals - a.literals);

  const resolve = <T extends { readonly $ref?: string }>(value: T): T => {
    if (value.$ref === undefined) return value;
    return value.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document) as T;
  };

  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'description');
  const compiled = new Map<string, ValidateFunction>();
  const validator = (schema: Schema): ValidateFunction => {
    const key = JSON.stringify(schema);
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = ajv.compile(JSON.parse(key.replaceAll('"$ref":"#/', '"$ref":"description#/')) as object);
    compiled.set(key, made);
    return made;
  };

  const strangerIn: Description['strangerIn'] = (method, url, { status, contentType, json }) => {
    const path = url.split('?', 1)[0] ?? '';
    const found = patterns.find((one) => one.operation.method === method && one.pattern.test(path))?.operation;
    const [type = ''] = contentType.split(';', 1);
    const { code } = (json ?? {}) as { code?: string };
    const isNoRoute = code === 'route_not_found' || code === 'method_not_allowed';
    if (found === undefined || !/json/.test(type) || isNoRoute) return null;
    const response = found.responses[String(status)];
    if (response === undefined) return `${found.name} does not know the status ${status}: ${JSON.stringify(json)}`;
    const { description, content } = resolve(response);
    const schema = content?.[type]?.schema;
    if (schema === undefined) return `${found.name} ${status} does not know ${type}`;
    if (type === 'application/problem+json' && !description.includes(`\`${code}\``)) {
      return `${found.name} does not know the code "${code}"`;
    }
    const isValid = validator(schema);
    return isValid(json) ? null : `${found.name} ${status}: ${ajv.errorsText(isValid.errors)}`;
  };

  return { operations, resolve, validator, strangerIn };
}

/** What the description itself would send. */
export function exampleOf(description: Description, schema: Schema): unknown {
  const resolved = description.resolve(schema);
  const choices = (resolved['anyOf'] ?? []) as readonly Schema[];
  return (
    resolved.examples?.[0] ?? choices.map((choice) => exampleOf(description, choice)).find((one) => one !== undefined)
  );
}
