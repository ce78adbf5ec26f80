import type { ReadOptions, SheetHead, SheetRow, SpreadsheetLimits } from './cells.js';
import { readCsv } from './csv.js';
import { readStart } from './encoding.js';
import { noSheet, unreadable, unsupported } from './refusals.js';
import { readXlsx } from './xlsx.js';

const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const EMPTY_ZIP = Buffer.from('PK\x05\x06', 'latin1');
/** Old Excel files, and new ones under a password. */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Tells by its bytes, never by its name, what the file is, and reads it: the head first, then rows. */
export async function* readFile(
  path: string,
  limits: SpreadsheetLimits,
  { sheet, encoding }: ReadOptions = {},
): AsyncGenerator<SheetHead | readonly SheetRow[]> {
  const start = await readStart(path, 256 * 1024);
  if (start.length === 0) throw unreadable('The file is empty.');
  if (startsWith(start, COMPOUND_FILE)) {
    if (start.includes(ENCRYPTED)) throw unreadable('The workbook is protected by a password. Save it without one.');
    throw unsupported(
      'This is an old .xls file, or a workbook under a password. Save it as .xlsx without one, or as CSV.',
    );
  }
  if (startsWith(start, EMPTY_ZIP)) throw unreadable('The file is an empty archive.');
  if (startsWith(start, ZIP)) yield* readXlsx(path, limits, sheet ?? null);
  else if (sheet === undefined) yield* readCsv(path, limits, encoding ?? null);
  else throw noSheet('A CSV has no sheets to choose from.');
}

const startsWith = (bytes: Buffer, sign: Buffer): boolean => bytes.subarray(0, sign.length).equals(sign);
