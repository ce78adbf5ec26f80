import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalid, Refusal } from '../core/errors.js';

/** What a form with one file holds. */
export interface Upload {
  readonly fields: Readonly<Record<string, string>>;
  /** Null when there is no such part, or nothing in it. */
  readonly file: Buffer | null;
}

/** Lets the routes registered beside it take `multipart/form-data`, with one file of at most `maxBytes`. */
export async function takesUploads(app: FastifyInstance, { maxBytes }: { readonly maxBytes: number }): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: true,
    limits: { fileSize: maxBytes, files: 1, fields: 50, fieldSize: 10_000, parts: 51, headerPairs: 50 },
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
    throw refusalOf(error);
  }
  return { fields, file };
}

/** The content of the one file that the call is about. */
export async function readFileOf(request: FastifyRequest, part: string): Promise<Buffer> {
  const { file } = await readUpload(request, part);
  if (file === null) throw invalid(part, `The form has no file in its part "${part}".`);
  return file;
}

function refusalOf(error: unknown): unknown {
  const code = (error as { readonly code?: string }).code ?? '';
  if (/^FST_(REQ_FILE_TOO_LARGE|FILES_LIMIT|PARTS_LIMIT|FIELDS_LIMIT)$/.test(code)) {
    return new Refusal('payload_too_large', 'The file, or the form around it, is larger than allowed.');
  }
  if (error instanceof Refusal) return error;
  return new Refusal('malformed_request', 'The form is not well-formed "multipart/form-data".');
}
