import { organizationOf, type CommandContext } from '../../core/context.js';
import { Refusal, notFound } from '../../core/errors.js';
import type { Plan } from '../../core/vocabulary.js';
import type { EventStore } from '../../infrastructure/event-store/port.js';
import { inTransaction, type Database, type Queryable } from '../../infrastructure/postgres/database.js';
import {
  isBlankRow,
  TOP_ROWS,
  type Cell,
  type ReadOptions,
  type SheetHead,
  type SheetRow,
} from '../../infrastructure/spreadsheets/cells.js';
import type { SpreadsheetReader } from '../../infrastructure/spreadsheets/reader.js';
import { tooManyRows } from '../../infrastructure/spreadsheets/refusals.js';
import {
  createKeySightings,
  createPlanner,
  type ImportMode,
  type ImportRow,
  type KeySightings,
  refuseBeyondPlan,
  type RowOutcome,
  seeKeys,
} from '../imports/index.js';
import { findHeader } from './header.js';
import { bindingsOf, shownPercent, toImportRow, type Binding } from './import-row.js';
import { productOfVariant, variantRowsOf, type VariantRows } from './systems.js';
import { mapColumns, type Mapped, type Mapping } from './mapping.js';
import { openSheet } from './open-sheet.js';
import { refuseProse } from './prose.js';
import {
  dropOldUploads,
  findUpload,
  insertRows,
  insertUpload,
  rowsFrom,
  savedMapping,
  setRowCounts,
  type Sheet,
  type StoredRow,
  type Upload,
} from './store.js';

export interface FileDependencies {
  readonly database: Database;
  readonly eventStore: EventStore;
  readonly reader: SpreadsheetReader;
  readonly maxRows: number;
}

/** An upload that nobody imports is forgotten after a day. */
export const UPLOAD_KEPT_MS = 24 * 60 * 60 * 1000;
const UPLOADS_KEPT = 20;
const PREVIEW_ROWS = 10;
/** Looked at in one go: a few milliseconds, after which it is other requests' turn. */
const ROWS_AT_ONCE = 200;
/** A longer file is told of part by part. */
export const TOLD_AT_ONCE = 1_000;

/** What a file is and what importing it would do. */
export interface FileReport {
  readonly upload: Upload;
  readonly mode: ImportMode;
  readonly mapped: Mapped;
  readonly notes: readonly string[];
  readonly preview: readonly {
    readonly row: number;
    readonly cells: Readonly<Record<string, string | number | boolean>>;
  }[];
  /** What importing would do with the rows, part by part: a file may be larger than the memory. */
  readonly outcomes: AsyncGenerator<readonly RowOutcome[], void>;
}

/** Reads a file once and keeps its cells; nothing of it is imported yet. All of it is kept or nothing. */
export async function keepUpload(
  deps: FileDependencies,
  context: CommandContext,
  file: {
    readonly path: string;
    readonly sha256: string;
    readonly plan: Plan;
    /** Undefined: that of the import whose errors it holds, else `create`. */
    readonly mode: ImportMode | undefined;
    readonly mapping: Mapping;
    /** Without a sheet: the one that is most like a catalogue. */
    readonly options: ReadOptions;
  },
): Promise<Upload> {
  const organizationId = organizationOf(context);
  const id = context.newId('imp');
  // The same call again, after an answer that was lost.
  const known = await findUpload(deps.database, organizationId, id);
  if (known !== null) return known;

  const told = Object.keys(file.mapping);
  const { head, parts } = await openSheet(deps.reader, file.path, { ...file.options, told });
  try {
    return await inTransaction(deps.database, async (db) => {
      const top = await readTop(parts);
      const header = findHeader(top.rows, head.merges, told);
      const upload: Upload = {
        ...{ id, organizationId, fileHash: file.sha256, fileType: header.fileType },
        mode: file.mode ?? header.mode ?? 'create',
        sheet: sheetOf(head, header),
        mapping: file.mapping,
        ...{ rowCount: 0, productRows: 0 },
        createdAt: context.now,
        expiresAt: context.now + UPLOAD_KEPT_MS,
      };
      // Refused here, before the rows are kept.
      const saved = await savedMapping(db, organizationId, header.fileType);
      const mapped = mapColumns(header.columns, { ...(saved !== null && { saved }), given: file.mapping });
      refuseProse(head, header, mapped, top.rows);
      await insertUpload(db, upload);
      const counts = await keepRows(db, {
        ...{ fileId: id, plan: file.plan, maxRows: deps.maxRows, below: header.row },
        variants: upload.sheet.variants,
        rows: chain(top.rows, parts),
      });
      await setRowCounts(db, id, counts);
      await dropOldUploads(db, organizationId, { newest: id, keep: UPLOADS_KEPT });
      return { ...upload, ...counts };
    });
  } finally {
    await parts.return(undefined);
  }
}

type Parts = AsyncGenerator<SheetHead | readonly SheetRow[]>;

/** Enough rows to find the header in. */
async function readTop(parts: Parts): Promise<{ readonly rows: readonly SheetRow[] }> {
  const rows: SheetRow[] = [];
  while (rows.length < TOP_ROWS) {
    const next = await parts.next();
    if (next.done === true) break;
    if (!('format' in next.value)) rows.push(...next.value);
  }
  return { rows };
}

async function* chain(top: readonly SheetRow[], parts: Parts): AsyncGenerator<readonly SheetRow[]> {
  yield top;
  for await (const part of parts) if (!('format' in part)) yield part;
}

async function keepRows(
  db: Queryable,
  options: {
    readonly fileId: string;
    readonly plan: Plan;
    readonly maxRows: number;
    /** The header's row. */
    readonly below: number;
    readonly variants: VariantRows | null;
    readonly rows: AsyncGenerator<readonly SheetRow[]>;
  },
): Promise<Pick<Upload, 'rowCount' | 'productRows'>> {
  let rowCount = 0;
  let productRows = 0;
  for await (const batch of options.rows) {
    const kept: StoredRow[] = [];
    for (const { row, cells } of batch) {
      if (row <= options.below || isBlankRow(cells)) continue;
      kept.push({ position: rowCount++, row, cells });
      if (productOfVariant(cells, options.variants) === null) productRows += 1;
    }
    if (rowCount > options.maxRows) throw tooManyRows(options.maxRows);
    // Further variants of a product import nothing.
    refuseBeyondPlan(options.plan, productRows);
    await insertRows(db, options.fileId, kept);
  }
  return { rowCount, productRows };
}

const sheetOf = (head: SheetHead, { columns, notes, width }: ReturnType<typeof findHeader>): Sheet => ({
  format: head.format,
  name: head.sheet,
  sheets: head.sheets.map(({ name }) => name),
  columns,
  notes: [...head.notes, ...notes],
  width: head.format === 'csv' ? width : null,
  variants: variantRowsOf(columns),
});

/** The upload, or 404 also when it is another organization's or has run out. */
export async function uploadOf(
  deps: Pick<FileDependencies, 'database'>,
  organizationId: string,
  id: string,
): Promise<Upload> {
  const upload = await findUpload(deps.database, organizationId, id);
  if (upload === null) throw notFound('file', id);
  return upload;
}

/** The columns of an upload under the saved mapping, the one given with it and the one given now. */
export async function mappedColumns(
  deps: Pick<FileDependencies, 'database'>,
  upload: Upload,
  given: Mapping,
): Promise<Mapped> {
  const saved = await savedMapping(deps.database, upload.organizationId, upload.fileType);
  // Checked alone first, so that a mistake is told as it was sent.
  mapColumns(upload.sheet.columns, { given });
  const taken = new Set(Object.values(given));
  const before = Object.fromEntries(
    Object.entries(upload.mapping).filter(
      ([header, field]) => !(header in given) && (field === null || !taken.has(field)),
    ),
  );
  return mapColumns(upload.sheet.columns, { ...(saved !== null && { saved }), given: { ...before, ...given } });
}

/** Says what the file holds and, row by row, what importing it would do. Writes nothing. */
export async function reportFile(
  deps: Pick<FileDependencies, 'database' | 'eventStore'>,
  upload: Upload,
  options: { readonly mode: ImportMode; readonly mapping: Mapping },
): Promise<FileReport> {
  const mapped = await mappedColumns(deps, upload, options.mapping);
  const bindings = bindingsOf(mapped.columns);
  const preview = await rowsFrom(deps.database, upload.id, 0, PREVIEW_ROWS);
  return {
    upload,
    mode: options.mode,
    mapped,
    notes: [...upload.sheet.notes, ...unitNotes(bindings), ...mapped.notes],
    preview: preview.map((row) => shownRow(row, upload)),
    outcomes: planned(deps, upload, bindings, options.mode),
  };
}

async function* planned(
  deps: Pick<FileDependencies, 'database' | 'eventStore'>,
  upload: Upload,
  bindings: readonly Binding[],
  mode: ImportMode,
): AsyncGenerator<readonly RowOutcome[], void> {
  const parts = () => importRows(deps, upload, bindings);
  let sightings: KeySightings | null = null;
  if (upload.rowCount > TOLD_AT_ONCE) {
    sightings = createKeySightings();
    for await (const rows of parts()) await seeKeys(sightings, rows);
  }
  const planner = createPlanner(deps, upload.organizationId, mode, sightings);
  for await (const rows of parts()) yield await planner.plan(rows);
}

async function* importRows(
  { database }: Pick<FileDependencies, 'database'>,
  upload: Upload,
  bindings: readonly Binding[],
): AsyncGenerator<readonly ImportRow[], void> {
  for (let position = 0; position < upload.rowCount; position += ROWS_AT_ONCE) {
    const rows = await rowsFrom(database, upload.id, position, ROWS_AT_ONCE);
    yield rows.map((row) => toImportRow(row, bindings, upload.sheet));
  }
}

/** A file without names could not give a single product. */
export function refuseWithoutName({ unmappedRequired }: Mapped): void {
  if (unmappedRequired.length === 0) return;
  throw new Refusal('name_unmapped', 'No column is mapped to "name". Say in `mapping` which one holds the names.', {
    errors: [{ path: 'mapping', code: 'name_unmapped', message: 'No column is mapped to "name".' }],
  });
}

/** How the numbers of the weight are read, unless they say so themselves. */
function unitNotes(bindings: readonly Binding[]): readonly string[] {
  const weight = bindings.find(({ field }) => field === 'weightKg');
  const unit = bindings.find(({ field }) => field === 'weightUnit');
  if (weight === undefined || weight.unit === 'kg') return [];
  if (weight.unit !== null) return [`"${weight.header}" was read as ${weight.unit}.`];
  if (unit !== undefined) return [`The unit of "${weight.header}" was read from "${unit.header}".`];
  return [`"${weight.header}" names no unit: numbers without one were read as kg.`];
}

const shownRow = ({ row, cells }: SheetRow, { sheet }: Upload): FileReport['preview'][number] => ({
  row,
  cells: Object.fromEntries(
    sheet.columns.flatMap(({ header, index }) => {
      const shown = shownCell(cells[index] ?? null);
      return shown === null ? [] : [[header, shown]];
    }),
  ),
});

const SHOWN_LENGTH = 200;

function shownCell(cell: Cell): string | number | boolean | null {
  if (typeof cell === 'string') return cell.slice(0, SHOWN_LENGTH);
  if (typeof cell !== 'object' || cell === null) return cell;
  if (cell.kind === 'percent') return shownPercent(cell.value);
  if (cell.kind === 'labelled') return `${cell.value} ${cell.label}`;
  return cell.kind === 'overlong' ? `(${cell.length} characters)` : cell.value;
}
