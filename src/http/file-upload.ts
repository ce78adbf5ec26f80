import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalid, Refusal } from '../core/errors.js';

/** The file of a multipart call, written to a file that lives as long as the call. */
export interface ReceivedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** What a multipart call with one file holds. */
export interface Upload {
  readonly fields: Readonly<Record<string, string>>;
  /** Null when there is no such part. */
  readonly file: ReceivedFile | null;
  /** There was a file, larger than allowed; fields that come after it are not read. */
  readonly isTooLarge: boolean;
}

/** What stands for the file in the body of such a call. */
export const receivedPart = z.object({ sha256: z.string(), sizeBytes: z.int() });

/** How to read the file of a call; reading it where none was received is a fault. */
export type ReceivedFileOf = (request: FastifyRequest) => ReceivedFile;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call is multipart with a part `file`; its other parts, and the hash of the file, are its body. */
    receivesFile?: boolean;
  }
}

/**
 * Lets the routes of this plugin with `config.receivesFile` take a file of at most `maxBytes`. The body that is checked holds the
 * hash, so an idempotency key covers the file's content.
 */
export async function receiveFiles(app: FastifyInstance, { maxBytes }: { maxBytes: number }): Promise<ReceivedFileOf> {
  const readUpload = await takeUploads(app, { maxBytes, part: 'file', fields: 10, fieldBytes: 256 * 1024 });
  const received = new WeakMap<FastifyRequest, ReceivedFile>();

  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.receivesFile !== true) return;
    // Told at once if the caller says how long it is; else when it is.
    if (Number(request.headers['content-length']) > maxBytes + BESIDE_FILE_BYTES) throw tooLarge(maxBytes);
    const { fields, file, isTooLarge } = await readUpload(request);
    if (isTooLarge) throw tooLarge(maxBytes);
    if (file === null) throw invalid('file', 'The call has no part named "file".');
    received.set(request, file);
    request.body = { ...fields, file: { sha256: file.sha256, sizeBytes: file.sizeBytes } };
  });

  return (request) => {
    const file = received.get(request);
    if (file === undefined) throw new Error('the route receives no file');
    return file;
  };
}

/**
 * Has the calls of this plugin read as multipart with one file, in the part of this name. It goes to the disk and never into
 * memory.
 */
export async function takeUploads(
  app: FastifyInstance,
  {
    maxBytes,
    part: filePart,
    fields: maxFields,
    fieldBytes,
  }: { readonly maxBytes: number; readonly part: string; readonly fields: number; readonly fieldBytes: number },
): Promise<(request: FastifyRequest) => Promise<Upload>> {
  await app.register(multipart, {
    limits: {
      ...{ fileSize: maxBytes, files: 1, fields: maxFields, fieldSize: fieldBytes, parts: maxFields + 1 },
      headerPairs: 50,
    },
    throwFileSizeLimit: false,
  });
  await dropLeftFolders(app);
  const folders = new WeakMap<FastifyRequest, string>();

  // Not once the answer has gone out: nobody may be there to take it.
  app.addHook('onSend', async (request, _reply, payload) => {
    const folder = folders.get(request);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    return payload;
  });

  return async (request) => {
    if (!request.isMultipart()) {
      const message = `Send the file as multipart/form-data, in a part named "${filePart}".`;
      throw new Refusal('unsupported_media_type', message);
    }
    const folder = await mkdtemp(join(tmpdir(), FOLDER));
    folders.set(request, folder);
    // A part waits for its end, which never comes when the caller has gone.
    const gone = new AbortController();
    request.raw.once('close', () => {
      if (!request.raw.readableEnded) gone.abort();
    });
    const fields: Record<string, string> = {};
    let file: ReceivedFile | null = null;
    for await (const part of partsOf(request)) {
      if (part.type === 'field') {
        if (typeof part.value === 'string') fields[part.fieldname] = part.value;
      } else if (part.fieldname === filePart) {
        file = await keep(part.file, join(folder, 'file'), gone.signal).catch((error: unknown) => {
          throw asRefusal(error);
        });
        if (part.file.truncated) return { fields, file: null, isTooLarge: true };
      } else {
        part.file.resume();
      }
    }
    return { fields, file, isTooLarge: false };
  };
}

const FOLDER = 'passport-upload-';
/** What a process that was killed has left behind goes when the next one starts; no call takes as long. */
const LEFT_AFTER_MS = 60 * 60 * 1000;
/** Fields and what stands around the parts. */
const BESIDE_FILE_BYTES = 3 * 1024 * 1024;

const tooLarge = (maxBytes: number): Refusal =>
  new Refusal('payload_too_large', `A file has at most ${Math.floor(maxBytes / 1024 / 1024)} MiB.`);

async function dropLeftFolders(app: FastifyInstance): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDER));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    try {
      const { mtimeMs } = await stat(folder);
      if (mtimeMs < Date.now() - LEFT_AFTER_MS) await rm(folder, { recursive: true, force: true });
    } catch (error) {
      // Another process has been quicker, or it is not ours.
      app.log.warn({ err: error }, 'could not remove what an upload had left behind');
    }
  }
}

async function* partsOf(request: FastifyRequest) {
  try {
    yield* request.parts();
  } catch (error) {
    throw error instanceof Refusal ? error : asRefusal(error);
  }
}

/** What the parser says about a body that is no multipart after all, or has too much of something. */
function asRefusal(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (code?.startsWith('FST_') === true && /LIMIT|TOO_LARGE/.test(code)) {
    return new Refusal('payload_too_large', message ?? 'The call has too many parts.');
  }
  const isFault = error instanceof Error && 'syscall' in error;
  return isFault
    ? error
    : new Refusal('malformed_request', 'The multipart body ends in the middle or is not well formed.');
}

async function keep(source: NodeJS.ReadableStream, path: string, signal: AbortSignal): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(source, counted, createWriteStream(path, { mode: 0o600 }), { signal });
  return { path, sizeBytes, sha256: hash.digest('hex') };
}
