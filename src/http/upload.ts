import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, Refusal } from '../core/errors.js';

/** What a form with one file holds. */
export interface Upload {
  readonly fields: Readonly<Record<string, string>>;
  /** Null when there is no such part, or nothing in it. */
  readonly file: Buffer | null;
  /** There was a file, larger than allowed; fields that come after it are not read. */
  readonly isTooLarge: boolean;
}

/** Lets the routes registered beside it take `multipart/form-data`, with one file of at most `maxBytes`. */
export async function takesUploads(app: FastifyInstance, { maxBytes }: { readonly maxBytes: number }): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: true,
    limits: { fileSize: maxBytes, files: 1, fields: 200, fieldSize: 10_000, parts: 201, headerPairs: 50 },
  });
}

/** Reads the whole form; `part` names its file. */
export async function readUpload(request: FastifyRequest, part: string): Promise<Upload> {
  if (!request.isMultipart()) {
    throw new Refusal('unsupported_media_type', 'Send the file as "multipart/form-data".');
  }
  const fields: Record<string, string> = {};
  let file: Buffer | null = null;
  try {
    for await (const one of request.parts()) {
      if (one.type === 'file') {
        const content = await one.toBuffer();
        if (one.fieldname === part && content.length > 0) file = content;
      } else if (typeof one.value === 'string') {
        fields[one.fieldname] = one.value;
      }
    }
  } catch (error) {
    if (codeOf(error) === 'FST_REQ_FILE_TOO_LARGE') return { fields, file: null, isTooLarge: true };
    throw refusalOf(error);
  }
  return { fields, file, isTooLarge: false };
}

/** The content of the one file that the call is about. */
export async function readFileOf(request: FastifyRequest, part: string): Promise<Buffer> {
  const { file, isTooLarge } = await readUpload(request, part);
  if (isTooLarge) throw tooLarge();
  if (file === null) throw invalid(part, `The form has no file in its part "${part}".`);
  return file;
}

function refusalOf(error: unknown): unknown {
  if (/^FST_(FILES_LIMIT|PARTS_LIMIT|FIELDS_LIMIT)$/.test(codeOf(error))) return tooLarge();
  if (error instanceof Refusal) return error;
  return new Refusal('malformed_request', 'The form is not well-formed "multipart/form-data".');
}

const codeOf = (error: unknown): string => (error as { readonly code?: string }).code ?? '';

const tooLarge = (): Refusal =>
  new Refusal('payload_too_large', 'The file, or the form around it, is larger than allowed.');
