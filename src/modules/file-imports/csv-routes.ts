import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { z } from 'zod';
import { Refusal } from '../../core/errors.js';
import { access } from '../../http/access.js';
import type { AppDependencies } from '../../http/dependencies.js';
import { count } from '../../http/schemas.js';
import { receivedPart, receiveFiles } from '../../http/file-upload.js';
import { isBlankRow, TOP_ROWS, type SheetRow } from '../../infrastructure/spreadsheets/cells.js';
import { createSpreadsheetReader, type SpreadsheetReader } from '../../infrastructure/spreadsheets/reader.js';
import {
  COMMIT_ROWS,
  commitRows,
  type ImportRow,
  joinedMessages,
  refuseBeyondPlan,
  type RowOutcome,
} from '../imports/index.js';
import { findHeader } from './header.js';
import { bindingsOf, toImportRow } from './import-row.js';
import { mapColumns } from './mapping.js';
import { openSheet } from './open-sheet.js';
import { variantRowsOf } from './systems.js';

const MAX_FILE_BYTES = 10 * 1024 * 1024;
const LIMITS = { rows: 5_000, columns: 200, timeLimitMs: 30_000, memoryMb: 256 };
const READERS_AT_ONCE = 1;

const body = z.object({ file: receivedPart.describe('The part `file`: a CSV') });

const answer = z
  .object({
    created: count,
    skipped: count,
    errors: z.array(z.object({ row: z.int().min(1), error: z.string() })),
  })
  .meta({ id: 'CsvImport', description: 'What has become of the rows' });

/** The older way to import a file: all rows in one call, new products only. */
export const csvImportRoutes =
  (deps: AppDependencies): FastifyPluginAsyncZod =>
  async (app) => {
    const importDeps = { ...deps, consumerUrl: deps.config.CONSUMER_URL };
    const reader = createSpreadsheetReader({ limits: LIMITS, atOnce: READERS_AT_ONCE });
    const receivedFile = await receiveFiles(app, { maxBytes: MAX_FILE_BYTES });

    app.route({
      method: 'POST',
      url: '/brand/bulk/products',
      config: { access: access.import, creates: true, receivesFile: true },
      schema: {
        operationId: 'importCsv',
        summary: `Import a CSV (multipart, part \`file\`, at most ${LIMITS.rows} rows) in one call; older than the others`,
        tags: ['Bulk import'],
        consumes: ['multipart/form-data'],
        body,
        response: { 200: answer },
        refuses: ['plan_limit', 'name_unmapped', 'file_unreadable'],
      },
      handler: async (request) => {
        const rows = await readRows(reader, receivedFile(request).path);
        refuseBeyondPlan(request.member.plan, rows.filter(({ variantOf }) => variantOf === undefined).length);
        const context = request.command();
        const source = { importId: context.newId('imp'), fileHash: request.body.file.sha256 };
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
    .map(({ row, errors }) => ({ row, error: joinedMessages(errors, ' ') })),
});

async function readRows(reader: SpreadsheetReader, path: string): Promise<readonly ImportRow[]> {
  const { head, parts } = await openSheet(reader, path);
  const sheet: SheetRow[] = [];
  for await (const part of parts) {
    if (!('format' in part)) sheet.push(...part.filter(({ cells }) => !isBlankRow(cells)));
  }
  const header = findHeader(sheet.slice(0, TOP_ROWS), head.merges);
  const { columns, unmappedRequired } = mapColumns(header.columns);
  if (unmappedRequired.length > 0) throw new Refusal('name_unmapped', 'The file has no column "name".');
  const bindings = bindingsOf(columns);
  const width = head.format === 'csv' ? Math.max(...columns.map(({ index }) => index)) + 1 : null;
  const form = { width, variants: variantRowsOf(header.columns) };
  return sheet.filter(({ row }) => row > header.row).map((row) => toImportRow(row, bindings, form));
}
