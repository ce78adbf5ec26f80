import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { NO_COUNTS, type RowOutcome, summaryOf, summaryOfBoth } from '../imports/index.js';
import { TOLD_AT_ONCE, type FileReport } from './upload.js';

/**
 * Answers what a file is and what importing it would do. A long one is written while its rows are looked at, by nobody checked
 * again, and not kept for its idempotency key: sent again, the call finds the file and looks anew.
 */
export async function sendFile(reply: FastifyReply, status: 200 | 201, report: FileReport): Promise<FastifyReply> {
  const { upload, outcomes } = report;
  const rows: RowOutcome[] = [];
  // The first of a long one too before anything is answered: a database that is away is a 503 and not half an answer.
  do {
    const part = await outcomes.next();
    if (part.done === true) break;
    rows.push(...part.value);
  } while (upload.rowCount <= TOLD_AT_ONCE);
  void reply.code(status);
  if (upload.rowCount <= TOLD_AT_ONCE) {
    return reply.send({ ...headOf(report), validation: { summary: summaryOf(rows), rows: rows.map(shown) } });
  }
  return reply.type('application/json; charset=utf-8').send(Readable.from(json(report, rows)));
}

async function* json(report: FileReport, first: readonly RowOutcome[]): AsyncGenerator<string> {
  let summary = NO_COUNTS;
  const written = (rows: readonly RowOutcome[]): string => {
    summary = summaryOfBoth(summary, summaryOf(rows));
    return rows.map((row) => JSON.stringify(shown(row))).join(',');
  };
  yield `${JSON.stringify(headOf(report)).slice(0, -1)},"validation":{"rows":[${written(first)}`;
  for await (const rows of report.outcomes) yield `,${written(rows)}`;
  yield `],"summary":${JSON.stringify(summary)}}}`;
}

const shown = ({ passports: _passports, errors, warnings, ...row }: RowOutcome) => ({
  ...row,
  errors: [...errors],
  warnings: [...warnings],
});

const headOf = ({ upload, mode, mapped, notes, preview }: FileReport) => ({
  ...{ id: upload.id, fileType: upload.fileType, fileHash: upload.fileHash, expiresAt: upload.expiresAt, mode },
  ...{
    format: upload.sheet.format,
    sheet: upload.sheet.name,
    sheets: [...upload.sheet.sheets],
    rowCount: upload.rowCount,
  },
  columns: mapped.columns.map(({ letters, header, field, how }) => ({ column: letters, header, field, how })),
  mapping: { ...mapped.mapping },
  unmapped: [...mapped.unmapped],
  unmappedRequired: [...mapped.unmappedRequired],
  notes: [...notes],
  preview: preview.map(({ row, cells }) => ({ row, cells: { ...cells } })),
});
