import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { TextDecoderStream } from 'node:stream/web';
import { CsvError, parse } from 'csv-parse';
import { isBlankRow, textCell, type SheetHead, type SheetRow, type SpreadsheetLimits } from './cells.js';
import type { Refusal } from '../../core/errors.js';
import { detectEncoding, readStart, type Encoding } from './encoding.js';
import type { NamedEncoding } from './encoding-guess.js';
import { tooManyColumns, tooManyRows, unreadable, unsupported } from './refusals.js';

const ROWS_AT_ONCE = 500;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Trailing blank lines do no harm, but somebody has to end counting them. */
const MAX_BLANK_ROWS = 1_100_000;
/** The longest row that is read, in characters. */
const MAX_RECORD_LENGTH = 4 * 1024 * 1024;
const DELIMITERS = [';', ',', '\t', '|'] as const;
function encodingName(encoding: Encoding): string {
  if (encoding.startsWith('utf')) return (encoding === 'utf-8' ? encoding : 'utf-16').toUpperCase();
  return `${encoding.charAt(0).toUpperCase()}${encoding.slice(1)}`;
}

/** Reads a CSV; every record is one row, whatever line breaks it holds, and so is a blank line. */
export async function* readCsv(
  path: string,
  limits: SpreadsheetLimits,
  given: NamedEncoding | null,
): AsyncGenerator<SheetHead | readonly SheetRow[]> {
  const encoding = given ?? (await detectEncoding(path));
  const start = new TextDecoder(encoding).decode(await readStart(path, 64 * 1024));
  if (start.trim() === '') throw unreadable('The file is empty.');
  if (/^\s*[<{]/.test(start) || start.startsWith('%PDF')) {
    throw unsupported('The file is neither an .xlsx workbook nor a CSV: it looks like a page or a document.');
  }
  const separator = /^sep=(.)\r?\n/i.exec(start);
  const delimiter = separator?.[1] ?? detectDelimiter(start);
  const file: CsvFile = { path, encoding, delimiter, saysSeparator: separator !== null };
  // Most files have too few lines to have too many rows. The others are counted first, so that whoever keeps the rows has not
  // kept a hundred thousand of them when it hears that there are too many.
  if (await hasMoreLines(path, limits.rows)) for await (const _ of readRecords(file, limits));
  yield { format: 'csv', sheet: null, sheets: [], merges: [], notes: notesOf(encoding, delimiter) };
  yield* readRecords(file, limits);
}

interface CsvFile {
  readonly path: string;
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** Its first line is Excel's own about the delimiter. */
  readonly saysSeparator: boolean;
}

/** Line breaks in quotes count too, so that there may be fewer records, but not more. */
async function hasMoreLines(path: string, limit: number): Promise<boolean> {
  let lines = 0;
  let before = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      if (byte === CARRIAGE_RETURN || (byte === LINE_FEED && before !== CARRIAGE_RETURN)) lines += 1;
      before = byte;
    }
    if (lines > limit) return true;
  }
  return false;
}

async function* readRecords(
  { path, encoding, delimiter, saysSeparator }: CsvFile,
  limits: SpreadsheetLimits,
): AsyncGenerator<readonly SheetRow[]> {
  let linesRead = 0;
  const records = parse({
    bom: true,
    on_record: (record: string[], { lines }) => {
      linesRead = lines;
      return record;
    },
    delimiter,
    relax_column_count: true,
    max_record_size: MAX_RECORD_LENGTH,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const text = Readable.toWeb(createReadStream(path)).pipeThrough(new TextDecoderStream(encoding) as never);
  const source = Readable.fromWeb(text as never, { encoding: 'utf8' });
  source.on('error', (error) => records.destroy(error));
  source.pipe(records);

  let batch: SheetRow[] = [];
  let row = 0;
  let filled = 0;
  try {
    for await (const record of records as AsyncIterable<readonly string[]>) {
      row += 1;
      // Excel's own line about the delimiter is none of the rows that it shows.
      if (row === 1 && saysSeparator && /^sep=/i.test(record.join(delimiter))) {
        row = 0;
        continue;
      }
      if (record.length > limits.columns) {
        const last = record.findLastIndex((cell) => cell.trim() !== '') + 1;
        if (last > limits.columns) throw tooManyColumns(last, limits.columns);
      }
      const cells = record.map((cell) => (cell === '' ? null : textCell(cell)));
      if (!isBlankRow(cells)) filled += 1;
      if (filled > limits.rows + 1 || row > MAX_BLANK_ROWS) throw tooManyRows(limits.rows);
      batch.push({ row, cells });
      if (batch.length >= ROWS_AT_ONCE) {
        yield batch;
        batch = [];
      }
    }
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error, linesRead + 1) : error;
  } finally {
    source.destroy();
  }
  yield batch;
}

function notesOf(encoding: Encoding, delimiter: string): readonly string[] {
  const named = delimiter === '\t' ? 'tabs' : `"${delimiter}"`;
  return [`Read as ${encodingName(encoding)} text with ${named} between the cells.`];
}

/** The one that stands most often between the names of the columns, outside of quotes. */
function detectDelimiter(start: string): string {
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of start.replace(/^[\uFEFF\s]+/, '')) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if ((DELIMITERS as readonly string[]).includes(character)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const [best = ','] = DELIMITERS.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return counts.size === 0 ? ',' : best;
}

/** `firstLine` is where the row begins that could not be read; the parser itself names the line where it gave up. */
function refusalOf(error: CsvError, firstLine: number): Refusal {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return unreadable(`Line ${firstLine}: a quotation mark is opened in this row and never closed.`);
    case 'CSV_MAX_RECORD_SIZE':
      return unreadable(
        `Line ${firstLine}: the row is longer than ${MAX_RECORD_LENGTH} characters; is a closing quotation mark missing?`,
      );
    default:
      return unreadable(
        `Line ${firstLine}: a quotation mark stands inside a cell, or one is missing. Put the whole cell into quotation marks and double those inside it.`,
      );
  }
}
