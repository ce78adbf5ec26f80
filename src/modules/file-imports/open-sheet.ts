import type { ReadOptions, SheetHead, SheetRow } from '../../infrastructure/spreadsheets/cells.js';
import type { SpreadsheetReader } from '../../infrastructure/spreadsheets/reader.js';
import { likeliestSheet } from './header.js';

type Parts = AsyncGenerator<SheetHead | readonly SheetRow[]>;

export interface OpenSheet {
  readonly head: SheetHead;
  /** The rows, to be taken to their end or returned. */
  readonly parts: Parts;
}

/** Begins to read the sheet that is named, else the one that is most like a catalogue. */
export async function openSheet(
  reader: SpreadsheetReader,
  path: string,
  { told = [], ...options }: ReadOptions & { readonly told?: readonly string[] } = {},
): Promise<OpenSheet> {
  const first = await open(reader, path, options);
  const { head, parts } = first;
  if (options.sheet !== undefined || head.sheets.length < 2) return first;
  const likeliest = likeliestSheet(head.sheets, told);
  if (likeliest === null || likeliest === head.sheet) return first;
  await parts.return(undefined);
  return open(reader, path, { ...options, sheet: likeliest });
}

async function open(reader: SpreadsheetReader, path: string, options: ReadOptions): Promise<OpenSheet> {
  const parts = reader.read(path, options);
  const first = await parts.next();
  if (first.done === true || !('format' in first.value)) throw new Error('a spreadsheet begins with its head');
  return { head: first.value, parts };
}
