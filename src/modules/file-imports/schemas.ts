import { z } from 'zod';
import { receivedPart } from '../../http/file-upload.js';
import { count, id, line, timestamp } from '../../http/schemas.js';
import { NAMED_ENCODINGS } from '../../infrastructure/spreadsheets/encoding-guess.js';
import { importMode, importReport, importSummary } from '../imports/index.js';
import { FILE_COLUMNS } from './fields.js';

const mode = importMode;

const runState = z
  .enum(['queued', 'running', 'completed', 'cancelled', 'failed'])
  .meta({ id: 'ImportState', description: 'Where an import stands' });

/** Fields and headers are looked up in the file; a wrong one is told there. */
export const mapping = z
  .record(z.string().max(300), z.string().max(100).nullable())
  .refine((entries) => Object.keys(entries).length <= 300, 'at most 300 columns')
  .meta({
    id: 'Mapping',
    description: `Header -> field, or null for a column that is not imported. Fields: ${FILE_COLUMNS.join(', ')}`,
    examples: [{ Bezeichnung: 'name', Farbe: null }],
  });

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
  encoding: z
    .enum(NAMED_ENCODINGS)
    .optional()
    .describe('Of a CSV that is neither UTF-8 nor UTF-16; else it is found out'),
  sheet: line(100).optional().describe('The name of the sheet to read; else the one that is most like a catalogue'),
});

export const fileOptions = z
  .object({ mode: mode.optional(), mapping: mapping.optional() })
  .meta({ id: 'FileOptions', examples: [{ mode: 'upsert' }] })
  .default({});

export const mappingBody = z
  .object({ mapping })
  .meta({ id: 'SaveMapping', examples: [{ mapping: { Bezeichnung: 'name', Farbe: null } }] });
export const savedMappingAnswer = z
  .object({
    fileType: z.string(),
    mapping: z.record(z.string(), z.string().nullable()),
  })
  .meta({ id: 'SavedMapping', description: 'What the columns of such files are mapped to' });

export const fileParams = z.object({ id: id('imp') });
export const fileTypeParams = z.object({
  fileType: line(100).meta({
    description: '`fileType` that an upload answered',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
});

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
    rowCount: count,
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
      z.object({ row: z.int().min(1), cells: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])) }),
    ),
    validation: importReport,
  })
  .meta({ id: 'ImportFile', description: 'An uploaded file, and what importing it would do' });

export const startedAnswer = z
  .object({ importId: z.string() })
  .meta({ id: 'ImportStarted', description: 'The import has begun and goes on by itself' });

const progress = z.object({
  id: z.string(),
  state: runState,
  mode,
  fileHash: z.string(),
  failure: z.string().nullable(),
  done: count,
  total: count,
  outcomes: importSummary,
  ratePerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  createdAt: timestamp,
  startedAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
});

export const importProgress = progress.meta({ id: 'ImportProgress', description: 'How far an import is' });
export const importAnswer = progress
  .extend({ report: importReport.nullable().describe('Once the import is over, for 30 days') })
  .meta({ id: 'Import', description: 'How far an import is, and its report once it is over' });

/** Not JSON: a workbook or a stream of events. */
export const rawAnswer = (description: string) => z.any().describe(description);
