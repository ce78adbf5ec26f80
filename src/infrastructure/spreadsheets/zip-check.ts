import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { Refusal } from '../../core/errors.js';
import type { SpreadsheetLimits } from './cells.js';
import { tooLarge, tooManyRows, unreadable, unsupported } from './refusals.js';

const MAX_ENTRIES = 2_000;
const MIB = 1024 * 1024;
const MAX_PART_BYTES = 256 * MIB;
const MAX_TOTAL_BYTES = 512 * MIB;
/** Sheets of like rows shrink to a sixtieth; a bomb to a thousandth. */
const MAX_RATIO = 200;
/** Below this a ratio says nothing. */
const SMALL_PART_BYTES = MIB;
/** The header and what stands above it. */
const ROWS_ABOVE = 50;
/** About 350 bytes of memory each. */
const MAX_CELLS = 2_500_000;

/**
 * Refuses what is no workbook, and a bomb by what its central directory says, before a byte is inflated. Then inflates every
 * part once without keeping it: a part that is larger than it says ends there, and so does a sheet with too many rows.
 */
export async function checkWorkbook(path: string, limits: Pick<SpreadsheetLimits, 'rows'>): Promise<void> {
  try {
    const zip = await openPromise(path, { autoClose: false, validateEntrySizes: true });
    try {
      const entries = await readDirectory(zip);
      checkParts(entries.map(({ fileName }) => fileName));
      for (const entry of entries) await inflate(zip, entry, limits);
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw unreadable(
      'The file is damaged or was cut off on its way: it cannot be unpacked. Save it again and send it whole.',
    );
  }
}

async function readDirectory(zip: ZipFile): Promise<readonly Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) throw tooLarge(`The file holds ${zip.entryCount} parts; a workbook has far fewer.`);
  const entries: Entry[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    if ((entry.generalPurposeBitFlag & 1) !== 0)
      throw unreadable('The file is protected by a password. Save it without one.');
    const { uncompressedSize, compressedSize, fileName } = entry;
    total += uncompressedSize;
    const isBomb = uncompressedSize > SMALL_PART_BYTES && uncompressedSize > compressedSize * MAX_RATIO;
    if (isBomb || uncompressedSize > MAX_PART_BYTES || total > MAX_TOTAL_BYTES) {
      throw tooLarge(
        `The file would unpack to ${Math.round((isBomb ? uncompressedSize : total) / MIB)} MiB, too much for a workbook of its size ("${fileName.slice(0, 100)}").`,
      );
    }
    entries.push(entry);
  }
  return entries;
}

function checkParts(names: readonly string[]): void {
  if (names.includes('xl/workbook.xml')) return;
  if (names.includes('xl/workbook.bin')) throw unsupported('This is an .xlsb file. Save it as .xlsx or CSV.');
  if (names.includes('mimetype')) throw unsupported('This is an OpenDocument file. Save it as .xlsx or CSV.');
  throw unsupported('The file is a zip archive but no .xlsx workbook.');
}

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/i;
const TAG = /<(?:[A-Za-z]+:)?(row|c|v|is)[\s>/]/g;
/** No tag that is looked for is longer. */
const OVERLAP = 24;

async function inflate(zip: ZipFile, entry: Entry, limits: Pick<SpreadsheetLimits, 'rows'>): Promise<void> {
  const isSheet = SHEET.test(entry.fileName);
  let rows = 0;
  let cells = 0;
  let rowHasValue = false;
  let carry = '';
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (!isSheet) continue;
    const text = carry + chunk.toString('latin1');
    // A tag that begins in the last bytes is counted with the next chunk.
    const end = Math.max(0, text.length - OVERLAP);
    TAG.lastIndex = 0;
    for (let match = TAG.exec(text); match !== null && match.index < end; match = TAG.exec(text)) count(match[1]);
    carry = text.slice(end);
  }
  for (const match of carry.matchAll(TAG)) count(match[1]);

  function count(tag: string | undefined): void {
    if (tag === 'row') rowHasValue = false;
    else if (tag === 'c') cells += 1;
    else if (!rowHasValue) {
      rowHasValue = true;
      rows += 1;
    }
    if (rows > limits.rows + ROWS_ABOVE) throw tooManyRows(limits.rows);
    if (cells > MAX_CELLS) throw tooLarge(`A sheet has more than ${MAX_CELLS} cells. Split it into several files.`);
  }
}
