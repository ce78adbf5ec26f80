import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { z } from 'zod';
import { invalid, Refusal } from '../../core/errors.js';
import { deterministicUuid } from '../../core/ids.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { problemResponses } from '../../http/schemas.js';
import { isBlankRow, type SheetHead, type SheetRow } from '../../infrastructure/spreadsheets/cells.js';
import { createSpreadsheetReader, type SpreadsheetReader } from '../../infrastructure/spreadsheets/reader.js';
import { commitRows } from './commit.js';
import type { ImportRow, RowOutcome } from './contract.js';
import { findHeader, HEADER_WITHIN_ROWS } from './files/header.js';
import { bindingsOf, toImportRow } from './files/import-row.js';
import { mapColumns } from './files/mapping.js';
import { COMMIT_ROWS, refuseBeyondPlan } from './limits.js';

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const LIMITS = { rows: 5_000, columns: 200, timeLimitMs: 30_000, memoryMb: 256 };
const READERS_AT_ONCE = 1;

const answer = z.object({
  created: z.int(),
  skipped: z.int(),
  errors: z.array(z.object({ row: z.int(), error: z.string() })),
});

/** The older way to import a file: all rows in one call, new products only. */
export const legacyImportRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const importDeps = { ...deps, consumerUrl: deps.config.CONSUMER_URL };
    const reader = createSpreadsheetReader({ limits: LIMITS, atOnce: READERS_AT_ONCE });
    await app.register(multipart, {
      limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 10, parts: 11 },
    });

    app.route({
      method: 'POST',
      url: '/brand/bulk/products',
      config: { access: access.import, creates: true },
      schema: {
        summary: `Import a CSV (multipart, part \`file\`, at most ${LIMITS.rows} rows) in one call; older than the others`,
        tags: ['Bulk import'],
        consumes: ['multipart/form-data'],
        response: { 200: answer, ...problemResponses(403, 409, 413, 415, 422) },
      },
      handler: async (request) => {
        if (!request.isMultipart()) {
          throw new Refusal('unsupported_media_type', 'The call takes multipart/form-data with a part "file".');
        }
        const part = await request.file();
        if (part?.fieldname !== 'file') throw invalid('file', 'The part "file" is missing.');
        const { rows, fileHash } = await inTemporaryFile(part.file, (path) => readRows(reader, path));
        refuseBeyondPlan(request.member.plan, rows.length);
        const context = request.command();
        const source = { importId: `imp_${deterministicUuid(context.seed, fileHash)}`, fileHash };
        const outcomes: RowOutcome[] = [];
        for (let start = 0; start < rows.length; start += COMMIT_ROWS) {
          const chunk = rows.slice(start, start + COMMIT_ROWS);
          outcomes.push(...(await commitRows(importDeps, context, { source, mode: 'create', rows: chunk })));
        }
        return answerOf(outcomes);
      },
    });
  };

const answerOf = (outcomes: readonly RowOutcome[]): z.output<typeof answer> => ({
  created: outcomes.filter(({ outcome }) => outcome === 'create').length,
  skipped: outcomes.filter(({ outcome }) => outcome === 'skipped' || outcome === 'unchanged').length,
  errors: outcomes
    .filter(({ errors }) => errors.length > 0)
    .map(({ row, errors }) => ({ row, error: errors.map(({ message }) => message).join(' ') })),
});

async function readRows(reader: SpreadsheetReader, path: string): Promise<readonly ImportRow[]> {
  let head: SheetHead | null = null;
  const sheet: SheetRow[] = [];
  for await (const part of reader.read(path)) {
    if ('format' in part) head = part;
    else sheet.push(...part.filter(({ cells }) => !isBlankRow(cells)));
  }
  const header = findHeader(sheet.slice(0, HEADER_WITHIN_ROWS), head?.merges ?? []);
  const { columns, unmappedRequired } = mapColumns(header.columns);
  if (unmappedRequired.length > 0) throw new Refusal('name_unmapped', 'The file has no column "name".');
  const bindings = bindingsOf(columns);
  const width = head?.format === 'csv' ? Math.max(...columns.map(({ index }) => index)) + 1 : null;
  return sheet.filter(({ row }) => row > header.row).map((row) => toImportRow(row, bindings, { width }));
}

/** The reader works on files, in a thread of its own; nothing is left behind. */
async function inTemporaryFile<Result>(
  sent: Readable & { readonly truncated?: boolean },
  work: (path: string) => Promise<Result>,
): Promise<{ readonly rows: Result; readonly fileHash: string }> {
  const path = join(tmpdir(), `import-${randomUUID()}`);
  try {
    await pipeline(sent, createWriteStream(path, { mode: 0o600 }));
    if (sent.truncated === true) throw new Refusal('payload_too_large', 'The file is larger than 10 MiB.');
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
    return { rows: await work(path), fileHash: hash.digest('hex') };
  } finally {
    await rm(path, { force: true });
  }
}
