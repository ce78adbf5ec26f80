import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { z } from 'zod';
import type { FieldError } from '../core/errors.js';

/** As many as help; a list of thousands would only repeat itself. */
const MAX_ERRORS = 100;

/** Input that its schema refuses. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly errors: readonly FieldError[];
  /** Set by Fastify: which part of the request. */
  validationContext: string | undefined;

  constructor(issues: z.core.$ZodIssue[]) {
    super('the request does not fit its schema');
    this.errors = fieldErrors({ issues });
  }
}

/** What a schema refuses, by field. */
export const fieldErrors = ({ issues }: Pick<z.core.$ZodError, 'issues'>): readonly FieldError[] =>
  issues.slice(0, MAX_ERRORS).map(({ path, code, message }) => ({
    path: path.join('.'),
    // The library's name for a rule of ours says nothing to a caller.
    code: code === 'custom' ? 'invalid_value' : code,
    message,
  }));

/** Parses with zod; what the handler gets is the parsed value, without the fields that the schema does not know. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (data) => {
    const result = z.safeDecode(schema, data as never);
    return result.success ? { value: result.data } : { error: new InvalidInput(result.error.issues) };
  };

/** Writes what the schema knows of an answer, and nothing else; an answer that does not fit its schema is a fault of ours. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> =
  ({ schema, method, url }) =>
  (answer) => {
    // Parsed and not encoded: no answer has a codec, and for lists parsing takes a third of the time.
    const result = z.safeParse(schema, answer);
    if (!result.success)
      throw new Error(`the answer of ${method} ${url} does not fit its schema`, { cause: result.error });
    return JSON.stringify(result.data);
  };
