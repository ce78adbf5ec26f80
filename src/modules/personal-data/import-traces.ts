import { answersShowing, dropAnswers, type AnswerPlace } from '../../infrastructure/idempotency.js';
import {
  allowLongStatements,
  inTransaction,
  type Connection,
  type Database,
} from '../../infrastructure/postgres/database.js';

/** Where the tables of imports hold an address: in a row, in what was said of one, in a column's name, in a kept answer. */
export interface ImportTraces {
  /** Files, which are imports under the same ids. */
  readonly fileIds: readonly string[];
  readonly answers: readonly AnswerPlace[];
}

/** What answers of theirs are kept may show the address: of a row what is wrong with it, of a contact where it is written to. */
const ANSWERING = [
  ...['POST /brand/bulk/products', 'POST /brand/bulk/commit'],
  ...['POST /brand/suppliers/invite', 'POST /supplier/sub-suppliers'],
];

/** Condition that a text holds the address ($1, in lower case). Addresses are ASCII, so "C" will do. */
const holdsAddress = (column: string) => `strpos(lower(${column} collate "C"), $1) > 0`;

/**
 * The address in the JSON text of a row, but not as a part of a longer one. What looks like a letter before it may be the end of
 * an escape such as `\n`.
 */
const addressPattern = (email: string): string => {
  const literal = email.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const before = String.raw`(?:(?<![a-z0-9_+]|[a-z0-9_+][.-])|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4}))`;
  return String.raw`${before}${literal}(?![a-z0-9-]|\.[a-z0-9])`;
};

/** What holds the address. Looked for before anything is locked. */
export async function importTracesOf(
  database: Database,
  email: string,
  encryptionKey: Uint8Array,
): Promise<ImportTraces> {
  const address = email.toLowerCase();
  const fileIds = await inTransaction(database, async (connection) => {
    await allowLongStatements(connection);
    const { rows } = await connection.query<{ id: string }>(
      `select file_id as id from service.import_file_rows where ${holdsAddress('cells')}
       union select import_id from service.import_outcomes where ${holdsAddress('detail')}
       union select id from service.import_files where ${holdsAddress('sheet::text')} or ${holdsAddress('mapping::text')}
       union select id from service.imports where ${holdsAddress('sheet::text')} or ${holdsAddress('bindings::text')}`,
      [address],
    );
    return rows.map(({ id }) => id);
  });
  return { fileIds, answers: await answersShowing(database, { encryptionKey, routes: ANSWERING, text: address }) };
}

/** Every place by its table; where nothing says which rows, all of them are looked at. */
const PLACES: readonly { table: string; column: string; type: 'text' | 'jsonb'; id: string | null }[] = [
  { table: 'import_file_rows', column: 'cells', type: 'text', id: 'file_id' },
  { table: 'import_outcomes', column: 'detail', type: 'text', id: 'import_id' },
  { table: 'import_files', column: 'sheet', type: 'jsonb', id: 'id' },
  { table: 'import_files', column: 'mapping', type: 'jsonb', id: 'id' },
  { table: 'imports', column: 'sheet', type: 'jsonb', id: 'id' },
  { table: 'imports', column: 'bindings', type: 'jsonb', id: 'id' },
  { table: 'import_mappings', column: 'mapping', type: 'jsonb', id: null },
];

/** Blanks the address in all of it. An answer goes whole: its call, sent again under its key, is answered anew. */
export async function blankInImports(
  connection: Connection,
  email: string,
  { fileIds, answers }: ImportTraces,
): Promise<void> {
  const address = email.toLowerCase();
  await allowLongStatements(connection);
  for (const { table, column, type, id } of PLACES) {
    if (id !== null && fileIds.length === 0) continue;
    await connection.query(
      `update service.${table}
          set ${column} = regexp_replace(${column}::text collate "C", $2, '', 'gi')::${type}
        where ${holdsAddress(`${column}::text`)}${id === null ? '' : ` and ${id} = any($3)`}`,
      [address, addressPattern(address), ...(id === null ? [] : [fileIds])],
    );
  }
  await dropAnswers(connection, answers);
}
