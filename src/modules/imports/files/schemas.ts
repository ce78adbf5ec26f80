import { z } from 'zod';
import { receivedPart } from '../../../http/file-upload.js';
import { id, line, timestamp } from '../../../http/schemas.js';
import { FILE_COLUMNS } from './fields.js';

const mode = z.enum(['create', 'upsert']);

/** Fields and headers are looked up in the file; a wrong one is told there. */
export const mapping = z
  .record(z.string().max(300), z.string().max(100).nullable())
  .refine((entries) => Object.keys(entries).length <= 300, 'at most 300 columns')
  .describe(`Header -> field, or null for a column that is not imported. Fields: ${FILE_COLUMNS.join(', ')}`);

const mappingText = z
  .string()
  .max(200_000)
  .transform((text, issues): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      issues.addIssue({ code: 'custom', message: 'must be a JSON object' });
      return z.NEVER;
    }
  })
  .pipe(mapping);

export const uploadBody = z.object({
  file: receivedPart.describe('The part `file`: an .xlsx workbook or a CSV'),
  mode: mode.optional().describe('`create` unless told; a file of errors goes in in the mode that it came from'),
  mapping: mappingText.optional().describe('A mapping as JSON text, for headers that are not recognized'),
  sheet: line(100).optional().describe('The name of the sheet to read; else the one that is most like a catalogue'),
});

export const fileOptions = z.object({ mode: mode.optional(), mapping: mapping.optional() }).default({});

export const mappingBody = z.object({ mapping });
export const savedMappingAnswer = z.object({
  fileType: z.string(),
  mapping: z.record(z.string(), z.string().nullable()),
});

export const fileParams = z.object({ id: id('imp') });
export const fileTypeParams = z.object({ fileType: line(100).describe('`fileType` that an upload answered') });

const summary = z.object({
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  errors: z.int(),
  passports: z.int(),
});

const message = z.object({ code: z.string(), field: z.string(), message: z.string() });

const rowOutcome = z.object({
  row: z.int(),
  outcome: z.enum(['create', 'update', 'unchanged', 'skipped', 'error']),
  productId: z.string().optional(),
  dppId: z.string().optional(),
  errors: z.array(message),
  warnings: z.array(message.extend({ from: z.string().optional(), to: z.string().optional() })),
});

const report = z.object({ summary, rows: z.array(rowOutcome) });

export const fileAnswer = z
  .object({
    id: z.string(),
    fileType: z.string().describe('Names files with the same columns: SHA-256 of the normalized header row'),
    fileHash: z.string(),
    expiresAt: timestamp,
    mode,
    format: z.enum(['xlsx', 'csv']),
    sheet: z.string().nullable(),
    sheets: z
      .array(z.string())
      .describe('Sheets of the workbook with something in them, any of which `sheet` could name'),
    rowCount: z.int(),
    columns: z.array(
      z.object({
        column: z.string().describe('The letters over it'),
        header: z.string(),
        field: z.string().nullable(),
        how: z.enum(['exact', 'normalized', 'meaning', 'system', 'saved', 'given']).nullable(),
      }),
    ),
    mapping: z.record(z.string(), z.string().nullable()),
    unmapped: z.array(z.string()),
    unmappedRequired: z.array(z.string()),
    notes: z.array(z.string()),
    preview: z.array(
      z.object({ row: z.int(), cells: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])) }),
    ),
    validation: report,
  })
  .meta({ id: 'ImportFile' });

export const startedAnswer = z.object({ importId: z.string() });

const progress = z.object({
  id: z.string(),
  state: z.enum(['queued', 'running', 'completed', 'cancelled', 'failed']),
  mode,
  fileHash: z.string(),
  failure: z.string().nullable(),
  done: z.int(),
  total: z.int(),
  outcomes: summary,
  ratePerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
});

export const importProgress = progress.meta({ id: 'ImportProgress' });
export const importAnswer = progress
  .extend({ report: report.nullable().describe('Once the import is over, for 30 days') })
  .meta({ id: 'Import' });

/** Not JSON: a workbook or a stream of events. */
export const rawAnswer = (description: string) => z.any().describe(description);
